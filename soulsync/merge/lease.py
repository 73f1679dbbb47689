"""``locks/consolidation.json``, where git itself merges two leases (soul-repo-v4 §4 rules 7, 8)."""

from __future__ import annotations

from soulsync.formats.lease import Lease, Malformed, parse
from soulsync.merge.faults import settle_unreadable
from soulsync.merge.newest import blob_id
from soulsync.merge.result import OURS, THEIRS, Merged, Sides
from soulsync.merge.rules import survivor


def merge(_path: str, _base: bytes | None, ours: bytes | None, theirs: bytes | None, sides: Sides) -> Merged:
    """Take the lease that holds at the later of the two commit times; a release does not end another lease."""
    if ours is None or theirs is None:
        return _released(ours, theirs, sides)
    unreadable = settle_unreadable(parse, ours, theirs, sides)
    if unreadable is not None:
        return unreadable
    mine, other = _rank(parse(ours), sides), _rank(parse(theirs), sides)
    kept = OURS if (mine, blob_id(ours)) >= (other, blob_id(theirs)) else THEIRS
    return Merged(ours if kept == OURS else theirs, kept)


def _rank(lease: Lease, sides: Sides) -> tuple[bool, int]:
    """Order leases: valid before expired; of the valid the earlier ``until``, of the expired the later."""
    valid = _is_valid(lease, sides)
    return valid, -lease.until if valid else lease.until


def _is_valid(lease: Lease, sides: Sides) -> bool:
    times = [time for time in (sides.ours_time, sides.theirs_time) if time is not None]
    return bool(times) and lease.valid_at(max(times) * 1000)


def _released(ours: bytes | None, theirs: bytes | None, sides: Sides) -> Merged:
    """One side released the lease, the other changed it: a lease that still holds stays."""
    there = survivor(ours, theirs)
    try:
        lease = parse(there.data or b"")
    except Malformed as fault:
        return Merged(None, THEIRS if there.kept == OURS else OURS, (f"the version that is there is {fault}",))
    if _is_valid(lease, sides):
        return there
    return Merged(None, THEIRS if there.kept == OURS else OURS)
