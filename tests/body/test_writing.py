"""Writing into the soul beside other programs: locked, whole, and nothing of theirs overwritten."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from soulsync.body import believed, memory
from soulsync.body.locks import sync_lock, worktree_lock
from soulsync.body.writing import writing
from soulsync.errors import BusyError, SoulSyncError
from tests.lived import MEMORY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.lived import Lived


def test_a_new_file_has_the_modes_of_the_umask_and_an_old_one_keeps_its_own(lived: Lived) -> None:
    before = os.umask(0o027)
    try:
        with writing(lived.home, lived.config) as writer:
            writer.change("notes/n.md", lambda _old: b"x\n")
    finally:
        os.umask(before)
    assert (lived.soul / "notes/n.md").stat().st_mode & 0o777 == 0o640
    (lived.soul / MEMORY).chmod(0o600)
    memory.add(lived.home, lived.config, "a")
    assert (lived.soul / MEMORY).stat().st_mode & 0o777 == 0o600


def test_nothing_is_left_in_the_staging_folder(lived: Lived) -> None:
    memory.add(lived.home, lived.config, "a")
    memory.add(lived.home, lived.config, "b")
    with writing(lived.home, lived.config) as writer:
        writer.change("notes/a/n.md", lambda _old: b"x\n")
        writer.move("notes/a/n.md", "notes/b/m.md")
    assert list((lived.soul / ".git/soulsync-writing").iterdir()) == []
    assert not (lived.soul / "notes/a").exists()
    assert lived.read("notes/b/m.md") == "x\n"


def test_what_a_program_without_a_lock_writes_meanwhile_is_merged(lived: Lived) -> None:
    memory.add(lived.home, lived.config, "old")

    def change(data: bytes | None) -> bytes:
        lived.write(MEMORY, "old\n§\nfrom elsewhere\n")
        return (data or b"") + "§\nours\n".encode()

    with writing(lived.home, lived.config) as writer:
        writer.change(MEMORY, change)
    assert set(memory.listed(lived.home, lived.config)) == {"old", "from elsewhere", "ours"}
    assert believed.is_believed(lived.home, MEMORY, (lived.soul / MEMORY).read_bytes())


def test_a_file_that_another_program_creates_meanwhile_is_read_again(lived: Lived) -> None:
    seen: list[bytes | None] = []

    def change(data: bytes | None) -> bytes:
        seen.append(data)
        if len(seen) == 1:
            lived.write("notes/n.md", "theirs\n")
        return (data or b"") + b"ours\n"

    with writing(lived.home, lived.config) as writer:
        writer.change("notes/n.md", change)
    assert seen == [None, b"theirs\n"]
    assert lived.read("notes/n.md") == "theirs\nours\n"


def test_a_move_never_overwrites_and_takes_late_words_along(lived: Lived) -> None:
    lived.write("notes/a.md", "a\n")
    lived.write("notes/b.md", "b\n")
    with writing(lived.home, lived.config) as writer:
        with pytest.raises(FileExistsError):
            writer.move("notes/a.md", "notes/b.md")
        with pytest.raises(SoulSyncError, match="on the way"):
            writer.move("notes/a.md", "notes/b.md/c.md")
        with pytest.raises(FileNotFoundError):
            writer.move("notes/never.md", "notes/c.md")
    assert (lived.read("notes/a.md"), lived.read("notes/b.md")) == ("a\n", "b\n")


@pytest.mark.parametrize("make", ["link", "folder link", "folder", "pipe"])
def test_what_is_no_plain_file_is_left_alone(lived: Lived, tmp_path: Path, make: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "n.md").write_text("private\n")
    place = lived.soul / "notes" / "x"
    if make == "folder link":
        place.symlink_to(outside)
    else:
        place.mkdir()
        n = place / "n.md"
        if make == "link":
            n.symlink_to(outside / "n.md")
        elif make == "pipe":
            os.mkfifo(n)
        else:
            n.mkdir()
    with writing(lived.home, lived.config) as writer, pytest.raises(SoulSyncError, match="no plain file"):
        writer.change("notes/x/n.md", lambda _old: b"ours\n")
    assert (outside / "n.md").read_text() == "private\n"


def test_binary_text_is_refused_since_it_would_never_be_committed(lived: Lived) -> None:
    with pytest.raises(SoulSyncError, match="NUL"):
        memory.add(lived.home, lived.config, "a\0b")
    assert lived.read(MEMORY) == ""


def test_the_network_is_not_waited_for_and_a_writer_is(lived: Lived, monkeypatch: pytest.MonkeyPatch) -> None:
    with sync_lock(lived.home):
        assert memory.add(lived.home, lived.config, "while a sync talks to the server")
    monkeypatch.setattr("soulsync.body.locks.WRITER_PATIENCE", 0.3)
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with worktree_lock(lived.home):
            held.set()
            done.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(10)
    with pytest.raises(BusyError):
        memory.add(lived.home, lived.config, "too late")
    done.set()
    thread.join()
    assert memory.listed(lived.home, lived.config) == ["while a sync talks to the server"]


def test_what_a_killed_command_left_is_swept_and_no_sync_sweeps_what_is_being_written(lived: Lived) -> None:
    staging = lived.soul / ".git/soulsync-writing"
    staging.mkdir()
    for name in ("cut-short.part", "kept"):
        (staging / name).write_text("x")
    lived.sync()
    assert (staging / "cut-short.part").exists()
    memory.add(lived.home, lived.config, "a")
    assert [file.name for file in staging.iterdir()] == ["kept"]
