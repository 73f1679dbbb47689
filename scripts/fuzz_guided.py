"""Fuzzing led by coverage: ``python scripts/fuzz_guided.py [CORPUS] [-runs=N]``, with ``pip install -e '.[fuzz]'``.

Three parts of each input, split at a byte that UTF-8 never holds, are the base and the two sides of a merge.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

try:
    import atheris
except ImportError:
    sys.exit("atheris is missing: pip install -e '.[fuzz]'")

with atheris.instrument_imports(include=["soulsync"]):
    from soulsync.merge.result import Sides
    from tests.fuzzing import feed


def one_input(data: bytes) -> None:
    parts = [*data.split(b"\xff", 2), b"", b""]
    feed((parts[0], parts[1], parts[2]), Sides(len(parts[0]), len(parts[1])))


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
