"""Three-way merge of JSON objects by field, into objects within objects."""

from __future__ import annotations

from soulsync.formats import json_text
from soulsync.merge.order import merge_lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Fields = dict[str, object]
    Pick = Callable[[object, object], object]

ABSENT = object()


def merge_fields(
    base: Fields, ours: Fields, theirs: Fields, *, inner: bool = False, pick: Pick | None = None
) -> tuple[Fields, bool]:
    """Merge three objects; ours wins where both sides changed one field, or the base when ``inner``.

    ``pick`` chooses of our value and theirs instead; ``ABSENT`` stands for one that is not there. Gives the merged
    object and whether any field was disputed. A deleted field counts as a change.
    """
    merged: Fields = {}
    disputed = False
    for key in dict.fromkeys([*ours, *theirs]):
        values = (side.get(key, ABSENT) for side in (base, ours, theirs))
        value, clash = _merge_value(*values, inner=inner, pick=pick)
        disputed |= clash
        if value is not ABSENT:
            merged[key] = value
    return {key: merged[key] for key in _order(base, ours, theirs, merged)}, disputed


def _merge_value(base: object, ours: object, theirs: object, *, inner: bool, pick: Pick | None) -> tuple[object, bool]:
    if _same(ours, theirs) or _same(theirs, base):
        return ours, False
    if _same(ours, base):
        return theirs, False
    if isinstance(ours, dict) and isinstance(theirs, dict) and (base is ABSENT or isinstance(base, dict)):
        return merge_fields(base if isinstance(base, dict) else {}, ours, theirs, inner=inner, pick=pick)
    if pick is not None:
        return pick(ours, theirs), True
    return (base if inner else ours), True


def _same(one: object, other: object) -> bool:
    if one is ABSENT or other is ABSENT:
        return one is other
    return json_text.same(one, other)


def _order(base: Fields, ours: Fields, theirs: Fields, merged: Fields) -> list[str]:
    """Order the keys as memories are ordered, so that it does not matter which side is called ours."""
    shared = [key for key in base if key in merged and key in ours and key in theirs]
    mine, other = ([key for key in side if key in merged] for side in (ours, theirs))
    return merge_lists(shared, mine, other, json_text.one_line)
