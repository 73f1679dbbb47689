"""OxSoul memories: three-way by key, the text below as a whole (SOULSPEC v0, “Merge”).

Where both sides changed one key, the side with the later ``updated`` wins, then the newer commit, then the lines whose
bytes are larger: by the whole file's, a merge of the result would choose anew. The result does not depend on which side
is called ours.
"""

from __future__ import annotations

from soulsync.formats import frontmatter_values as values
from soulsync.formats import oxsoul
from soulsync.formats.frontmatter import Document, Field
from soulsync.formats.frontmatter import render as render_document
from soulsync.formats.instants import instant
from soulsync.formats.oxsoul_names import numbered
from soulsync.formats.text import Malformed, encode, is_blank
from soulsync.merge import newest
from soulsync.merge.memory import Format, merge_memory
from soulsync.merge.order import merge_lists
from soulsync.merge.result import BOTH, OURS, THEIRS, Merged, Sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Fields = dict[str, str]
    """Raw lines by key; a key that occurs again has its number behind it, the lines before the first key have none."""
    Lines = tuple[str | None, str | None, str | None]
    """What the base, we and they have for one key; None where it is not there."""
    Pick = Callable[[str | None, str | None], str | None]

_PREAMBLE = ""


def merge(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, sides: Sides) -> Merged:
    """Merge one memory; of two different ones that came under one name, the earlier keeps the file (:func:`keeper`)."""
    return merge_memory(Format(oxsoul.parse, keeper, _by_key), path, base, ours, theirs, sides)


def _by_key(base: bytes | None, ours: bytes, theirs: bytes, sides: Sides) -> Merged:
    mine, other = oxsoul.parse(_lf(ours)), oxsoul.parse(_lf(theirs))
    won = _later(mine, other) or newest.newer_commit(sides)
    known = _read(base)
    before = known.document if known is not None else None
    document, disputed = _merged(before, mine.document, other.document, _picker(won))
    data = render_document(document)
    if b"\r\n" in ours and b"\r\n" in theirs:
        data = data.replace(b"\n", b"\r\n")
    return Merged(data, (won or newest.newer(ours, theirs, sides)) if disputed else BOTH)


def keeper(base: bytes | None, ours: bytes, theirs: bytes) -> str | None:
    """Name the side that keeps the name where the sides hold two different memories; None where it is one memory.

    They are two where both sides added the name with different texts, and where both put another text there and do not
    agree when the memory was made. The earlier ``created`` keeps it, then the smaller bytes.
    """
    mine, other, known = _read(ours), _read(theirs), _read(base)
    if mine is None or other is None or mine.body == other.body:
        return None
    if not is_blank(base or b""):
        edits = known is not None and known.body in (mine.body, other.body)
        if edits or mine.created == other.created:
            return None
    ranks = [(_rank(memory.created), data) for memory, data in ((mine, ours), (other, theirs))]
    return OURS if ranks[0] <= ranks[1] else THEIRS


def second_names(name: str) -> Iterator[str]:
    """Names for the memory that has to give way, the first first: ``name-2``, ``name-3``, …"""
    number = 2
    while True:
        yield numbered(name, number)
        number += 1


def renamed(data: bytes, name: str) -> bytes:
    """The memory under another name; ``updated`` stays."""
    return oxsoul.render(oxsoul.edit(oxsoul.parse(data), {"name": name}))


def _rank(created: str | None) -> tuple[bool, int]:
    """Order times, the earlier first; one that can't be read is later than all."""
    moment = instant(created)
    return moment is None, moment or 0


def _later(ours: oxsoul.Memory, theirs: oxsoul.Memory) -> str | None:
    """Name the side with the later ``updated``; None where they are alike."""
    mine, other = ours.updated_at, theirs.updated_at
    if mine == other:
        return None
    return OURS if other is None or (mine is not None and mine > other) else THEIRS


def _lf(data: bytes) -> bytes:
    """A file that both sides changed comes out with LF, without a byte order mark."""
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")


def _read(data: bytes | None) -> oxsoul.Memory | None:
    try:
        return None if data is None else oxsoul.parse(_lf(data))
    except Malformed:
        return None


def _picker(won: str | None) -> Pick:
    """What chooses of our lines and theirs, None where a side has none: those of the side that won, else the larger."""
    if won is None:
        return lambda ours, theirs: max(ours or "", theirs or "", key=encode) or None
    return lambda ours, theirs: ours if won == OURS else theirs


def _merged(base: Document | None, ours: Document, theirs: Document, pick: Pick) -> tuple[Document, bool]:
    """The merged document, and whether anything of one side gave way."""
    known, mine, other = _fields(base) if base is not None else {}, _fields(ours), _fields(theirs)
    merged: Fields = {}
    disputed = False
    for key in dict.fromkeys([*mine, *other]):
        raw, clash = _merge_key(key, (known.get(key), mine.get(key), other.get(key)), pick)
        disputed |= clash
        if raw is not None:
            merged[key] = raw
    body, clash = _three_way((base.body if base is not None else None, ours.body, theirs.body), pick)
    fields = [Field(key, merged[key]) for key in _order(known, mine, other, merged) if key != _PREAMBLE]
    return Document("---\n", merged.get(_PREAMBLE, ""), fields, "---\n", body or ""), disputed or clash


def _fields(document: Document) -> Fields:
    found: Fields = {_PREAMBLE: document.preamble} if document.preamble else {}
    for field in document.fields:
        key, number = field.key, 2
        while key in found:
            key, number = f"{field.key} {number}", number + 1
        found[key] = field.raw
    return found


def _merge_key(key: str, lines: Lines, pick: Pick) -> tuple[str | None, bool]:
    """The raw lines of one key, and whether one side's gave way."""
    base, ours, theirs = lines
    if key == "updated":  # of the side that won: it has the later one
        return pick(ours, theirs) or ours or theirs, False
    if key == "tags" and ours not in (theirs, base) and theirs != base:
        return _merge_tags(lines, pick), False
    return _three_way(lines, pick)


def _three_way(lines: Lines, pick: Pick) -> tuple[str | None, bool]:
    base, ours, theirs = lines
    if ours == theirs or theirs == base:
        return ours, False
    return (theirs, False) if ours == base else (pick(ours, theirs), True)


def _merge_tags(lines: Lines, pick: Pick) -> str | None:
    """The tags of both sides, without those that either took out, written as the preferred side writes them."""
    base, ours, theirs = (list(dict.fromkeys(_tags(raw))) for raw in lines)
    merged = merge_lists(base, ours, theirs, _joined)
    ready = [raw for raw in lines[1:] if raw is not None and _tags(raw) == merged]
    if ready:
        return pick(ready[0], ready[-1])
    form = pick(lines[1], lines[2])
    if form is None and not merged:
        return None
    return values.with_array(Field("tags", form or lines[1] or lines[2] or ""), "tags", merged, "\n").raw


def _tags(raw: str | None) -> list[str]:
    return [] if raw is None else values.array(Field("tags", raw))[0]


def _joined(texts: list[str]) -> bytes:
    return encode("\n".join(texts))


def _order(base: Fields, ours: Fields, theirs: Fields, merged: Fields) -> list[str]:
    """Order the keys as memories are ordered, so that it does not matter which side is called ours."""
    shared = [key for key in base if key in merged and key in ours and key in theirs]
    mine, other = ([key for key in side if key in merged] for side in (ours, theirs))
    return merge_lists(shared, mine, other, _joined)
