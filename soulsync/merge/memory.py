"""One memory that is a file of a store: what both formats settle alike before they look at fields."""

from __future__ import annotations

from soulsync.merge import newest
from soulsync.merge.faults import settle_unreadable
from soulsync.merge.result import OURS, Merged, Sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Parse = Callable[[bytes], object]
    Keeper = Callable[["bytes | None", bytes, bytes], "str | None"]
    ByField = Callable[["bytes | None", bytes, bytes, Sides], Merged]


class Format:
    """How one format is merged: ``parse`` raises ``Malformed``, ``keeper`` names the side that keeps the name of two
    different memories, ``by_field`` merges what is one memory on both sides and can be read.
    """

    __slots__ = ("by_field", "keeper", "parse")

    def __init__(self, parse: Parse, keeper: Keeper, by_field: ByField) -> None:
        self.parse = parse
        self.keeper = keeper
        self.by_field = by_field


def merge_memory(
    format_: Format, path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, sides: Sides
) -> Merged:
    """Merge one memory; of two different ones that came under one name, the keeper's stays in the file.

    Of a memory that one side deleted, the newer side; of one that can't be read, the other (soul-repo-v4 §4 rule 8).
    """
    if ours is None or theirs is None:
        return newest.merge(path, base, ours, theirs, sides)
    unreadable = settle_unreadable(format_.parse, ours, theirs, sides)
    if unreadable is not None:
        return unreadable
    first = format_.keeper(base, ours, theirs)
    if first is not None:
        return Merged(ours if first == OURS else theirs, first)
    return format_.by_field(base, ours, theirs, sides)
