"""A soul that grew for years: nothing to do in it, the first clone of it, and its upkeep."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

from bench_lib.clock import FailedError, Sample, alternating
from bench_lib.figure import Figure
from bench_lib.world import Soul, World, git, run
from soulsync.body import config
from soulsync.body import upkeep as weekly
from soulsync.body.home import Home
from soulsync.body.opened import open_soul

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bench_lib.figure import Row

FILES, COMMITS, LOOSE = 20_000, 50_000, 1_000
PER_FOLDER = 200


def nothing(world: World, rounds: int, files: int = FILES, commits: int = COMMITS) -> Iterator[Row]:
    """Nothing to do, beside the same in the small soul."""
    soul, small = _grown(world, files, commits), world.soul()
    theirs, ours = alternating(rounds, small.sync, soul.sync)
    what = f"sync, nothing to do, {files:,} files and {commits:,} commits"
    yield Figure("large", what, "the same in the small soul", 1.5, theirs, ours)


def clone(world: World, rounds: int, files: int = FILES, commits: int = COMMITS) -> Iterator[Row]:
    """The first clone, which ``soulsync init`` makes; the key is made and known before."""
    soul = _grown(world, files, commits)
    folders = iter(range(1000))

    def theirs() -> Sample:
        target = soul.plain.home / f"clone{next(folders)}"
        sample = run(soul.plain, "git", "clone", "-q", soul.world.server.url(soul.copy.name), str(target))
        shutil.rmtree(target)
        return sample

    def ours() -> Sample:
        body = soul.known_body(f"clone{next(folders)}")
        argv = ("init", soul.url, "--agent", "kaoru", "--body", body.body, "--display-name", "Kaoru")
        sample = run(body, body.PROGRAM, *argv)
        shutil.rmtree(body.home)
        return sample

    reference, measured = alternating(rounds, theirs, ours)
    yield Figure("clone", f"first clone of {files:,} files", "git clone", 1.15, reference, measured)


def upkeep(world: World, rounds: int, files: int = FILES, commits: int = COMMITS, loose: int = LOOSE) -> Iterator[Row]:
    """The weekly repack of what a week of syncs left, beside ``git gc`` in a clone with the same."""
    soul = _grown(world, files, commits)
    home = Home(soul.ours.folder)
    engine = open_soul(home, config.load(home))
    numbers = iter(range(1000))

    def theirs() -> Sample:
        _write_loose(soul.plain.tree, next(numbers), loose)
        return run(soul.plain, "git", "gc", "-q")

    def ours() -> Sample:
        _write_loose(soul.ours.tree, next(numbers), loose)
        (home.state / "upkeep").unlink(missing_ok=True)
        return _waited(lambda: weekly.begin(home, engine))

    reference, measured = alternating(rounds, theirs, ours)
    what = f"weekly repack, {6 * loose:,} loose objects, {commits:,} commits"
    yield Figure("upkeep", what, "git gc", 1, reference, measured)


def _waited(begin: Callable[[], int | None]) -> Sample:
    """Time a process that is begun in the background."""
    begun = time.perf_counter()
    pid = begin()
    if pid is None:
        raise FailedError("there was nothing to do")
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise FailedError(f"the repack ended with status {status}")
    return Sample(time.perf_counter() - begun, usage.ru_utime + usage.ru_stime)


def _grown(world: World, files: int, commits: int) -> Soul:
    """The soul of that size; its history is written straight into the repository, before its copy is made."""
    soul = world.soul("large")
    if soul.copy.exists():
        return soul
    _write_history(soul.remote, files, commits)
    soul.sync()
    soul.sync()
    soul.plain.git("status")
    return soul


def _write_history(repository: Path, files: int, commits: int) -> None:
    """Commits that each write one note; as packed as a server keeps them."""
    _import(repository, "refs/heads/main", files, commits)
    git(repository, "repack", "-q", "-a", "-d", "--write-bitmap-index")


def _write_loose(tree: Path, number: int, commits: int) -> None:
    """A commit, four trees and a note for each of ``commits``, unpacked as a sync leaves them, on their own ref."""
    ref = f"refs/bench/{number}"
    git(tree, "update-ref", ref, "main")
    _import(tree, ref, commits, commits, f"loose/{number}", "-c", "fastimport.unpackLimit=1000000")


def _import(repository: Path, ref: str, files: int, commits: int, folder: str = "notes", *options: str) -> None:
    """Let ``git fast-import`` add commits to ``ref`` that each write one of ``files`` notes."""
    argv = ["git", *options, "fast-import", "--quiet", "--done"]
    process = subprocess.Popen(argv, cwd=repository, stdin=subprocess.PIPE)
    if process.stdin is None:
        raise FailedError("git fast-import has no input")
    begin = int(git(repository, "log", "-1", "--format=%ct", ref))
    with process.stdin as stream:
        for number in range(commits):
            note = number % files
            path = f"{folder}/{note // PER_FOLDER}/n{note}.md"
            text = f"# {path}\n\nwritten in commit {number}\n"
            head = f"commit {ref}\ncommitter Kaoru (desk) <kaoru@desk.local> "
            origin = f"from {ref}^0\n" if number == 0 else ""
            stream.write(
                f"{head}{begin - commits + number} +0000\ndata 4\nnote\n{origin}"
                f"M 100644 inline {path}\ndata {len(text)}\n{text}\n".encode()
            )
        stream.write(b"done\n")
    if process.wait():
        raise FailedError("git fast-import failed")
