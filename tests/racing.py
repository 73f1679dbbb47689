"""Bodies that race for the lease: each runs the same program under it, which notices when it is not alone."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.bodies import Body

ALONE = """\
import os, sys, time
folder, overlap = sys.argv[1], os.path.join(sys.argv[1], "overlaps")
try:
    os.close(os.open(os.path.join(folder, "inside"), os.O_CREAT | os.O_EXCL))
except FileExistsError:
    open(overlap, "a").write("x")
    sys.exit(9)
open(os.path.join(folder, "wins"), "a").write("x")
time.sleep(0.05)
os.unlink(os.path.join(folder, "inside"))
"""


@dataclass
class Race:
    """What came of it: how often a body won, how often two were inside at once, and every exit code."""

    wins: int = 0
    overlaps: int = 0
    codes: list[int] = field(default_factory=list)


def race(bodies: Sequence[Body], folder: Path, rounds: int) -> Race:
    """Let all bodies start ``lease run`` at once, ``rounds`` times."""
    folder.mkdir()
    result = Race()
    for _ in range(rounds):
        started = [b.start("lease", "run", "--", sys.executable, "-c", ALONE, str(folder)) for b in bodies]
        for process in started:
            process.communicate(timeout=120)
            result.codes.append(process.returncode)
    for name in ("wins", "overlaps"):
        file = folder / name
        setattr(result, name, len(file.read_text()) if file.exists() else 0)
    return result
