"""Where a sync spends its time: what it starts and waits for, what it imports, what it calls."""

from __future__ import annotations

import cProfile
import io
import pstats
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench_lib.world import World

SHOWN = 15
SCRIPTS = Path(__file__).parents[1]
_STARTS = ("subprocess.Popen", "os.posix_spawn", "os.exec")


def report(world: World) -> str:
    """Three tables for a sync of the small soul that has nothing to do and one that sends an entry."""
    soul = world.soul()
    parts = []
    for name in ("nothing to do", "one entry added"):
        if name != "nothing to do":
            soul.ours.write("notes/profile.md", f"# profile\n\n{name}\n")
        argv = [sys.executable, "-X", "importtime", "-m", "bench_lib.profile", "sync", "--quiet"]
        env = {**soul.ours.env, "PYTHONPATH": str(SCRIPTS)}
        done = subprocess.run(argv, env=env, cwd=soul.ours.tree, capture_output=True, text=True, check=True)
        parts.append(
            f"== sync, {name}\n{done.stdout}\n-- imports, milliseconds with all below\n{_imports(done.stderr)}"
        )
    return "\n\n".join(parts)


def _imports(said: str) -> str:
    rows = [
        line.removeprefix("import time:").split("|") for line in said.splitlines() if line.startswith("import time:")
    ]
    found = [(int(row[1]), row[2].strip()) for row in rows if row[1].strip().isdigit()]
    return "\n".join(f"{micros / 1000:8.1f}  {name}" for micros, name in sorted(found, reverse=True)[:SHOWN])


def main() -> int:
    """Run ``soulsync`` in this process and print when it started what, and in which functions its time went."""
    begun = time.perf_counter()
    lines = []

    def hear(event: str, args: tuple[object, ...]) -> None:
        if event in _STARTS:
            words = args[1] if isinstance(args[1], list) else []
            lines.append(f"{(time.perf_counter() - begun) * 1000:8.1f}  {' '.join(map(str, words))[:100]}")

    sys.addaudithook(hear)
    profile = cProfile.Profile()
    from soulsync.__main__ import run

    code = profile.runcall(run, sys.argv[1:])
    ended = (time.perf_counter() - begun) * 1000
    out = io.StringIO()
    pstats.Stats(profile, stream=out).sort_stats("tottime").print_stats(SHOWN)
    print("-- programs, milliseconds after the start", *lines, f"{ended:8.1f}  end", sep="\n")
    print("-- functions by their own time", out.getvalue().strip(), sep="\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
