"""Journals: the union of sections in time order, whichever side is called ours (soul-repo-v4 §4 rules 2, 4, 6)."""

from __future__ import annotations

from soulsync.formats.journal import parse_text
from soulsync.formats.text import STRIP, encode, plain
from soulsync.merge.paragraphs import carried_on, merge_paragraphs, paragraphs_carried_on, union_of_paragraphs
from soulsync.merge.result import Merged, Sides
from soulsync.merge.rules import survivor
from soulsync.merge.weave import edited, numbered, weave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from soulsync.merge.weave import Item


def merge(_path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, _sides: Sides) -> Merged:
    """Keep every section that a side added, and every one of the base that no side edited."""
    if ours is None or theirs is None:
        return survivor(ours, theirs)
    # Read as canonical text: a CRLF or a missing final newline is no difference between sections.
    preambles, sections = zip(*(_parts(plain(data or b"")) for data in (base, ours, theirs)), strict=True)
    return Merged(_joined(merge_paragraphs(*preambles), merge_sections(*sections)))


def union(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Keep everything that either side says, also what the other dropped: a journal is only ever appended to.

    A paragraph or section of the base that ``theirs`` wrote on goes on in its place, and so does one of ``ours``: a run
    that was cut off may have brought it in, and not have noted it.
    """
    (first, known), (before, held), (after, other) = (_parts(plain(data)) for data in (base, ours, theirs))
    written_on = [text for text in known if any(longer.startswith(text) for longer in other)]
    return _joined(
        union_of_paragraphs(first, paragraphs_carried_on(before, after), after),
        merge_sections(written_on, carried_on(held, other), other),
    )


def _joined(preamble: str, sections: list[str]) -> bytes:
    text = "\n\n".join(part for part in (preamble, *sections) if part)
    return encode(text + "\n") if text else b""


def merge_sections(base: list[str], ours: list[str], theirs: list[str]) -> list[str]:
    """Merge three lists of sections, each a text that begins with its heading and has no blank lines at its end."""
    known, mine, other = numbered(base), numbered(ours), numbered(theirs)
    mine, other = edited(mine, _edits(known, other)), edited(other, _edits(known, mine))
    woven = weave(mine, other, _by_time)
    if woven is None:
        woven = sorted({*mine, *other}, key=_by_time)
    return [text for text, _ in woven]


def _parts(text: str) -> tuple[str, list[str]]:
    journal = parse_text(text)
    return _trimmed(journal.preamble), [_trimmed(section.text) for section in journal.sections]


def _trimmed(text: str) -> str:
    """Drop blank lines at the end; blanks at the end of a line that says something may mean a line break."""
    said = text.rstrip(STRIP)
    return said + text[len(said) :].split("\n", 1)[0] if said else ""


def _by_time(item: Item) -> tuple[str, bytes]:
    text, _ = item
    return text[3:8], encode(text)


def _heading(item: Item) -> str:
    return item[0].split("\n", 1)[0].rstrip(STRIP)


def _by_heading(items: list[Item], without: set[Item]) -> dict[str, list[Item]]:
    groups: dict[str, list[Item]] = {}
    for item in items:
        if item not in without:
            groups.setdefault(_heading(item), []).append(item)
    return groups


def _edits(base: list[Item], side: list[Item]) -> dict[Item, Item]:
    """Pair the sections that a side dropped from the base with its new ones under the same heading, in order.

    Where it dropped more than it wrote, no one can tell which was edited: these count as missing, not as edited.
    """
    dropped, added = _by_heading(base, set(side)), _by_heading(side, set(base))
    edits: dict[Item, Item] = {}
    for heading, old in dropped.items():
        new = added.get(heading, [])
        if len(new) >= len(old):
            edits.update(zip(old, new, strict=False))
    return edits
