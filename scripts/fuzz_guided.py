"""Fuzzing led by coverage: ``python scripts/fuzz_guided.py [CORPUS] [-runs=N]``, with ``pip install -e '.[fuzz]'``.

Three parts of each input, split at a byte that UTF-8 never holds, are the base and the two sides of a merge.
"""

from __future__ import annotations

import hashlib
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

try:
    import atheris
except ImportError:
    sys.exit("atheris is missing: pip install -e '.[fuzz]'")

with atheris.instrument_imports(include=["soulsync"]):
    import soulsync.formats
    import soulsync.merge
    from soulsync.merge.result import Sides
    from tests.fuzzing import feed, seeds

    for package in (soulsync.formats, soulsync.merge):  # the rules load most of it when they first need it: too late
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            import_module(module.name)


def one_input(data: bytes) -> None:
    parts = [*data.split(b"\xff", 2), b"", b""]
    feed((parts[0], parts[1], parts[2]), Sides(len(parts[0]), len(parts[1])))


def fill(corpus: Path) -> None:
    """Begin with the shipped examples, each as base, ours and theirs of one merge."""
    corpus.mkdir(parents=True, exist_ok=True)
    for data in seeds():
        (corpus / hashlib.sha256(data).hexdigest()[:20]).write_bytes(b"\xff".join([data, data, b""]))


if __name__ == "__main__":
    for folder in [word for word in sys.argv[1:] if not word.startswith("-")][:1]:
        fill(Path(folder))
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
