"""What becomes of a side that can't be read (soul-repo-v4 §4 rule 8)."""

from __future__ import annotations

from soulsync.formats.text import Malformed
from soulsync.merge.newest import newer
from soulsync.merge.result import OURS, THEIRS, Merged, Sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def settle_unreadable(parse: Callable[[bytes], object], ours: bytes, theirs: bytes, sides: Sides) -> Merged | None:
    """Take the side that ``parse`` can read, or the newer of two that it can't; None when it reads both."""
    mine, other = _fault(parse, ours, "our"), _fault(parse, theirs, "their")
    if not mine and not other:
        return None
    kept = newer(ours, theirs, sides) if mine and other else THEIRS if mine else OURS
    return Merged(ours if kept == OURS else theirs, kept, mine + other)


def _fault(parse: Callable[[bytes], object], data: bytes, whose: str) -> tuple[str, ...]:
    try:
        parse(data)
    except Malformed as fault:
        return (f"{whose} version is {fault}",)
    return ()
