"""How long soulsync takes, each figure beside a reference that is measured in the same run.

Every row gives the median, in brackets the minimum and the processor time (user and system, children included).
Reference and soulsync take turns, so that what else the machine does hits both.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench_lib import drivers, large, local, profile, rounds, stores, table
from bench_lib.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bench_lib.figure import Row

    Measure = Callable[[World, int], Iterator[Row]]

FIGURES: dict[str, Measure] = {
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
    "large": large.nothing,
    "clone": large.clone,
    "upkeep": large.upkeep,
    "list": stores.listed,
    "recall": stores.recalled,
    "scan": stores.scanned,
}
SMALL: dict[str, Measure] = {
    "many": partial(rounds.many, notes=5),
    "driver-entries": partial(drivers.entries, files=3),
    "driver-agent": partial(drivers.agent, files=3),
    "driver-newest": partial(drivers.newest, files=3),
    "growth": partial(local.growth, sizes=(100, 1000)),
    "large": partial(large.nothing, files=50, commits=100),
    "clone": partial(large.clone, files=50, commits=100),
    "upkeep": partial(large.upkeep, files=50, commits=100, loose=1000),
    "list": partial(stores.listed, memories=50),
    "recall": partial(stores.recalled, memories=50),
}
"""The same with little to do, to see that it works."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", action="append", choices=FIGURES, metavar="NAME", help=f"one of {', '.join(FIGURES)}")
    parser.add_argument("--rounds", type=int, default=7, help="how often each side is measured (default: 7)")
    parser.add_argument("--quick", action="store_true", help="one round of little work: only that it works")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--profile", action="store_true", help="show where a sync spends its time instead")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soulsync-bench-") as folder, World(Path(folder, "w")) as world:
        if options.profile:
            print(profile.report(world))
        else:
            _measure(world, options)
    return 0


def _measure(world: World, options: argparse.Namespace) -> None:
    chosen = {**FIGURES, **SMALL} if options.quick else FIGURES
    if not options.json:
        print(table.machine(), table.head(), sep="\n\n", flush=True)
    found = []
    for name in options.only or FIGURES:
        for row in chosen[name](world, 1 if options.quick else options.rounds):
            found.append(row.as_json())
            if not options.json:
                print(table.line(row), flush=True)
    if options.json:
        print(json.dumps({"machine": table.machine(), "figures": found}, indent=2))


if __name__ == "__main__":
    sys.exit(main())
