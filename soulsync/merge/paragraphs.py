"""Text before the sections of a journal, and imported journals without any: the union of paragraphs."""

from __future__ import annotations

from bisect import bisect_left

from soulsync.formats.text import STRIP, encode
from soulsync.merge.weave import numbered, weave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from soulsync.merge.weave import Item


def merge_paragraphs(base: str, ours: str, theirs: str) -> str:
    """Merge three texts: the one that changed alone, or what both sides say, each paragraph once. Symmetric."""
    if ours in (theirs, base):
        return theirs
    if theirs == base:
        return ours
    known, mine, other = (numbered(_paragraphs(text)) for text in (base, ours, theirs))
    mine, other = _kept(known, mine, other), _kept(known, other, mine)
    woven = weave(mine, other, _by_bytes)
    if woven is None:
        first, second = sorted((mine, other), key=lambda items: [_by_bytes(item) for item in items])
        woven = list(dict.fromkeys([*first, *second]))
    return "\n\n".join(text for text, _ in woven)


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


def _kept(base: list[Item], side: list[Item], other: list[Item]) -> list[Item]:
    """Drop from a side what the other side extended; a paragraph merely missing there stays."""
    in_base, in_other = set(base), set(other)
    added = sorted(text for text, _ in in_other - in_base)
    return [item for item in side if item in in_other or item not in in_base or not _is_extended(item[0], added)]


def _is_extended(text: str, added: list[str]) -> bool:
    at = bisect_left(added, text)
    return at < len(added) and added[at].startswith(text)
