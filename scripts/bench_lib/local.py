"""What needs no server: ``status``, merging in memory, the memory that a sync takes, the processes that it starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench_lib.clock import FailedError, Sample, alternating, called, least, middle, timed
from bench_lib.figure import Bound, Figure
from bench_lib.world import ROOT, World, run
from soulsync.merge.result import Sides
from soulsync.merge.rules import merge_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trial.machine import Machine, Ours

    from bench_lib.figure import Row

SIZES = (1_000, 10_000, 100_000)
PEAK = Path(__file__).with_name("peak.py")


def status(world: World, rounds: int) -> Iterator[Row]:
    """``soulsync status``."""
    soul = world.soul()
    python = ("-c", "pass")

    def theirs() -> Sample:
        return run(soul.ours, "git", "status") + run(soul.ours, sys.executable, *python)

    reference, ours = alternating(rounds, theirs, lambda: run(soul.ours, soul.ours.PROGRAM, "status"))
    yield Figure("status", "soulsync status", "git status + python -c pass", 3, reference, ours)


def growth(world: World, rounds: int, sizes: tuple[int, ...] = SIZES) -> Iterator[Row]:
    """The merge of two memories files of many entries; by processor time, which is all that it takes."""
    small, large = sizes[0], sizes[-1]
    texts = {size: _texts(size) for size in sizes}
    samples = {size: [called(partial(_merge, texts[size])) for _ in range(rounds)] for size in sizes}
    splits = {size: [called(partial(_split, texts[size])) for _ in range(rounds)] for size in sizes}
    more = {str(size): round(middle(samples[size], "cpu"), 6) for size in sizes}
    floor = f"only cutting the texts into lines: {_growth(splits, small, large):.2f} ×"
    what = f"merge of {small:,} to {large:,} entries, time per entry ({floor})"
    yield Bound("growth", what, _growth(samples, small, large), 1.2, "×", more)
    yield Bound("entries", f"merge of {large:,} entries", middle(samples[large], "wall"), 1.0, "s")
    driven = {size: [_drive(world.folder, texts[size]) for _ in range(rounds)] for size in (small, large)}
    what = f"the same by the merge driver as git starts it ({middle(driven[large], 'wall'):.2g} s)"
    yield Bound("growth-driver", what, _growth(driven, small, large), 1.2, "×")


def _growth(samples: dict[int, list[Sample]], small: int, large: int) -> float:
    return least(samples[large], "cpu") / least(samples[small], "cpu") / (large / small)


def _split(texts: list[bytes]) -> list[list[str]]:
    return [text.decode().split("\n") for text in texts]


def _merge(texts: list[bytes]) -> object:
    return merge_file("soul-entries", "memories/MEMORY.md", texts[0], texts[1], texts[2], Sides())


def _drive(folder: Path, texts: list[bytes]) -> Sample:
    """One run of the merge driver, as ``install`` writes it into git's config."""
    files = [folder / name for name in ("base", "ours", "theirs")]
    for file, text in zip(files, texts, strict=True):
        file.write_bytes(text)
    start = ROOT / "soulsync" / "start.py"
    argv = [sys.executable, "-I", "-S", str(start), "merge", "soul-entries", *map(str, files), "memories/MEMORY.md"]
    return timed(argv, cwd=folder, env=os.environ)


def _texts(size: int) -> list[bytes]:
    base = [f"fact {number} of many that an agent keeps" for number in range(size)]
    ours = [*base[: size // 2], "one of ours", *base[size // 2 + 1 :], "last of ours"]
    theirs = ["first of theirs", *base[: size // 3], *base[size // 3 + 2 :]]
    return ["\n§\n".join(side).encode() for side in (base, ours, theirs)]


def memory(world: World, rounds: int) -> Iterator[Row]:
    """The largest process of a sync that has nothing to do."""
    soul = world.soul()
    reference = [peak(soul.ours, sys.executable, "-c", "pass") for _ in range(rounds)]
    ours = [peak(soul.ours, soul.ours.PROGRAM, "sync", "--quiet") for _ in range(rounds)]
    yield Figure("memory", "peak memory of a no-op sync", "python -c pass", 4, reference, ours, "peak")


def peak(machine: Machine, *argv: str) -> Sample:
    """The peak of a program's memory; its times are not taken."""
    launcher = [sys.executable, "-I", "-S", str(PEAK), *argv]
    done = subprocess.run(launcher, cwd=machine.tree, env=machine.env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise FailedError(f"{' '.join(argv)}: {done.stderr.strip()}")
    return Sample(0.0, peak=int(done.stdout) / 1024)


def processes(world: World, _rounds: int) -> Iterator[Row]:
    """What a sync that has nothing to do starts, git's own children included, and how often it connects."""
    soul = world.soul()
    before = world.server.connections()
    starts = [event["argv"] for event in _traced(soul.ours, world.folder / "traced") if event["event"] == "start"]
    started = [next(word for word in argv[1:] if not word.startswith("-")) for argv in starts]
    yield Bound("processes", "git processes of a no-op sync", len(started), 4, "", {"commands": started})
    yield Bound("connections", "ssh connections of a no-op sync", world.server.connections() - before, 1, "")


def _traced(machine: Ours, folder: Path) -> Iterator[dict[str, Any]]:
    """The events of every git that a sync starts; a small git of ours on the PATH asks the real one to tell them."""
    shims = folder / "bin"
    shims.mkdir(parents=True)
    real = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, text=True, check=True).stdout.strip()
    shim = shims / "git"
    shim.write_text(f'#!/bin/sh\nGIT_TRACE2_EVENT={folder}/events export GIT_TRACE2_EVENT\nexec {real} "$@"\n', "utf-8")
    shim.chmod(0o755)
    subprocess.run(
        [machine.PROGRAM, "sync", "--quiet"],
        cwd=machine.tree, env={**machine.env, "PATH": f"{shims}:{machine.env['PATH']}"}, check=True,
    )  # fmt: skip
    for line in (folder / "events").read_text("utf-8").splitlines():
        yield json.loads(line)
