"""How long soulsync takes, each figure beside a reference that is measured in the same run."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench_lib import drivers, local, rounds
from bench_lib.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bench_lib.figure import Row

FIGURES: dict[str, Callable[[World, int], Iterator[Row]]] = {
    "nothing": rounds.nothing,
    "one": rounds.one,
    "both": rounds.both,
    "many": rounds.many,
    "driver-entries": drivers.entries,
    "driver-agent": drivers.agent,
    "driver-newest": drivers.newest,
    "status": local.status,
    "growth": local.growth,
    "memory": local.memory,
    "processes": local.processes,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--only", action="append", choices=FIGURES, metavar="NAME", help="this figure; may be repeated")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soulsync-bench-") as folder, World(Path(folder, "w")) as world:
        for name in options.only or FIGURES:
            for row in FIGURES[name](world, options.rounds):
                print(row.row(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
