"""A soul that began on one machine meets a remote: nothing of either side is lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from soulsync.access.key import public_line
from tests.bodies import REPO, Body, assert_in_step, in_turn

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Remote
    from tests.servers import EmbeddedServer


@pytest.fixture
def local(tmp_path: Path) -> Body:
    """A body that began without a remote and has worked since."""
    body = Body(tmp_path / "local", "local", None, SOUL_ALLOW_LOCAL_REMOTE="1")
    body.init()
    body.set_entries(["known to both", "known here"])
    body.write("notes/here.md", "# here\n\ntext\n")
    body.write("notes/both.md", "# both\n\nwritten here\n")
    body.write("SOUL.md", "# kaoru\n\nCalm.\n")
    body.write("own/tool.py", "print('mine')\n")
    body.sync()
    body.remember("known here, later")
    body.sync()
    return body


@pytest.fixture
def shared(one: Body) -> Body:
    """The body that the remote already has, with work of its own."""
    one.set_entries(["known there", "known to both"])
    one.write("notes/both.md", "# both\n\nwritten there\n")
    one.write("notes/there.md", "# there\n\ntext\n")
    one.identify(displayName="Kaoru", seed=None)
    one.sync()
    return one


def test_a_local_soul_needs_no_remote(local: Body) -> None:
    assert local.status()["remote"] is None
    assert local.sync()["outcome"] == "unchanged"
    assert local.sync()["attempts"] == 0


def test_nothing_is_lost(local: Body, shared: Body, remote: Remote) -> None:
    local.ok("remote", "set", remote.url)
    in_turn(shared, local)
    assert_in_step(local, shared)
    assert sorted(shared.entries()) == sorted(["known there", "known to both", "known here", "known here, later"])
    for path in ("notes/here.md", "notes/there.md", "own/tool.py"):
        assert shared.exists(path)
    assert shared.read("SOUL.md") == "# kaoru\n\nCalm.\n"
    kept = shared.read("notes/both.md")
    lost = {"# both\n\nwritten here\n", "# both\n\nwritten there\n"} - {kept}
    history = shared.git("log", "--full-history", "--format=%H", "--", "notes/both.md").split()
    assert lost.pop().strip() in {shared.git("show", f"{commit}:notes/both.md") for commit in history}


def test_the_content_stands_as_one_commit_and_the_merge_as_a_second(local: Body, shared: Body, remote: Remote) -> None:
    tip, ours = remote.head(), local.tree()
    local.ok("remote", "set", remote.url)
    assert remote.git("rev-list", "--first-parent", f"{tip}..main").split()[-1:] != []
    whole = remote.git("rev-list", "--reverse", f"{tip}..main").split()[0]
    assert remote.git("rev-parse", f"{whole}^{{tree}}") == ours
    assert remote.git("rev-parse", f"{whole}^") == tip
    assert remote.git("rev-list", "--merges", f"{tip}..main") == ""


def test_our_own_root_is_not_pushed_and_the_old_tip_is_rescued(local: Body, shared: Body, remote: Remote) -> None:
    old = local.head()
    local.ok("remote", "set", remote.url)
    assert len(remote.git("rev-list", "--max-parents=0", "main").split()) == 1
    assert old in local.git("for-each-ref", "--format=%(objectname)", "refs/soulsync/rescue").split()
    assert "rescue" not in remote.git("for-each-ref")


def test_the_remotes_identity_wins(local: Body, shared: Body, remote: Remote) -> None:
    identity = shared.identity()
    local.identify(displayName="Somebody", description="begun here")
    local.sync()
    local.ok("remote", "set", remote.url)
    assert local.identity()["id"] == identity["id"]
    assert local.identity()["displayName"] == "Kaoru"


def test_the_remotes_fixed_files_stay_as_they_are(local: Body, one: Body, remote: Remote) -> None:
    remote.commit(
        {"README.md": "# by another implementation\n", ".soul-spec.json": '{"spec":"soul-repo","version":7}\n'}
    )
    local.ok("remote", "set", remote.url)
    assert local.read("README.md") == "# by another implementation\n"
    assert json.loads(remote.git("show", "main:.soul-spec.json"))["version"] == 7


def test_the_identity_of_a_remote_whose_last_one_is_malformed_wins_too(local: Body, one: Body, remote: Remote) -> None:
    """The id of a soul is the one in its newest commit that can be read; it must not change by our joining."""
    theirs = one.identity()["id"]
    remote.commit({"agent.json": "{ broken"})
    local.ok("remote", "set", remote.url)
    assert local.identity()["id"] == theirs
    one.sync()
    assert_in_step(one, local)


def test_joining_an_empty_remote_sends_everything(local: Body, remote: Remote) -> None:
    head = local.head()
    local.ok("remote", "set", remote.url)
    assert remote.git("merge-base", head, "main") == head
    assert remote.head() == local.head()


def test_joining_a_remote_with_a_readme_keeps_the_readme(local: Body, remote: Remote) -> None:
    remote.commit({"README.md": "# kaoru.soul\n", "LICENSE": "none\n"})
    local.ok("remote", "set", remote.url)
    assert local.read("README.md") == "# kaoru.soul\n"
    assert local.exists("LICENSE")
    assert "known here" in local.entries()
    assert remote.head() == local.head()


def test_two_bodies_that_start_at_once_on_an_empty_remote_become_one_soul(remote: Remote, tmp_path: Path) -> None:
    bodies = [remote.body(tmp_path / name, name) for name in ("one", "two", "three")]
    started = [body.start("init", remote.url, "--body", body.name) for body in bodies]
    for process in started:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, out + err
    in_turn(*bodies)
    assert_in_step(*bodies)
    assert len({body.identity()["id"] for body in bodies}) == 1
    assert all(bodies[0].exists(f"bodies/{body.name}.json") for body in bodies)
    assert len(remote.git("rev-list", "--max-parents=0", "main").split()) == 1


def test_a_refused_address_leaves_a_local_soul_local(local: Body, remote: Remote) -> None:
    remote.commit({"src/main.c": "int main;\n"})
    before = local.head()
    local.fails(3, "remote", "set", remote.url)
    assert local.ok("remote", "show").startswith("No remote yet")
    assert local.head() == before
    local.sync()


def test_the_key_is_shown_and_waited_for_as_in_init(local: Body, embedded: EmbeddedServer) -> None:
    embedded.create(REPO)
    running = local.start("remote", "set", embedded.url(REPO), "--wait", "60")
    assert running.stdout is not None
    line = next(line for line in running.stdout if line.startswith("ssh-ed25519 ")).strip()
    assert line == public_line(local.home / "id_ed25519")
    embedded.authorize(REPO, line)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 0, out + err
    assert local.sync()["outcome"] == "unchanged"


def test_a_wait_that_is_stopped_leaves_the_remote_that_was_there(one: Body, embedded: EmbeddedServer) -> None:
    embedded.create(REPO)
    running = one.start("remote", "set", embedded.url(REPO), "--wait", "60")
    assert running.stdout is not None
    assert any(line.startswith("ssh-ed25519 ") for line in running.stdout)
    running.terminate()
    running.communicate(timeout=60)
    assert one.ok("remote", "show").strip() == one.url
    one.remember("goes on")
    assert one.sync()["outcome"] == "pushed"
