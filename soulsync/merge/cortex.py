"""``.agent/memory`` entries: three-way by field (cortex-memory-v1, “Merge”).

Where both sides changed one field, the side with the later ``updated_at`` wins, then the newer commit, then the value
whose bytes are larger: by the whole file's, a merge of the result would choose anew. The result does not depend on
which side is called ours.
"""

from __future__ import annotations

from soulsync.formats import cortex, json_text
from soulsync.formats.cortex import MAX_ID, MAX_TAGS, Malformed
from soulsync.formats.instants import instant
from soulsync.formats.text import encode, is_blank
from soulsync.merge import newest
from soulsync.merge.fields import ABSENT, merge_fields
from soulsync.merge.memory import Format, merge_memory
from soulsync.merge.order import merge_lists
from soulsync.merge.result import BOTH, OURS, THEIRS, Merged, Sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.formats.cortex import Entry

CUT = "the merged tags are more than 10; left out: "
"""Begins the report on tags that found no place."""


def merge(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, sides: Sides) -> Merged:
    """Merge one entry; of two different ones that came under one id, the earlier keeps the file (:func:`keeper`)."""
    return merge_memory(Format(cortex.parse, keeper, _by_field), path, base, ours, theirs, sides)


def _by_field(base: bytes | None, ours: bytes, theirs: bytes, sides: Sides) -> Merged:
    mine, other = cortex.parse(ours), cortex.parse(theirs)
    won = _later(mine, other) or newest.newer_commit(sides)
    merged, disputed, left_out = _merged(_read(base) or {}, mine, other, won)
    faults = (CUT + ", ".join(left_out),) if left_out else ()
    kept = (won or newest.newer(ours, theirs, sides)) if disputed else BOTH
    return Merged(cortex.render(merged), kept, faults)


def keeper(base: bytes | None, ours: bytes, theirs: bytes) -> str | None:
    """Name the side that keeps the id where the sides hold two different memories; None where it is one memory.

    They are two where both sides added the id with different contents, and where both put another content there and do
    not agree when the memory was made. The earlier ``created_at`` keeps it, then the smaller bytes.
    """
    mine, other, known = _read(ours), _read(theirs), _read(base)
    if mine is None or other is None or _content(mine) == _content(other):
        return None
    if not is_blank(base or b""):
        edits = known is not None and _content(known) in (_content(mine), _content(other))
        if edits or mine.get("created_at") == other.get("created_at"):
            return None
    ranks = [(_rank(entry.get("created_at")), data) for entry, data in ((mine, ours), (other, theirs))]
    return OURS if ranks[0] <= ranks[1] else THEIRS


def second_names(name: str, data: bytes) -> Iterator[str]:
    """Ids for the memory that has to give way: the id, ``-``, 4 hex digits of its content's SHA-256; then with more."""
    from hashlib import sha256

    digest = sha256(_content(cortex.parse(data)).encode("utf-8", "backslashreplace")).hexdigest()
    for size in range(4, len(digest) + 1, 4):
        yield f"{name[: MAX_ID - size - 1]}-{digest[:size]}"


def renamed(data: bytes, name: str) -> bytes:
    """The entry under another id."""
    entry = cortex.parse(data)
    return cortex.render({**entry, "memory_id": name} if "memory_id" in entry else {"memory_id": name, **entry})


def _merged(base: Entry, ours: Entry, theirs: Entry, won: str | None) -> tuple[Entry, bool, list[str]]:
    """The merged entry, whether a value of one side gave way, and the tags that found no place."""
    tags = _merged_tags(base, ours, theirs)
    if tags is not None:
        ours, theirs = ({**side, "tags": tags[:MAX_TAGS]} for side in (ours, theirs))
    later = {OURS: ours, THEIRS: theirs}.get(_later(ours, theirs) or "")
    if later is not None:  # whatever else it is, the merged entry is not older than either side
        ours, theirs = ({**side, "updated_at": later["updated_at"]} for side in (ours, theirs))

    def pick(mine: object, other: object) -> object:
        if won is None:
            return max(mine, other, key=_weight)
        return mine if won == OURS else other

    merged, disputed = merge_fields(base, ours, theirs, pick=pick)
    return merged, disputed, [str(tag) for tag in (tags or [])[MAX_TAGS:]]


def _weight(value: object) -> str:
    return "" if value is ABSENT else _text(value)


def _merged_tags(base: Entry, ours: Entry, theirs: Entry) -> list[object] | None:
    """The tags that both sides leave; None where they are not lists that both changed."""
    known, mine, other = (entry.get("tags", []) for entry in (base, ours, theirs))
    if not isinstance(mine, list) or not isinstance(other, list) or not isinstance(known, list):
        return None
    raw = [_weight(entry.get("tags", ABSENT)) for entry in (base, ours, theirs)]
    if raw[1] in (raw[2], raw[0]) or raw[2] == raw[0]:
        return None
    before, one, two = (list(dict.fromkeys(_text(tag) for tag in tags)) for tags in (known, mine, other))
    found = {_text(tag): tag for tag in (*mine, *other)}
    return [found[text] for text in merge_lists(before, one, two, _joined)]


def _text(value: object) -> str:
    return json_text.one_line(value).decode("utf-8")


def _joined(texts: list[str]) -> bytes:
    return encode("".join(texts))


def _content(entry: Entry) -> str:
    content = entry.get("content")
    return content if isinstance(content, str) else _text(content)


def _rank(created: object) -> tuple[bool, int]:
    """Order times, the earlier first; one that can't be read is later than all."""
    moment = instant(created)
    return moment is None, moment or 0


def _later(ours: Entry, theirs: Entry) -> str | None:
    """Name the side with the later ``updated_at``; None where they are alike."""
    mine, other = instant(ours.get("updated_at")), instant(theirs.get("updated_at"))
    if mine == other:
        return None
    return OURS if other is None or (mine is not None and mine > other) else THEIRS


def _read(data: bytes | None) -> Entry | None:
    try:
        return None if data is None else cortex.parse(data)
    except Malformed:
        return None
