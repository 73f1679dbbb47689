"""A soul that grew for years: nothing to do in it, and the first clone of it."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from bench_lib.clock import FailedError, Sample, alternating
from bench_lib.figure import Figure
from bench_lib.world import Soul, World, git, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench_lib.figure import Row

FILES, COMMITS = 20_000, 50_000
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
    """Commits that each write one note, as ``git fast-import`` reads them; as packed as a server keeps them."""
    argv = ["git", "fast-import", "--quiet", "--done"]
    process = subprocess.Popen(argv, cwd=repository, stdin=subprocess.PIPE)
    if process.stdin is None:
        raise FailedError("git fast-import has no input")
    begin = int(git(repository, "log", "-1", "--format=%ct", "main"))
    with process.stdin as stream:
        for number in range(commits):
            note = number % files
            path, text = f"notes/{note // PER_FOLDER}/n{note}.md", f"# note {note}\n\nwritten in commit {number}\n"
            head = "commit refs/heads/main\ncommitter Kaoru (desk) <kaoru@desk.local> "
            origin = "from refs/heads/main^0\n" if number == 0 else ""
            stream.write(
                f"{head}{begin - commits + number} +0000\ndata 4\nnote\n{origin}"
                f"M 100644 inline {path}\ndata {len(text)}\n{text}\n".encode()
            )
        stream.write(b"done\n")
    if process.wait():
        raise FailedError("git fast-import failed")
    git(repository, "repack", "-q", "-a", "-d", "--write-bitmap-index")
