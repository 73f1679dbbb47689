"""Memories, merged by entry (soul-repo-v4 §4 rules 1, 2, 4, 11); the same bytes whichever side is called ours."""

from __future__ import annotations

from soulsync.formats.entries import parse, render
from soulsync.merge.order import merge_lists
from soulsync.merge.result import Merged, Sides


def merge(_path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, _sides: Sides) -> Merged:
    """Keep what either side added, drop what either side deleted; an entry that occurs twice is written once.

    A deleted file counts as one without entries; when nothing is left beside it, the deletion stands.
    """
    known, mine, other = (list(dict.fromkeys(parse(data or b""))) for data in (base, ours, theirs))
    merged = merge_lists(known, mine, other, render)
    if not merged and (ours is None or theirs is None):
        return Merged(None)
    return Merged(render(merged))
