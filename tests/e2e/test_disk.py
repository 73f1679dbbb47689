"""A disk that is full, or that can't be written: nothing is cut short, nothing short is pushed, one line says why."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import subprocess
from functools import partial
from typing import TYPE_CHECKING

import pytest

from soulsync.repo.soul import Soul
from tests.bodies import LIMIT, Body, assert_in_step, git, in_turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.bodies import Remote

SIZE = 8 << 20
PAGE = 4096
WORDS = ("tea", "cat", "Kyoto")


class Disk:
    """Where the body ``two`` lives, with room for ``room`` more bytes when it runs.

    A small file system of its own where this user may mount one; else a limit for the size of any file, which a write
    meets in the same way (EFBIG instead of ENOSPC, and git is ended by SIGXFSZ).
    """

    def __init__(self, folder: Path, *, mounted: bool) -> None:
        self.folder, self.mounted = folder, mounted
        self.filler = folder / "filler"

    def run(self, body: Body, room: int, *words: str) -> subprocess.CompletedProcess[str]:
        limit = None if self.mounted else partial(resource.setrlimit, resource.RLIMIT_FSIZE, (room, room))
        if self.mounted:
            self._fill(room)
        try:
            return subprocess.run(
                body.argv(*words), env=body.env, cwd=body.folder, capture_output=True, text=True, preexec_fn=limit,
                stdin=subprocess.DEVNULL, timeout=LIMIT, check=False,
            )  # fmt: skip
        finally:
            self.filler.unlink(missing_ok=True)

    def _fill(self, room: int) -> None:
        free = os.statvfs(self.folder).f_bavail * PAGE
        with self.filler.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, free - room)


def may_mount(folder: Path) -> bool:
    words = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    return os.geteuid() == 0 and subprocess.run(words, capture_output=True, check=False).returncode == 0


@pytest.fixture
def disk(two: Body, tmp_path: Path) -> Iterator[Disk]:
    """The body ``two`` on a disk that can be full."""
    aside = tmp_path / "aside"
    two.folder.rename(aside)
    two.folder.mkdir()
    mounted = may_mount(two.folder)
    shutil.copytree(aside, two.folder, symlinks=True, dirs_exist_ok=True)
    yield Disk(two.folder, mounted=mounted)
    if mounted:
        subprocess.run(["umount", str(two.folder)], check=True)


def noise(name: str, size: int) -> str:
    """Text that no compression makes much smaller."""
    chooser = random.Random(name)
    return f"# {name}\n\n" + "".join(chooser.choice("abcdefghijklmnopqrstuvwxyz\n") for _ in range(size))


def refused(done: subprocess.CompletedProcess[str]) -> bool:
    """Whether the run failed, as it should: one line, exit code 1."""
    if done.returncode == 0:
        return False
    assert done.returncode == 1, (done.returncode, done.stdout, done.stderr)
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("soulsync: ")
    assert "soulsync:" not in done.stdout
    return True


def rooms(disk: Disk) -> list[int]:
    if disk.mounted:
        return [PAGE * pages for pages in (0, 1, 2, 4, 8, 12, 16, 20, 28, 40, 60)]
    return [1, 60, 200, 400, 1000, 2000, 5000, 12000, 30000, 50000]


def test_a_full_disk_cuts_nothing_short(one: Body, two: Body, disk: Disk, remote: Remote) -> None:
    one.remember(*WORDS)
    one.write("notes/theirs.md", noise("theirs", 50_000))
    two.remember("mine")
    two.write("notes/mine.md", noise("mine", 20_000))
    in_turn(one)
    failures = []
    for room in rooms(disk):
        done = disk.run(two, room, "sync")
        if refused(done):
            failures.append(done.stderr)
        assert "mine" in two.entries()
        assert set(two.entries()) <= {*WORDS, "mine"}
        assert two.read("notes/mine.md") == noise("mine", 20_000)
        assert not two.exists("notes/theirs.md") or two.read("notes/theirs.md") == noise("theirs", 50_000)
        remote.git("fsck", "--full", "--strict")
        assert remote.git("show", "main:notes/theirs.md") + "\n" == noise("theirs", 50_000).rstrip("\n") + "\n"
    assert len(failures) >= 3, failures
    in_turn(two, one)
    assert_in_step(one, two)
    assert sorted(two.entries()) == sorted([*WORDS, "mine"])
    assert one.read("notes/mine.md") == noise("mine", 20_000)
    two.git("fsck", "--full", "--strict")


@pytest.mark.parametrize("words", [("memory", "add", "more " * 100), ("note", "write", "title", "text " * 100)])
def test_a_command_that_writes_on_a_full_disk_changes_nothing(
    words: tuple[str, ...], one: Body, two: Body, disk: Disk
) -> None:
    two.remember(*WORDS)
    before = two.read("memories/MEMORY.md")
    assert refused(disk.run(two, 0 if disk.mounted else 1, *words))
    assert two.read("memories/MEMORY.md") == before
    two.ok(*words)
    two.sync()
    assert two.clean()


def test_init_on_a_full_disk_is_completed_when_there_is_room(two: Body, disk: Disk, remote: Remote) -> None:
    third = remote.body(two.folder / "third", "third")
    codes = [
        disk.run(third, room, "init", remote.url, "--body", "third").returncode
        for room in ((0, 40960, 80000, 120000, 200000) if disk.mounted else (1, 30, 300, 600, 3000))
    ]
    assert codes[0] == 1
    assert set(codes) <= {0, 1}
    third.init()
    third.sync()
    git(third.soul, "fsck", "--full", "--strict")
    assert third.clean()


def test_a_file_system_that_is_read_only_is_told_and_nothing_changes(two: Body, disk: Disk) -> None:
    two.remember(*WORDS)
    if disk.mounted:
        subprocess.run(["mount", "-o", "remount,ro", str(two.folder)], check=True)
        closed_to_us, done = True, two.run("sync")
        subprocess.run(["mount", "-o", "remount,rw", str(two.folder)], check=True)
    else:
        closed = [two.home, two.home / "state", two.soul, two.soul / ".git", two.soul / ".git/objects"]
        for folder in closed:
            folder.chmod(0o500)
        closed_to_us, done = not os.access(two.home, os.W_OK), two.run("sync")  # root writes all the same
        for folder in closed:
            folder.chmod(0o700)
    if closed_to_us:
        assert refused(done)
    assert two.entries() == list(WORDS)
    assert two.sync()["outcome"] in ("pushed", "unchanged")
    assert two.clean()


def test_what_is_fetched_and_named_is_on_disk_before_git_goes_on(one: Body, tmp_path: Path) -> None:
    """Power may fail at any moment (git 2.36 counts what it flushed in its trace)."""
    one.write("notes/n.md", noise("n", 1000))
    one.sync()
    soul = Soul(one.soul, one.home / "state" / "git")
    pack = soul.git.run("pack-objects", "--all", "--stdout", input=b"").out
    for number, words in enumerate((("index-pack", "--stdin"), ("unpack-objects", "-q"), ("update-ref", "--stdin"))):
        trace = tmp_path / f"trace{number}"
        data = b"update refs/soulsync/test HEAD\n" if words[0] == "update-ref" else pack
        other = {"GIT_OBJECT_DIRECTORY": str(tmp_path / "objects")} if words[0] == "unpack-objects" else {}
        (tmp_path / "objects").mkdir(exist_ok=True)
        soul.git.run(*words, input=data, extra_env={"GIT_TRACE2_EVENT": str(trace), **other})
        events = [json.loads(line) for line in trace.read_text().splitlines()]
        flushed = [int(e["value"]) for e in events if e.get("key") == "fsync/hardware-flush"]
        assert sum(flushed) > 0, words
