"""Taking a machine out of a soul, with and without what lies on it."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from soulsync.access.key import fingerprint, public_line
from tests.bodies import REPO, Body, Remote, over_ssh, snapshot
from tests.schedules import Clockwork, at
from tests.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import EmbeddedServer


@pytest.fixture
def clockwork(tmp_path: Path) -> Clockwork:
    return Clockwork(tmp_path / "programs", "crontab")


@pytest.fixture
def body(one: Body, clockwork: Clockwork) -> Body:
    """A connected body whose remote has everything."""
    return at(one, clockwork)


def purge(body: Body) -> dict[str, Any]:
    return dict(json.loads(body.ok("detach", "--purge", "--json")))


def refused(body: Body) -> list[str]:
    """What a purge names as being here alone; nothing may be gone afterwards."""
    before = snapshot(body.home, without=("state", "soul/.git"))
    done = body.run("detach", "--purge", "--json")
    assert done.returncode == 1, done
    assert "Nothing was deleted" in done.stderr
    assert snapshot(body.home, without=("state", "soul/.git")) == before
    return list(json.loads(done.stdout)["only_here"])


def test_what_starts_by_itself_goes_and_the_soul_stays(body: Body, clockwork: Clockwork) -> None:
    clockwork.table.write_text("5 4 * * * backup\n")
    body.ok("uninstall")
    hook = body.soul / ".git/hooks/pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 0\n")
    hook.chmod(0o755)
    body.ok("install")
    body.ok("schedule", "install", "--backend", "cron")
    body.remember("stays, uncommitted")
    soul, key, head = (
        snapshot(body.soul, without=(".git",)),
        snapshot(body.home, without=("state", "soul")),
        body.head(),
    )
    said = body.ok("detach")
    assert "Nothing here syncs kaoru by itself any more" in said
    assert clockwork.table.read_text() == "5 4 * * * backup\n"
    assert hook.read_text() == "#!/bin/sh\nexit 0\n"
    assert [file.name for file in hook.parent.iterdir()] == ["pre-push"]
    assert not (body.soul / ".git/info/attributes").exists()
    assert "merge." not in body.git("config", "--local", "--list")
    assert snapshot(body.soul, without=(".git",)) == soul
    assert snapshot(body.home, without=("state", "soul")) == key
    assert body.head() == head
    assert body.ok("detach") == "Nothing was left to take out.\n"


def test_the_key_to_delete_at_the_server_is_named(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    body = over_ssh(embedded, tmp_path / "one", "one")
    line = public_line(body.home / "id_ed25519")
    said = body.ok("detach")
    assert fingerprint(line) in said
    assert line in said
    assert f"127.0.0.1:{embedded.port}" in said
    key = purge(body)["deploy_key"]
    assert (key["public_key"], key["fingerprint"], key["page"]) == (line, fingerprint(line), None)
    assert not body.base.exists()


def test_the_page_of_a_known_forge_is_named(body: Body) -> None:
    config = body.home / "config.toml"
    config.write_text(config.read_text().replace(body.url or "", "git@github.com:you/kaoru.soul.git"))
    key = json.loads(body.ok("detach", "--json"))["deploy_key"]
    assert key["page"] == "https://github.com/you/kaoru.soul/settings/keys"


def test_a_purge_leaves_nothing_where_the_remote_has_everything(
    body: Body, remote: Remote, clockwork: Clockwork
) -> None:
    body.ok("schedule", "install", "--backend", "cron")
    tip = remote.head()
    done = purge(body)
    assert done["purged"]
    assert any("private key" in line for line in done["done"])
    assert not body.base.exists()
    assert not clockwork.table.exists()
    assert remote.head() == tip
    assert "soulsync init" in body.fails(2, "detach", "--purge")


def test_a_purge_deletes_a_soul_that_lies_elsewhere_and_nothing_beside_it(
    remote: Remote, tmp_path: Path, clockwork: Clockwork
) -> None:
    body = at(remote.body(tmp_path / "one", "one"), clockwork)
    beside, elsewhere = tmp_path / "data" / "mine.txt", tmp_path / "data" / "soul"
    beside.parent.mkdir()
    beside.write_text("mine")
    body.init("--dir", str(elsewhere))
    purge(body)
    assert list(beside.parent.iterdir()) == [beside]
    assert not body.base.exists()


def test_what_is_here_alone_keeps_a_purge_from_deleting(body: Body, remote: Remote) -> None:
    body.remember("not committed")
    body.write("notes/big.md", "x" * 1_048_577)
    body.write("notes/copy.incoming1.md", "somebody's words")
    body.write(".gitignore", "*.tmp\n*.swp\n.DS_Store\n*.incoming*.md\nsecrets/\n")
    body.write("secrets/token", "t")
    body.write("left.tmp", "litter")
    assert refused(body) == [
        "not committed: .gitignore",
        "not committed: memories/MEMORY.md",
        "never committed: notes/big.md",
        "ignored by git: notes/copy.incoming1.md",
        "ignored by git: secrets/",
    ]
    body.sync("--no-push")
    body.git("branch", "mine")
    found = refused(body)
    assert found[:2] == ["commits of main: 1", "commits of mine: 1"]
    body.sync()
    for path in ("notes/big.md", "notes/copy.incoming1.md", "secrets/token"):
        body.delete(path)
    assert purge(body)["purged"]


def test_a_remote_that_moved_on_is_asked_and_one_that_lost_us_is_not_believed(body: Body, remote: Remote) -> None:
    before = remote.head()
    body.remember("sent")
    body.sync()
    remote.allow_everything()
    remote.git("update-ref", "refs/heads/main", before)
    assert refused(body) == ["commits of main: 1"]
    remote.git("update-ref", "-d", "refs/heads/main")
    assert refused(body)[0].startswith("commits of main")
    body.git("push", "-q", "--no-verify", "origin", "main")
    remote.commit({"notes/later.md": "# later\n"})
    assert purge(body)["purged"]


def test_what_can_not_be_asked_is_not_deleted(body: Body, remote: Remote) -> None:
    away = remote.path.rename(remote.path.with_name("away"))
    body.fails(4, "detach", "--purge")
    assert body.clean()
    away.rename(remote.path)
    body.soul.rename(body.folder / "moved")
    assert "Is its disk mounted" in body.fails(1, "detach", "--purge")
    assert (body.home / "id_ed25519").exists()


def test_a_local_soul_is_never_purged(tmp_path: Path, clockwork: Clockwork) -> None:
    body = at(Body(tmp_path / "one", "one", None), clockwork)
    body.init()
    assert refused(body) == ["the whole soul: it has no remote"]
    body.ok("detach")


def test_a_purge_that_was_cut_off_is_finished_by_the_next(body: Body) -> None:
    half = body.home / "soul.soulsync-purged"
    body.soul.rename(half)
    shutil.rmtree(half / "memories")
    assert purge(body)["purged"]
    assert not body.base.exists()
    left = body.base / ".kaoru.soulsync-purged"
    left.mkdir(parents=True)
    (left / "id_ed25519").write_text("private")
    assert "earlier purge" in body.ok("detach", "--purge")
    assert not body.base.exists()


def test_other_agents_of_the_machine_stay(body: Body, clockwork: Clockwork, tmp_path: Path) -> None:
    body.ok("init", Remote(tmp_path / "remotes" / "maki.soul.git").url, "--body", "one")
    for agent in ("kaoru", "maki"):
        body.ok("--agent", agent, "schedule", "install", "--backend", "cron")
    assert "--agent" in body.fails(2, "detach")
    body.ok("--agent", "kaoru", "detach", "--purge")
    assert body.ok("sync") == "maki (one): nothing to do.\n"
    assert len(clockwork.lines()) == 1


def test_nothing_is_taken_out_during_a_sync(body: Body, clockwork: Clockwork) -> None:
    from filelock import FileLock

    body.ok("schedule", "install", "--backend", "cron")
    with FileLock(body.home / "state" / "sync.lock"):
        body.fails(75, "detach")
        body.fails(75, "detach", "--purge")
    assert len(clockwork.lines()) == 1
    assert body.clean()


def test_a_terminal_is_asked_and_a_no_changes_nothing(body: Body) -> None:
    for words, question in ((("detach",), "out of kaoru"), (("detach", "--purge"), "the key of kaoru")):
        with Terminal(body.argv(*words), env=body.env, cwd=body.folder) as terminal:
            assert question in terminal.until("[y/N]")
            terminal.answer("n\n")
            assert terminal.end() != 0
    assert (body.soul / ".git/info/attributes").exists()
    with Terminal(body.argv("detach", "--purge", "--yes"), env=body.env, cwd=body.folder) as terminal:
        assert terminal.end() == 0
        assert "[y/N]" not in terminal.seen
    assert not body.base.exists()


def test_a_soul_that_never_began_is_purged_without_asking_an_address_that_was_a_slip(tmp_path: Path) -> None:
    body = Body(tmp_path / "one", "one", "ssh://git@127.0.0.1:1/kaoru.soul.git")
    body.fails(5, "init", str(body.url), "--body", "one")
    body.write("notes/begun.md", "# begun\n")
    body.fails(5, "detach", "--purge")  # what was written here may be nowhere else
    body.delete("notes/begun.md")
    body.ok("detach", "--purge")
    assert not body.base.exists()


def test_a_local_soul_is_told_how_it_gets_a_remote(tmp_path: Path) -> None:
    body = Body(tmp_path / "one", "one", None)
    body.init()
    assert "soulsync remote set" in body.fails(1, "detach", "--purge")
    assert body.exists("agent.json")
