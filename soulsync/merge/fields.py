"""Three-way merge of JSON objects by field, into objects within objects."""

from __future__ import annotations

from soulsync.formats import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    Fields = dict[str, object]

ABSENT = object()


def merge_fields(base: Fields, ours: Fields, theirs: Fields, *, inner: bool = False) -> tuple[Fields, bool]:
    """Merge three objects; ours wins where both sides changed one field, or the base when ``inner``.

    Gives the merged object and whether any field was disputed. A deleted field counts as a change.
    """
    merged: Fields = {}
    disputed = False
    for key in dict.fromkeys([*ours, *theirs]):
        value, clash = _merge_value(base.get(key, ABSENT), ours.get(key, ABSENT), theirs.get(key, ABSENT), inner=inner)
        disputed |= clash
        if value is not ABSENT:
            merged[key] = value
    return {key: merged[key] for key in _order(base, ours, theirs, merged)}, disputed


def _merge_value(base: object, ours: object, theirs: object, *, inner: bool) -> tuple[object, bool]:
    if _same(ours, theirs) or _same(theirs, base):
        return ours, False
    if _same(ours, base):
        return theirs, False
    if isinstance(ours, dict) and isinstance(theirs, dict) and (base is ABSENT or isinstance(base, dict)):
        return merge_fields(base if isinstance(base, dict) else {}, ours, theirs, inner=inner)
    return (base if inner else ours), True


def _same(one: object, other: object) -> bool:
    if one is ABSENT or other is ABSENT:
        return one is other
    return json_text.same(one, other)


def _order(base: Fields, ours: Fields, theirs: Fields, merged: Fields) -> list[str]:
    """Keep our order, or theirs where they alone changed it; a key of the other side follows its neighbour there."""
    theirs_alone = _reordered(base, theirs, merged) and not _reordered(base, ours, merged)
    first, second = (theirs, ours) if theirs_alone else (ours, theirs)
    followers: dict[str | None, list[str]] = {}
    anchor = None
    for key in second:
        if key in first and key in merged:
            anchor = key
        elif key in merged:
            followers.setdefault(anchor, []).append(key)
    order = followers.get(None, [])
    for key in first:
        if key in merged:
            order += [key, *followers.get(key, [])]
    return order


def _reordered(base: Fields, side: Fields, merged: Fields) -> bool:
    return [key for key in side if key in base and key in merged] != [
        key for key in base if key in side and key in merged
    ]
