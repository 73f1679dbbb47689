"""``bodies/<body>.json``: the version that saw its body last (soul-repo-v4 §4 rules 4, 6, 8)."""

from __future__ import annotations

from soulsync.formats.body import last_seen, parse
from soulsync.merge.faults import settle_unreadable
from soulsync.merge.newest import newer
from soulsync.merge.result import OURS, THEIRS, Merged, Sides
from soulsync.merge.rules import survivor


def merge(_path: str, _base: bytes | None, ours: bytes | None, theirs: bytes | None, sides: Sides) -> Merged:
    """Take the whole file with the later ``lastSeen``; a time that can't be read is earlier than any."""
    if ours is None or theirs is None:
        return survivor(ours, theirs)
    unreadable = settle_unreadable(parse, ours, theirs, sides)
    if unreadable is not None:
        return unreadable
    mine, other = last_seen(parse(ours)), last_seen(parse(theirs))
    if mine == other:
        kept = newer(ours, theirs, sides)
    else:
        kept = OURS if other is None or (mine is not None and mine > other) else THEIRS
    return Merged(ours if kept == OURS else theirs, kept)
