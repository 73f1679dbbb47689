"""The loss audit of the other two memory formats: which parts a version has, and which of them a merge may drop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.formats import cortex, json_text, oxsoul
from soulsync.formats.text import Malformed, is_blank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Parts = Mapping[str, None]

BOM = b"\xef\xbb\xbf"
TAG = "tag "
LISTED = "tags\n[]"
"""Says that the tags are a list, each of which is a part of its own."""
LATEST = ("updated", "updated_at")
"""Of these the later one stays, whoever changed it."""


def reader(path: str) -> Callable[[bytes], list[str] | None] | None:
    """What takes a version apart into ``name``, line break, value; None for a path that is no memory of a store."""
    if spec.is_oxsoul(path):
        return _memory
    return _entry if spec.is_cortex(path) else None


def lost(
    path: str, base: bytes, sides: Mapping[str, bytes], result: bytes, folder: Callable[[], Iterable[bytes]]
) -> list[tuple[str, str]] | None:
    """What a merge of one memory lost, as (side, part); None where it can't be told by parts.

    ``base`` is empty where there was none. ``folder`` gives the files beside the result: where the two sides say
    different things, both may stand there under different names, and must where neither knew of the other.
    """
    texts = {side: _text_of(path, data) for side, data in sides.items()}
    read = reader(path)
    if read is None or None in texts.values():
        return None
    if len(set(texts.values())) > 1 and _text_of(path, base) not in texts.values():
        there = {_text_of(path, data) for data in folder()}
        missing = [(side, text) for side, text in texts.items() if text is not None and text not in there]
        if not missing or is_blank(base):
            return missing
    had, kept = (dict.fromkeys(read(data) or ()) for data in (base, result))
    parts = {side: dict.fromkeys(read(data) or ()) for side, data in sides.items()}
    found = []
    for side, mine in parts.items():
        other = next(items for name, items in parts.items() if name != side)
        gone = [part for part in mine if part not in kept and not (part in had and part not in other)]
        found += [(side, part) for part in gone if not _yields(path, part, (had, other), kept)]
    return found


def _text_of(path: str, data: bytes) -> str | None:
    """What a memory says, by which it is known under another name; None for what can't be read."""
    try:
        if spec.is_cortex(path):
            return _text(cortex.parse(data).get("content"))
        return oxsoul.parse(data.removeprefix(BOM)).body
    except Malformed:
        return None


def _yields(path: str, part: str, sides: tuple[Parts, Parts], kept: Parts) -> bool:
    """Whether a part may be missing: the other side changed the same key too, or there are ten tags already.

    ``sides`` are the parts of the base and of the other side, ``kept`` those of the result.
    """
    name = part.partition("\n")[0]
    if name.startswith(TAG):
        no_list = any(one.startswith("tags\n") and one != LISTED for one in sides[1])
        return no_list or (spec.is_cortex(path) and sum(one.startswith(TAG) for one in kept) >= cortex.MAX_TAGS)
    had, other = ({one for one in side if one.partition("\n")[0] == name} for side in sides)
    return had != other


def _memory(data: bytes) -> list[str] | None:
    try:
        memory = oxsoul.parse(data.removeprefix(BOM).replace(b"\r\n", b"\n"))
    except Malformed:
        return None
    raws = {field.key: field.raw for field in memory.document.fields if field.key not in ("tags", *LATEST)}
    tags = [f"{TAG}{tag}\n" for tag in memory.tags]
    return [*(f"{key}\n{raw}" for key, raw in raws.items()), *tags, f"\n{memory.document.body}"]


def _entry(data: bytes) -> list[str] | None:
    try:
        entry = cortex.parse(data)
    except Malformed:
        return None
    tags = entry.get("tags")
    parts = [f"{name}\n{_text(value)}" for name, value in entry.items() if name not in LATEST]
    if not isinstance(tags, list):
        return parts
    return [part for part in parts if not part.startswith("tags\n")] + [LISTED, *(f"{TAG}{_text(tag)}" for tag in tags)]


def _text(value: object) -> str:
    return json_text.one_line(value).decode("utf-8")
