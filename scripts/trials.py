"""What two machines do to one memory: every trial with plain git and with soulsync, and what came of it."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trial import cases
from trial.machine import line
from trial.soak import Soak
from trial.verdict import Faults
from trial.world import SECOND, World

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

PLAIN, OURS = "plain git", "soulsync"
WIDTH = 80
AT_ONCE = 2
"""Worlds at a time: each is mostly one process after the other."""
_COLUMNS = (4, 31, 27)
"""Widths of the first three columns; the fourth has the rest."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial by its ``name``; ``world`` are the arguments of the World it happens in."""

    name: str
    what: str
    deed: Callable[[World, Faults], None] = cases.nothing
    world: dict[str, Any] = field(default_factory=dict)


TRIALS = (
    Trial("1", "both add an entry", cases.both_add, {"ssh": True}),
    Trial("2", "both edit the same entry", cases.both_edit),
    Trial("3a", "note deleted, then edited", cases.deleted_then_edited),
    Trial("3b", "note edited, then deleted", cases.edited_then_deleted),
    Trial("4", "both create the same note", cases.both_create),
    Trial("5", "edits offline, later online", cases.offline, {"ssh": True}),
    Trial("6", "overtaken before the push", cases.overtaken, {"ssh": True}),
    Trial("7", "five syncs at once", cases.five_at_once),
    Trial("8", "forgotten / neighbour edited", cases.forgotten),
    Trial("9", "two fields of agent.json", cases.two_fields),
    Trial("10", "index.lock left behind", cases.lock_left),
    Trial("11", "server accepts, then silent", cases.silent_server, {"ssh": True}),
    Trial("12", "inline §, both add entries", cases.inline_sign, {"start": (cases.INLINE, SECOND)}),
    Trial("13", "two machines of one name", cases.one_name, {"bodies": ("laptop", "laptop")}),
)


@dataclass(slots=True)
class Verdict:
    """``ok``, or the ``faults`` in a few words each; ``note`` says more."""

    faults: list[str]
    note: str = ""

    @property
    def ok(self) -> bool:
        """Whether everything wanted is so."""
        return not self.faults


def main(argv: list[str] | None = None) -> int:
    """Run the trials; 0 when soulsync passes every one of them."""
    options = _options(argv)
    only = set(options.only.split(",")) if options.only else None
    if only and (strange := only - {*(trial.name for trial in TRIALS), "S"}):
        print(f"trials: there is no trial {', '.join(sorted(strange))}", file=sys.stderr)
        return 2
    chosen = [trial for trial in TRIALS if only is None or trial.name in only]
    if not options.json:
        _head(options)
    rows = []
    with tempfile.TemporaryDirectory(prefix="soulsync-trials-") as name, ThreadPoolExecutor(AT_ONCE) as pool:
        folder = Path(name)
        played = [(trial, _both(pool, partial(_play, trial, folder, options))) for trial in chosen]
        if only is None or "S" in only:
            what = f"3 bodies, {options.rounds} rounds"
            played.append((Trial("S", what), _both(pool, partial(_soak, folder, options))))
        for trial, verdicts in played:
            rows.append(_row(trial, {kind: future.result() for kind, future in verdicts.items()}, options.json))
    ok = all(row[OURS]["ok"] for row in rows)
    if options.json:
        print(json.dumps({"ok": ok, "seed": options.seed, "rounds": options.rounds, "trials": rows}, indent=2))
    else:
        passed = [sum(row[kind]["ok"] for row in rows) for kind in (OURS, PLAIN)]
        print(f"\nOf {len(rows)} trials soulsync passes {passed[0]}, plain git {passed[1]}.", flush=True)
    return 0 if ok else 1


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/trials", description=__doc__)
    parser.add_argument("--rounds", type=int, default=100, help="rounds of trial S (default: 100)")
    parser.add_argument("--quick", dest="rounds", action="store_const", const=15, help="15 rounds of trial S")
    parser.add_argument("--seed", type=int, default=1, help="what the bodies of trial S do (default: 1)")
    parser.add_argument("--only", metavar="1,3a,S", help="run only these")
    parser.add_argument("--rebase", action="store_true", help="let plain git pull by rebase instead of by merge")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser.parse_args(argv)


def _both(pool: ThreadPoolExecutor, play: Callable[[str], Verdict]) -> dict[str, Future[Verdict]]:
    return {kind: pool.submit(play, kind) for kind in (PLAIN, OURS)}


def _play(trial: Trial, folder: Path, options: argparse.Namespace, kind: str) -> Verdict:
    found = Faults()
    world = World(folder / f"{trial.name}-{kind[:2]}", ours=kind == OURS, rebase=options.rebase, **trial.world)
    try:
        trial.deed(world, found)
    finally:
        world.close()
    return Verdict(found.found)


def _soak(folder: Path, options: argparse.Namespace, kind: str) -> Verdict:
    found = Faults()
    world = World(folder / f"S-{kind[:2]}", ours=kind == OURS, rebase=options.rebase, bodies=("a", "b", "c"))
    try:
        soak = Soak(world, options.seed)
        soak.run(options.rounds, _progress(kind, options.rounds))
        note = soak.judge(found)
    finally:
        world.close()
    return Verdict(found.found, note)


def _progress(kind: str, rounds: int) -> Callable[[int], None]:
    def tell(number: int) -> None:
        if sys.stderr.isatty():
            end = "\r" if number < rounds else "\r" + " " * 40 + "\r"
            print(f"S, {kind}: round {number} of {rounds}", end=end, file=sys.stderr, flush=True)

    return tell


def _head(options: argparse.Namespace) -> None:
    print("Two machines, one remote, one memory. “ok”: both machines and the remote hold")
    print("one tree, nothing is lost, fused or back again, every exit code tells the truth,")
    print("and nobody had to help. The sync of plain git is, in each machine's clone:")
    print(f"  {line('--rebase' if options.rebase else '--no-rebase')}\n")
    _print_row("", "what happens", PLAIN, OURS)
    print("-" * WIDTH)


def _row(trial: Trial, verdicts: dict[str, Verdict], quiet: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"trial": trial.name, "what": trial.what}
    for kind, verdict in verdicts.items():
        row[kind] = {"ok": verdict.ok, "faults": verdict.faults, "note": verdict.note}
    if not quiet:
        _print_row(trial.name, trial.what, _words(verdicts[PLAIN]), _words(verdicts[OURS]))
    return row


def _words(verdict: Verdict) -> str:
    if verdict.ok:
        return f"ok: {verdict.note}" if verdict.note else "ok"
    return "; ".join(verdict.faults[:2])


def _print_row(*cells: str) -> None:
    widths = [*_COLUMNS, WIDTH - sum(_COLUMNS)]
    folded = [textwrap.wrap(cell, width - 1) or [""] for cell, width in zip(cells, widths, strict=True)]
    for i in range(max(map(len, folded))):
        parts = (part[i] if i < len(part) else "" for part in folded)
        print("".join(part.ljust(width) for part, width in zip(parts, widths, strict=True)).rstrip(), flush=True)


if __name__ == "__main__":
    started = time.monotonic()
    status = main()
    print(f"Done in {time.monotonic() - started:.0f} seconds.", file=sys.stderr)
    sys.exit(status)
