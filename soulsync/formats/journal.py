"""Journals: one file per body and day, sections with a time, only ever appended to (soul-repo-v4 §3.3).

Reading and writing back gives the same bytes; text before the first section, or without any, is the preamble.
"""

from __future__ import annotations

from soulsync.formats.text import STRIP, decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

DIGITS = frozenset("0123456789")


class Section:
    """One section as it stands in the file: ``heading`` is its first line, ``body`` the rest, line ends included.

    ``time`` is ``HH:MM``, ``title`` the rest of the heading.
    """

    __slots__ = ("body", "heading", "time", "title")

    def __init__(self, heading: str, body: str) -> None:
        self.heading = heading
        self.body = body
        self.time = heading[3:8]
        self.title = heading[8:].strip(STRIP)

    @property
    def text(self) -> str:
        """The section as it stands in the file."""
        return self.heading + self.body


class Journal:
    """A journal file: ``preamble``, the text before the first section, and its ``sections``."""

    __slots__ = ("preamble", "sections")

    def __init__(self, preamble: str, sections: Iterable[Section]) -> None:
        self.preamble = preamble
        self.sections = tuple(sections)


def parse(data: bytes) -> Journal:
    """Read a journal. Never raises."""
    return parse_text(decode(data))


def parse_text(text: str) -> Journal:
    """Read a journal that is text already."""
    preamble: list[str] = []
    chunks = [preamble]
    for line in text.split("\n"):
        if is_heading(line):
            chunks.append([])
        chunks[-1].append(line + "\n")
    chunks[-1][-1] = chunks[-1][-1][:-1]
    return Journal("".join(preamble), (_section("".join(chunk)) for chunk in chunks[1:]))


def render(journal: Journal) -> bytes:
    """Write a journal: its preamble and its sections, exactly as they are."""
    return encode(journal.preamble + "".join(section.text for section in journal.sections))


def is_heading(line: str) -> bool:
    """Whether a line begins a section: ``## HH:MM``, then nothing or a blank and the title."""
    return line[:3] == "## " and is_time(line[3:8]) and line[8:9] in ("", " ", "\t", "\r")


def is_time(text: str) -> bool:
    """Whether ``text`` is a time of day, ``00:00`` to ``23:59``."""
    hour, colon, minute = text[:2], text[2:3], text[3:]
    if len(text) != 5 or colon != ":" or not DIGITS.issuperset(hour + minute):
        return False
    return hour < "24" and minute < "60"


def header(day: str, body: str) -> str:
    """Give the first line of a body's journal of a day (``YYYY-MM-DD``)."""
    return f"# {day} · {body}\n"


def section(time: str, title: str, text: str) -> str:
    """Give a section to append: heading, blank line, text. The title is put on one line.

    Raises ``ValueError`` when ``time`` is not ``HH:MM``.
    """
    if not is_time(time):
        raise ValueError(f"{time!r} is no time of day HH:MM")
    heading = f"## {time} {' '.join(title.split())}".rstrip()
    text = text.strip("\r\n").rstrip(STRIP)
    return f"{heading}\n\n{text}\n" if text else f"{heading}\n"


def append(data: bytes, addition: str) -> bytes:
    """Put a section behind what is there, after one blank line; nothing that is there changes."""
    text = decode(data)
    gap = "\n" if text.endswith("\n") else "\n\n"
    if not text or text.endswith("\n\n"):
        gap = ""
    return data + encode(gap + addition)


def _section(text: str) -> Section:
    heading, newline, body = text.partition("\n")
    return Section(heading, newline + body)
