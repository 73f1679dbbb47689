"""Pipes, sockets, folders and closed files where soulsync keeps its own: one line each, and never a wait."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from soulsync.body.home import Home
from soulsync.body.own_files import refuse_odd
from soulsync.body.state import Status
from soulsync.errors import SoulSyncError
from soulsync.repo.intent import Intent

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.bodies import Body

FILES = (
    "config.toml", "known_hosts", "sync.log", "id_ed25519.pub", "state/sync.lock", "state/worktree.lock",
    "state/known.json", "state/status.json", "state/checkout.json", "state/git/config", "state/git/HEAD",
    "state/git/info/exclude",
)  # fmt: skip


def bind(path: Path) -> None:
    """Leave a socket at ``path``; its address is short, however deep the folder is."""
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(path.parent)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.fchdir(here)
        os.close(here)


KINDS: dict[str, Callable[[Path], None]] = {"pipe": os.mkfifo, "folder": os.mkdir, "socket": bind}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FILES)
def test_what_is_no_file_is_named(name: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "state/git/info").mkdir(parents=True)
    KINDS[kind](tmp_path / name)
    with pytest.raises(SoulSyncError, match="is in the place of something"):
        refuse_odd(tmp_path)


@pytest.mark.parametrize("name", ["state", "state/git", "state/believed", "state/recovery"])
@pytest.mark.parametrize("kind", [os.mkfifo, lambda path: path.touch()], ids=["pipe", "file"])
def test_what_is_no_folder_is_named(name: str, kind: Callable[[Path], None], tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    kind(tmp_path / name)
    with pytest.raises(SoulSyncError, match="is in the place of something"):
        refuse_odd(tmp_path)


def test_what_we_make_ourselves_and_links_to_plain_files_are_fine(one: Body) -> None:
    (one.home / "config.toml").rename(one.home / "dotfiles.toml")
    (one.home / "config.toml").symlink_to("dotfiles.toml")
    one.sync()
    refuse_odd(one.home)


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.toml").touch(mode=0)
    child = os.fork()  # root reads everything, so the child is nobody, and stands where it may look
    if child == 0:
        said = ""
        try:
            os.chdir(tmp_path)
            if os.geteuid() == 0:
                os.chown(".", 65534, 65534)
                os.setuid(65534)
            refuse_odd(Path())
        except SoulSyncError as e:
            said = str(e)
        finally:
            os._exit("can't be read" in said and "chmod" in said)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


@pytest.mark.parametrize(
    "name", ["config.toml", "state/status.json", "state/sync.lock", "state/git/config", "sync.log"]
)
def test_a_pipe_stops_a_sync_at_once_and_the_next_one_goes_on(name: str, one: Body) -> None:
    kept = one.home / "kept"
    (one.home / name).rename(kept)
    os.mkfifo(one.home / name)
    assert name in one.fails(1, "sync")
    assert name in one.fails(1, "status")
    kept.replace(one.home / name)
    assert one.sync()["error"] is None


def test_init_names_it_too(one: Body) -> None:
    (one.home / "state/known.json").unlink()
    os.mkfifo(one.home / "state/known.json")
    assert "known.json" in one.fails(1, "init", one.url or "", "--body", "one")


def test_a_store_in_the_place_of_a_link_of_ours_is_named(one: Body) -> None:
    link = one.home / "state/git/objects"
    link.unlink()
    link.mkdir()
    assert "objects" in one.fails(1, "sync")
    link.rmdir()
    one.sync()


@pytest.mark.parametrize(
    "data", [b"[" * 100_000, b'{"old": 5, "new": "x", "staged": {}}', b'{"old": null, "new": "x", "staged": {"a": 1}}']
)
def test_a_damaged_note_or_memory_is_none(data: bytes, tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.make()
    (home.state / "status.json").write_bytes(data)
    assert Status.load(home) == Status()
    (home.state / "checkout.json").write_bytes(data)
    assert Intent(home.state / "checkout.json").read() is None
