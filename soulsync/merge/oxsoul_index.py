"""The index of OxSoul memories, ``MEMORY.md``: where only the index is at hand, its lines merge as a set by name.

The true merge of an index is the one that the merged memories give (:func:`rebuilt`): the engine writes that at once,
and after a plain ``git merge`` the hook does.
"""

from __future__ import annotations

from soulsync.formats import oxsoul, oxsoul_index
from soulsync.formats.oxsoul_index import Row
from soulsync.formats.text import Malformed, encode, plain
from soulsync.merge.newest import newer
from soulsync.merge.order import merge_lists
from soulsync.merge.result import OURS, Merged, Sides
from soulsync.merge.rules import survivor
from soulsync.spec import INDEX_MD, OXSOUL_SCOPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def merge(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, sides: Sides) -> Merged:
    """Keep the lines of both sides, without those that either deleted; of a line that both changed the newer one."""
    if ours is None or theirs is None:
        return survivor(ours, theirs)
    won, lost = (ours, theirs) if newer(ours, theirs, sides) == OURS else (theirs, ours)
    known, strong, weak = (_lines(data) for data in (base or b"", won, lost))
    names = merge_lists(list(known), list(strong), list(weak), _joined)
    # A line that one side deleted and the other changed is not in the list: a rebuild finds what is really there.
    rows = [Row(name, _text(known.get(name), strong.get(name), weak.get(name))) for name in names]
    head = _text(_head(base or b""), _head(won), _head(lost))
    return Merged(oxsoul_index.render(rows, label_of(path), encode(head)))


def rebuilt(folder: str, files: Iterable[tuple[str, bytes]], old: bytes | None) -> bytes:
    """Write the index of ``folder`` from its files, given by name and content; the head of the ``old`` one is kept.

    What it passes over is what the store's own rebuild passes over: files without frontmatter, of a later version.
    """
    found = []
    for name, data in files:
        memory = _memory(name, data)
        if memory is not None:
            found.append((name.removesuffix(".md"), memory))
    return oxsoul_index.build(found, label_of(f"{folder}/{INDEX_MD}"), old)


def is_listed(name: str) -> bool:
    """Whether a file of this name can be a memory that its folder's index lists."""
    return name.endswith(".md") and name != INDEX_MD and not name.startswith(".")


def label_of(path: str) -> str:
    """What a new index at ``path`` calls its scope."""
    parts = path.split("/")[:-1]
    return oxsoul_index.label_of("/".join(parts[-2:]) if len(parts) > 1 and parts[-2] in OXSOUL_SCOPES else "")


def _memory(name: str, data: bytes) -> oxsoul.Memory | None:
    try:
        memory = oxsoul.parse(data) if is_listed(name) else None
    except Malformed:
        return None
    return memory if memory is not None and memory.is_of_this_version else None


def _lines(data: bytes) -> dict[str, str]:
    return {row.name: row.text for row in oxsoul_index.parse(data)}


def _head(data: bytes) -> str:
    """What stands above the lines of memories."""
    lines = plain(data).split("\n")
    end = next((at for at, line in enumerate(lines) if oxsoul_index.row_in(line) is not None), len(lines))
    return "\n".join(lines[:end])


def _text(base: str | None, strong: str | None, weak: str | None) -> str:
    """Three-way; the stronger side where both changed."""
    return (weak if strong == base or strong is None else strong) or ""


def _joined(texts: list[str]) -> bytes:
    return encode("\n".join(texts))
