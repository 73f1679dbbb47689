"""Run ``soulsync`` and kill it at one of its system calls that write or rename: ``python -m tests.struck N WORD…``.

In a process of its own, since it waits for every child of its process. Prints how it ended, as JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path


def main(call: int, words: list[str]) -> None:
    sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
    tracer = importlib.import_module("soak_lib.tracer")

    def deed() -> int:
        from soulsync.__main__ import run

        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            return run(words)
        except SystemExit as e:
            return e.code if isinstance(e.code, int) else 1

    traced = tracer.run(deed, call)
    sys.stdout.write(json.dumps(asdict(traced)) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
