"""Long runs that try to lose a memory; each prints its figures and ends with 1 where something was lost."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from soak_lib import converge, crash, fuzz, writer

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

WRONG = ("lost", "doubled", "back", "stuck", "unsound", "apart", "unclear")
"""Figures that must be 0."""


def _crash(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    what = "kill a sync wherever it writes, renames or starts a program (Linux)"
    _strikes(commands.add_parser("crash", help=what), crash.KILLED)


def _disk(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    what = "let the disk be full from any write of a sync on (Linux, x86_64)"
    _strikes(commands.add_parser("disk", help=what), crash.FULL)


def _strikes(parser: argparse.ArgumentParser, how: str) -> None:
    parser.add_argument("--points", type=int, default=600, metavar="N", help="how many points, over all scenes")
    parser.add_argument("--only", action="append", metavar="SCENE", help="this scene; may be given again")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="worlds at a time")
    parser.set_defaults(how=how)
    _common(parser, crash.run)


def _converge(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("converge", help="random histories of 3 to 8 bodies with random clocks, until in step")
    parser.add_argument("--histories", type=int, default=1000, metavar="N", help="how many histories")
    _common(parser, converge.run)


def _fuzz(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("fuzz", help="random and mutated input for every parser and merge rule")
    parser.add_argument("--inputs", type=int, default=1_000_000, metavar="N", help="how many inputs")
    _common(parser, fuzz.run)


def _writer(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    what = "sync beside a program that reads, appends and rewrites the memories without a lock"
    parser = commands.add_parser("writer", help=what)
    parser.add_argument("--syncs", type=int, default=100, metavar="N", help="how many syncs, for each way of writing")
    parser.add_argument("--mode", action="append", choices=writer.WAYS, help="how the program writes (default: both)")
    _common(parser, writer.run)


def _common(parser: argparse.ArgumentParser, run: Callable[[argparse.Namespace], dict[str, Any]]) -> None:
    parser.add_argument("--seed", type=int, default=1, help="chooses what is left to chance")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


SOAKS = (_crash, _disk, _converge, _fuzz, _writer)


def main() -> int:
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="SOAK")
    for add in SOAKS:
        add(commands)
    options = parser.parse_args()
    figures = options.run(options)
    if options.json:
        print(json.dumps(figures, ensure_ascii=False, indent=2))
    else:
        for name, value in figures.items():
            print(f"{name:16} {value}")
    return 1 if any(figures.get(name) for name in WRONG) else 0


if __name__ == "__main__":
    sys.exit(main())
