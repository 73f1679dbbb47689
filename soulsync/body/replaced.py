"""The memories that a sync replaced and of which no look has shown yet that the programs here saw it (§4 rule 13).

A program that keeps rewriting a file without a pause overwrites every replacement, and a sync that is killed never
looks again. So what was replaced is kept in ``state/replaced.json``; the next snapshot joins a text that was written
from what stood before, instead of taking it for the deletion of all that had come in.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from soulsync.files import write_durably
from soulsync.repo import stale_writer
from soulsync.repo.swap import Swap

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from soulsync.body.home import Home


def save(home: Home, swaps: Iterable[Swap]) -> None:
    """Keep these replacements, instead of those that were kept before; none: the file goes."""
    made = list(swaps)
    newest = {swap.path: swap.new for swap in made}
    stood = stale_writer.stood(made)
    kept = {path: [_text(data) for data in (*stood[path], new)] for path, new in newest.items()}
    if kept:
        write_durably(_file(home), json.dumps(kept).encode("ascii"))
    else:
        _file(home).unlink(missing_ok=True)


def load(home: Home) -> list[Swap]:
    """What a run before us replaced and did not see settled; a file that is damaged is none."""
    try:
        kept = json.loads(_file(home).read_bytes())
        return [Swap(path, [_bytes(text) for text in texts[:-1]], _bytes(texts[-1])) for path, texts in kept.items()]
    except (FileNotFoundError, ValueError, TypeError, AttributeError, IndexError, RecursionError):
        return []


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _file(home: Home) -> Path:
    return home.state / "replaced.json"
