"""Notes: one Markdown file per topic, in folders by category (soul-repo-v4 §3.4)."""

from __future__ import annotations

import unicodedata

from soulsync.formats.text import STRIP, encode, plain
from soulsync.spec import MAX_NOTE_LEVELS, MAX_SEGMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

UNTITLED = "untitled"
_ILLEGAL = frozenset('\\/:*?"<>|' + STRIP + "".join(map(chr, range(32))) + "\x7f")
_RESERVED = frozenset(
    [
        "con",
        "prn",
        "aux",
        "nul",
        "conin$",
        "conout$",
        *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"),
    ]
)
"""Device names, which Windows finds in every folder and with every extension."""


class Note:
    """A note: its ``topic`` and ``summary`` (None where the file has none), and the ``text`` below them."""

    __slots__ = ("summary", "text", "topic")

    def __init__(self, topic: str | None, summary: str | None, text: str) -> None:
        self.topic = topic
        self.summary = summary
        self.text = text


def parse(data: bytes) -> Note:
    """Read a note. Never raises; a file without a heading is all text."""
    lines = plain(data).split("\n")
    topic = summary = None
    if lines[0].startswith("# "):
        topic = lines.pop(0)[2:].strip(STRIP)
        if lines and lines[0].startswith(">"):
            summary = lines.pop(0)[1:].strip(STRIP)
    return Note(topic or None, summary or None, "\n".join(lines).strip("\n"))


def render(topic: str, text: str, summary: str | None = None) -> bytes:
    """Write a note: heading, summary where there is one, blank line, text, final newline."""
    head = [f"# {_one_line(topic)}"]
    if summary and summary.strip(STRIP):
        head.append(f"> {_one_line(summary)}")
    body = text.strip("\r\n").rstrip(STRIP)
    return encode("\n".join(head) + "\n" + (f"\n{body}\n" if body else ""))


def clean_path(topic: str) -> str:
    """Turn a topic, with its categories before it (``astronomy/moons``), into a path: ``notes/astronomy/moons.md``.

    Every part fits Linux, macOS and Windows. Raises ``ValueError`` when there are more than 4 parts.
    """
    parts = [part for part in topic.removesuffix(".md").split("/") if part.strip(STRIP)]
    if len(parts) > MAX_NOTE_LEVELS:
        raise ValueError(
            f"{topic!r} is {len(parts)} levels deep; notes may be {MAX_NOTE_LEVELS} deep, the note counted"
        )
    *folders, name = (clean_segment(part) for part in parts or [""])
    # A name like a conflict copy's would be ignored by every reader, and by git.
    name = name.replace(".incoming", "-incoming")
    return "/".join(["notes", *folders, f"{name}.md"])


def clean_segment(text: str) -> str:
    """Turn one part of a topic into a file name without extension, at most 60 code points long."""
    text = _without_illegal(unicodedata.normalize("NFC", text.strip(STRIP)))
    stem, dot, rest = text.partition(".")
    # `.git` and its 8.3 alias are refused by git itself.
    if stem.lower() in _RESERVED or text.lower().rstrip(".") in (".git", "git~1"):
        text = f"{stem}_{dot}{rest}"
    return text[:MAX_SEGMENT].rstrip(".") or UNTITLED


def beside(path: str, existing: Iterable[str]) -> str:
    """Give ``path`` with each part spelled as in ``existing`` paths that differ from it only in case or normalisation.

    Two names that differ only so are one file on macOS and Windows.
    """
    spelled: dict[str, str] = {}
    for known in existing:
        for prefix in _prefixes(known):
            spelled.setdefault(_folded(prefix), prefix)
    found = ""
    for prefix in _prefixes(path):
        part = prefix.rsplit("/", 1)[-1]
        found = f"{found}/{part}" if found else part
        found = spelled.get(_folded(found), found)
    return found


def _without_illegal(text: str) -> str:
    """Replace each run of characters that some file system refuses by one ``-``."""
    kept: list[str] = []
    after_illegal = False
    for char in text:
        illegal = char in _ILLEGAL
        if not illegal or not after_illegal:
            kept.append("-" if illegal else char)
        after_illegal = illegal
    return "".join(kept)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _prefixes(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[: end + 1]) for end in range(len(parts))]


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()
