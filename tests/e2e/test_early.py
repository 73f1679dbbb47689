"""The fetch that a sync begins before it has loaded anything, and the push that runs beside it."""

from __future__ import annotations

import fcntl
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from soulsync.body import early, plain_words
from tests.bodies import REPO, over_ssh
from tests.servers import EmbeddedServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bodies import Body


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    with EmbeddedServer(tmp_path_factory.mktemp("early") / "server") as running:
        running.create(REPO)
        yield running


@pytest.fixture(scope="module")
def body(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Body]:
    """A body that has synced, so that its next sync begins early; its sockets lie in a folder of their own."""
    one = over_ssh(server, tmp_path_factory.mktemp("body"), "one")
    with tempfile.TemporaryDirectory(prefix="rt-", dir="/tmp") as runtime:  # short: the name of a socket must fit
        one.env["XDG_RUNTIME_DIR"] = runtime
        one.sync()
        assert note(one).is_file()
        yield one
        assert list(Path(runtime).iterdir()) == []


def note(body: Body) -> Path:
    return body.home / "state" / early.NOTE


def tip(server: EmbeddedServer) -> str:
    return git(server, "rev-parse", "main")


def git(server: EmbeddedServer, *words: str) -> str:
    repository = str(server.root / REPO)
    done = subprocess.run(["git", "-C", repository, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_what_was_begun_is_taken_and_what_is_new_is_sent(body: Body, server: EmbeddedServer) -> None:
    body.remember("first")
    before = server.connections()
    result = body.sync()
    assert (result["outcome"], result["pushed"], result["attempts"]) == ("pushed", True, 1)
    assert server.connections() == before + 1
    assert tip(server) == result["head"]
    assert body.sync()["outcome"] == "unchanged"


def test_what_was_begun_by_another_note_is_not_taken(body: Body, server: EmbeddedServer) -> None:
    right = note(body).read_bytes()
    note(body).write_bytes(right.replace(b"--no-tags", b"--dry-run"))
    body.remember("second")
    assert body.sync()["pushed"]
    assert tip(server) == body.git("rev-parse", "main").strip()
    assert note(body).read_bytes() == right


def test_a_note_for_another_config_or_key_counts_for_nothing(body: Body) -> None:
    config = body.home / "config.toml"
    for changed in (config, body.home / "known_hosts"):
        before = changed.read_bytes()
        changed.write_bytes(before + b"# changed\n")
        assert early._noted(str(body.home)) is None
        changed.write_bytes(before)
        assert early._noted(str(body.home)) is not None
    (body.home / "id_ed25519").touch()
    assert early._noted(str(body.home)) is None
    body.sync()
    assert early._noted(str(body.home)) is not None


def test_nothing_is_begun_while_another_sync_runs(body: Body, server: EmbeddedServer) -> None:
    before = server.connections()
    with (body.home / "state" / "sync.lock").open("rb+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        body.fails(75, "sync")
    assert server.connections() == before


def test_nothing_is_begun_in_a_git_directory_that_was_made_a_trap(body: Body, tmp_path: Path) -> None:
    refs = body.soul / ".git" / "refs"
    refs.rename(tmp_path / "refs")
    refs.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir()
    body.fails(3, "sync")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    refs.unlink()
    (tmp_path / "refs").rename(refs)
    body.sync()


def test_a_push_beside_the_fetch_does_not_undo_a_rewind(body: Body, server: EmbeddedServer) -> None:
    """A plain push would be taken: what the remote went back to is in our history."""
    body.remember("third")
    body.sync()
    here = tip(server)
    git(server, "update-ref", "refs/heads/main", f"{here}^")
    body.remember("fourth")
    assert "rewritten" in body.fails(3, "sync")
    assert tip(server) == git(server, "rev-parse", f"{here}^")
    git(server, "update-ref", "refs/heads/main", here)
    assert body.sync()["pushed"]


def test_a_push_beside_the_fetch_yields_to_a_faster_body(body: Body, server: EmbeddedServer, tmp_path: Path) -> None:
    other = over_ssh(server, tmp_path / "other", "other")
    other.remember("theirs")
    other.sync()
    body.remember("ours")
    result = body.sync()
    assert (result["outcome"], result["pushed"]) == ("merged", True)
    assert {"ours", "theirs"} <= set(body.entries())


@pytest.mark.parametrize(
    ("argv", "home"),
    [
        (["sync"], "/base/kaoru"),
        (["sync", "--quiet", "--json"], "/base/kaoru"),
        (["--agent", "mari", "sync"], "/base/mari"),
        (["--home", "/else", "--agent", "mari", "sync", "--no-push"], "/else/mari"),
        (["--agent", "../mari", "sync"], None),
        (["--lang", "zh", "sync"], "/base/kaoru"),
    ],
)
def test_the_home_of_a_plain_sync(argv: list[str], home: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOULSYNC_HOME", "/base")
    monkeypatch.setenv("SOULSYNC_AGENT", "kaoru")
    words = plain_words.read(argv)
    assert words is not None
    assert early._home(words) == home


def test_a_contact_is_read_as_it_was_written() -> None:
    env = {"GIT_SSH_COMMAND": "ssh -o ControlPath=/run/soulsync-abc/s", "A": "x=y"}
    made = early.Contact(["git", "fetch"], env, "/soul", "/run/soulsync-abc")
    read = early.Contact.read(made.words(), "soulsync-def")
    assert read.words() == made.words()
    assert read.env["GIT_SSH_COMMAND"] == "ssh -o ControlPath=/run/soulsync-def/s"
    assert read.socket_folder == "/run/soulsync-def"
