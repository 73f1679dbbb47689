"""Syncs beside a program that rewrites the memories twenty times a second without a lock; see ``tests/busy.py``."""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bodies import Remote
from tests.busy import MODES, Figures, beside

if TYPE_CHECKING:
    import argparse


WAYS = MODES


def run(options: argparse.Namespace) -> dict[str, Any]:
    """``options.syncs`` syncs for each way in which a program may write."""
    figures: dict[str, Any] = {}
    for mode in options.mode or MODES:
        started = time.monotonic()
        found = _once(mode, options)
        figures[mode] = {**asdict(found), "seconds": round(time.monotonic() - started, 1)}
    wrong = {key: sum(len(found[key]) for found in figures.values()) for key in ("lost", "doubled", "back")}
    return {**wrong, "stuck": sum(len(found["failed"]) for found in figures.values()), **figures}


def _once(mode: str, options: argparse.Namespace) -> Figures:
    with tempfile.TemporaryDirectory(prefix="writer-") as folder:
        remote = Remote(Path(folder, "remotes", "kaoru.soul.git"))
        one, two = (remote.body(Path(folder, name), name) for name in ("one", "two"))
        one.init()
        two.init()
        return beside(one, two, mode, options.syncs, options.seed)
