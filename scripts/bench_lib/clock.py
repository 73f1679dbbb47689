"""How long a program took, by the clock and by the processors, with the memory that it needed at its peak."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

_PER_KILOBYTE = 1024 if sys.platform == "darwin" else 1
"""macOS gives ``ru_maxrss`` in bytes, Linux in kilobytes."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One run: ``wall`` seconds, ``cpu`` seconds (user and system, with all children), ``peak`` memory in MB.

    The peak is that of the largest process, as the system counts it.
    """

    wall: float
    cpu: float = 0.0
    peak: float = 0.0

    def __add__(self, other: Sample) -> Sample:
        return Sample(self.wall + other.wall, self.cpu + other.cpu, max(self.peak, other.peak))


class FailedError(Exception):
    """A program that had to succeed did not."""


def timed(argv: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> Sample:
    """Run a program to its end. Raises ``FailedError`` with what it said when its status is not 0."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    # Not to its end: what a program leaves in the background may hold the pipe.
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.stderr is not None:
        os.set_blocking(process.stderr.fileno(), False)
        said = process.stderr.read() or b""
        process.stderr.close()
    if process.returncode:
        raise FailedError(f"{' '.join(argv)}: {process.returncode}: {said.decode('utf-8', 'replace').strip()}")
    return Sample(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / _PER_KILOBYTE / 1024)


def called(function: Callable[[], object]) -> Sample:
    """Call a function of this process."""
    begun, cpu = time.perf_counter(), time.process_time()
    function()
    return Sample(time.perf_counter() - begun, time.process_time() - cpu)


def alternating(
    rounds: int, reference: Callable[[], Sample], ours: Callable[[], Sample]
) -> tuple[list[Sample], list[Sample]]:
    """Measure both in turn, so that what else the machine does hits both; one run of each before is not counted."""
    if rounds > 1:
        reference()
        ours()
    pairs = [(reference(), ours()) if number % 2 else (ours(), reference())[::-1] for number in range(rounds)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def middle(samples: Iterable[Sample], of: str) -> float:
    """The median of one measure."""
    return float(median(getattr(sample, of) for sample in samples))


def least(samples: Iterable[Sample], of: str) -> float:
    """The minimum of one measure: on a busy machine nearer to what the program itself needs."""
    return float(min(getattr(sample, of) for sample in samples))
