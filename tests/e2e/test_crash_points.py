"""A short cut of ``scripts/soak crash``: killed where it writes, a run is completed by the next."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SOAK = Path(__file__).parents[2] / "scripts" / "soak.py"


if sys.platform == "linux":  # the soak stops processes by seccomp and ptrace

    def test_a_run_killed_where_it_writes_is_completed_by_the_next() -> None:
        words = [sys.executable, str(SOAK), "crash", "--points", "12", "--seed", "7", "--json"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
        assert done.stdout, done.stderr
        figures = json.loads(done.stdout)
        assert figures["faults"] == []
        assert figures["killed"] >= 10
        assert set(figures["scenes"]) >= {"merge", "deletions", "init"}
        assert done.returncode == 0
