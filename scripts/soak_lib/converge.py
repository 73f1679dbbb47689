"""Random histories of 3 to 8 bodies with random clocks, until all are in step; see ``tests/convergence.py``."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.convergence import Pattern, play

if TYPE_CHECKING:
    import argparse


def run(options: argparse.Namespace) -> dict[str, Any]:
    """``options.histories`` histories, the first with ``options.seed``, each with the next number."""
    started = time.monotonic()
    apart: list[int] = []
    lost: dict[int, list[str]] = {}
    with tempfile.TemporaryDirectory(prefix="converge-") as folder:
        patterns = [Pattern(Path(folder, f"pattern{count}"), count) for count in (3, 4, 5, 8)]
        for seed in range(options.seed, options.seed + options.histories):
            chance = random.Random(seed)
            with tempfile.TemporaryDirectory(dir=folder) as world:
                try:
                    faults = play(chance.choice(patterns), Path(world), seed, steps=chance.randint(3, 12))
                except Exception as fault:  # a sync that raises is a finding like others
                    faults = [repr(fault)]
            if faults and faults[0].startswith("apart"):
                apart.append(seed)
            elif faults:
                lost[seed] = faults
    return {
        "histories": options.histories,
        "seconds": round(time.monotonic() - started, 1),
        "apart": len(apart),
        "lost": len(lost),
        "seeds": [*apart, *lost],
        "faults": {str(seed): faults[:3] for seed, faults in lost.items()},
    }
