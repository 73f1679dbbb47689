"""Text before the sections of a journal, and imported journals without any: the union of paragraphs."""

from __future__ import annotations

from bisect import bisect_left

from soulsync.formats.text import STRIP, encode
from soulsync.merge.weave import edited, numbered, weave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from soulsync.merge.weave import Item


def merge_paragraphs(base: str, ours: str, theirs: str) -> str:
    """Merge three texts: the one that changed alone, or what both sides say, each paragraph once. Symmetric."""
    if ours in (theirs, base):
        return theirs
    if theirs == base:
        return ours
    return union_of_paragraphs(base, ours, theirs)


def union_of_paragraphs(base: str, ours: str, theirs: str) -> str:
    """What either side says, each paragraph once; one that a side wrote on goes on in its place. Symmetric.

    A paragraph that one side dropped stays while the other has it.
    """
    known, mine, other = (numbered(_paragraphs(text)) for text in (base, ours, theirs))
    mine, other = edited(mine, _edits(known, other)), edited(other, _edits(known, mine))
    woven = weave(mine, other, _by_bytes)
    if woven is None:
        first, second = sorted((mine, other), key=lambda items: [_by_bytes(item) for item in items])
        woven = list(dict.fromkeys([*first, *second]))
    return "\n\n".join(text for text, _ in woven)


def carried_on(ours: list[str], theirs: list[str]) -> list[str]:
    """Put in the place of each text of ``ours`` the one of ``theirs`` that goes on from it, on a new line."""
    mine, other = numbered(ours), numbered(theirs)
    added = sorted(set(other) - set(mine))
    edits: dict[Item, Item] = {}
    for item in set(mine) - set(other):
        begin = f"{item[0]}\n"
        at = bisect_left(added, (begin, 0))
        if at < len(added) and added[at][0].startswith(begin):
            edits[item] = added[at]
    return [text for text, _ in edited(mine, edits)]


def paragraphs_carried_on(ours: str, theirs: str) -> str:
    """The same for the paragraphs of two texts."""
    return "\n\n".join(carried_on(_paragraphs(ours), _paragraphs(theirs)))


def _paragraphs(text: str) -> list[str]:
    """Split at blank lines and around headings, so that a heading is the same one wherever it comes to stand."""
    paragraphs: list[str] = []
    lines: list[str] = []
    for line in [*text.split("\n"), ""]:
        heading = line.startswith("# ")
        if (heading or not line.strip(STRIP)) and lines:
            paragraphs.append("\n".join(lines))
            lines = []
        if heading:
            paragraphs.append(line)
        elif line.strip(STRIP):
            lines.append(line)
    return paragraphs


def _by_bytes(item: Item) -> tuple[str, bytes]:
    return "", encode(item[0])


def _edits(base: list[Item], side: list[Item]) -> dict[Item, Item]:
    """Pair the paragraphs that a side dropped from the base with its new ones that begin with them."""
    in_base, in_side = set(base), set(side)
    added = sorted(item for item in in_side - in_base)
    edits: dict[Item, Item] = {}
    for item in in_base - in_side:
        at = bisect_left(added, item)
        if at < len(added) and added[at][0].startswith(item[0]):
            edits[item] = added[at]
    return edits
