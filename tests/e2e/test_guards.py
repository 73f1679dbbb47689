"""Only its own history: what a remote must be before anything of it is merged."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING

import pytest

from tests.bodies import ELSEWHERE, Remote, assert_in_step, git, in_turn, snapshot

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Body


@pytest.fixture
def rewritten(one: Body, two: Body, remote: Remote) -> tuple[Body, str]:
    """A body whose remote was forced back to the beginning and went another way; the old tip."""
    one.remember("seen by both")
    in_turn(one, two)
    old = one.head()
    remote.allow_everything()
    root = remote.git("rev-list", "--max-parents=0", "main")
    remote.git("update-ref", "refs/heads/main", root)
    remote.commit({"notes/elsewhere.md": "# elsewhere\n"})
    return one, old


def test_a_rewritten_remote_is_refused(rewritten: tuple[Body, str]) -> None:
    body, old = rewritten
    line = body.fails(3, "sync")
    assert "rewritten" in line
    assert "soulsync remote accept" in line
    assert body.head() == old
    assert body.entries() == ["seen by both"]


def test_local_work_is_committed_although_the_remote_is_refused(rewritten: tuple[Body, str]) -> None:
    body, _ = rewritten
    body.remember("mine")
    body.fails(3, "sync")
    assert body.clean()
    assert "更新记忆（one）" in body.subjects("-1")


def test_accept_adopts_the_tip_and_replays_local_content(rewritten: tuple[Body, str], remote: Remote) -> None:
    body, old = rewritten
    body.remember("only here")
    body.fails(3, "sync")
    tip = remote.head()
    body.ok("remote", "accept", tip[:12], "--yes")
    assert body.exists("notes/elsewhere.md")
    assert "only here" in body.entries()
    assert body.git("merge-base", tip, "HEAD") == tip
    assert remote.head() == body.head()
    rescued = body.git("for-each-ref", "--format=%(objectname)", "refs/soulsync/rescue").splitlines()
    assert any(body.git("merge-base", old, ref) == old for ref in rescued)
    assert "refs/soulsync" not in remote.git("for-each-ref")
    body.sync()


def test_accept_wants_the_tip_that_is_there(rewritten: tuple[Body, str]) -> None:
    body, old = rewritten
    body.fails(1, "remote", "accept", old, "--yes")
    body.fails(2, "remote", "accept", old)
    assert body.head() == old


def test_the_other_body_accepts_too_and_both_are_in_step(
    rewritten: tuple[Body, str], two: Body, remote: Remote
) -> None:
    one, _ = rewritten
    one.ok("remote", "accept", remote.head(), "--yes")
    two.remember("waits in two")
    two.fails(3, "sync")
    two.ok("remote", "accept", remote.head(), "--yes")
    in_turn(one, two)
    assert_in_step(one, two)
    assert "waits in two" in one.entries()


def test_a_deleted_branch_is_refused(one: Body, remote: Remote) -> None:
    remote.allow_everything()
    remote.git("update-ref", "-d", "refs/heads/main")
    assert "no branch main" in one.fails(3, "sync")


def test_a_strange_root_that_was_merged_in_is_refused(one: Body, remote: Remote, tmp_path: Path) -> None:
    _merge_in_strange_root(remote, tmp_path, {"strange.md": "another repository\n"})
    before = one.head()
    assert "strange beginning" in one.fails(3, "sync")
    assert one.head() == before


def test_a_second_root_of_our_own_soul_is_welcome(one: Body, remote: Remote, tmp_path: Path) -> None:
    _merge_in_strange_root(remote, tmp_path, {"agent.json": one.read("agent.json"), "notes/old.md": "# old\n"})
    one.sync()
    assert one.exists("notes/old.md")


def _merge_in_strange_root(remote: Remote, folder: Path, files: dict[str, str]) -> None:
    work = folder / "strange"
    git(folder, "clone", "-q", remote.url, str(work))
    git(work, "checkout", "-q", "--orphan", "other")
    git(work, "rm", "-rfq", ".")
    for path, text in files.items():
        (work / path).parent.mkdir(exist_ok=True)
        (work / path).write_text(text)
    git(work, "add", "-A")
    git(work, "commit", "-q", "-m", "another beginning")
    git(work, "checkout", "-q", "main")
    git(work, "merge", "-q", "--allow-unrelated-histories", "-X", "ours", "-m", "two as one", "other")
    git(work, "push", "-q", "origin", "main")


def test_a_malformed_identity_on_the_remote_is_reported_and_work_goes_on(one: Body, remote: Remote) -> None:
    remote.commit({"agent.json": '{"id": broken', "notes/n.md": "# n\n"})
    one.identify(description="changed here")
    result = one.sync()
    assert any("agent.json" in text for text in result["warnings"])
    assert one.identity()["description"] == "changed here"
    assert one.exists("notes/n.md")
    assert json.loads(remote.git("show", "main:agent.json"))["description"] == "changed here"


def test_another_agents_id_on_our_remote_is_refused(one: Body, remote: Remote) -> None:
    ours, theirs = one.identity()["id"], str(uuid.uuid4())
    remote.commit({"agent.json": json.dumps({**one.identity(), "id": theirs}, indent=2) + "\n"})
    line = one.fails(3, "sync")
    assert ours[:8] in line
    assert theirs[:8] in line
    assert ours not in line
    assert one.identity()["id"] == ours


def test_the_address_of_another_agents_soul_is_refused_and_not_kept(one: Body, tmp_path: Path) -> None:
    other = Remote(tmp_path / "remotes" / "maki.soul.git")
    maki = other.body(tmp_path / "maki", "one")
    maki.agent, maki.home, maki.soul = "maki", maki.base / "maki", maki.base / "maki" / "soul"
    maki.init()
    before = snapshot(one.soul, without=(".git/",))
    tip = other.head()
    assert "another agent" in one.fails(3, "remote", "set", other.url)
    assert one.ok("remote", "show").strip() == one.url
    assert snapshot(one.soul, without=(".git/",)) == before
    assert other.head() == tip
    one.sync()


def test_a_lost_memory_of_the_remote_does_not_let_another_agent_in(one: Body, remote: Remote) -> None:
    """``state/`` may be lost; the identity that the remote was last seen with still counts."""
    (one.home / "state" / "known.json").unlink()
    remote.commit({"agent.json": json.dumps({**one.identity(), "id": str(uuid.uuid4())}, indent=2) + "\n"})
    ours = one.identity()["id"]
    one.fails(3, "sync")
    assert one.identity()["id"] == ours


def test_settings_in_the_souls_git_config_do_not_lead_elsewhere(one: Body, remote: Remote, tmp_path: Path) -> None:
    trap = Remote(tmp_path / "trap.git")
    one.git("config", "remote.origin.url", trap.url)
    one.git("config", f"url.{trap.url}.insteadOf", remote.url)
    one.git("config", f"url.{trap.url}.pushInsteadOf", remote.url)
    one.git("config", "core.hooksPath", str(tmp_path / "hooks"))
    ran = tmp_path / "ran"
    for name in ("core.fsmonitor", "core.sshCommand", "filter.trap.clean"):
        one.git("config", name, f"touch {ran}; false")
    one.write(".gitattributes", one.read(".gitattributes") + "* filter=trap\n")
    one.remember("to the right place")
    one.sync()
    assert "to the right place" in remote.git("show", "main:memories/MEMORY.md")
    assert trap.git("for-each-ref") == ""
    assert not ran.exists()


def test_settings_of_the_user_do_not_lead_elsewhere(one: Body, remote: Remote, tmp_path: Path) -> None:
    trap = Remote(tmp_path / "trap.git")
    (one.folder / ".gitconfig").write_text(
        f'[url "{trap.url}"]\n\tinsteadOf = {remote.url}\n[commit]\n\tgpgsign = true\n[core]\n\tautocrlf = true\n'
    )
    one.remember("to the right place")
    one.sync()
    assert "to the right place" in remote.git("show", "main:memories/MEMORY.md")
    assert trap.git("for-each-ref") == ""


def test_a_submodule_that_arrives_is_named_and_never_created(one: Body, remote: Remote, tmp_path: Path) -> None:
    work = tmp_path / "submodule"
    git(tmp_path, "clone", "-q", remote.url, str(work))
    git(work, "update-index", "--add", "--cacheinfo", f"160000,{remote.head()},nested")
    git(work, "commit", "-q", "-m", "nested", env=ELSEWHERE)
    git(work, "push", "-q", "origin", "main")
    assert any("nested" in text for text in one.sync()["warnings"])
    assert not one.exists("nested")
    one.remember("more")
    one.sync()
    assert "nested" in remote.git("ls-tree", "--name-only", "main")
