"""Random and mutated input for every parser and every merge rule: nothing may raise, nothing may take long."""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.fuzzing import SLOW, Mutator, feed

if TYPE_CHECKING:
    import argparse


def run(options: argparse.Namespace) -> dict[str, Any]:
    """``options.inputs`` inputs made from ``options.seed``; those that raised are printed as they are."""
    mutator = Mutator(random.Random(options.seed))
    started = time.monotonic()
    raised: Counter[str] = Counter()
    examples: list[str] = []
    slow = 0
    for _ in range(options.inputs):
        files, sides = mutator.files(), mutator.sides()
        begun = time.monotonic()
        try:
            feed(files, sides)
        except Exception as fault:
            raised[type(fault).__name__] += 1
            if len(examples) < 5:
                examples.append(f"{fault!r}: {[data and data[:200] for data in files]!r}")
        slow += time.monotonic() - begun > SLOW
    seconds = time.monotonic() - started
    return {
        "inputs": options.inputs,
        "seconds": round(seconds, 1),
        "per_second": round(options.inputs / max(seconds, 0.001)),
        "unsound": sum(raised.values()),
        "stuck": slow,
        "raised": dict(raised),
        "examples": examples,
    }
