"""``MEMORY.md`` of Claude Code's memory folder: a line for each topic file beside it (bridges §4).

Lines that are there stay as they are, whoever wrote them, until the file that they link to is gone.
"""

from __future__ import annotations

from soulsync.formats import frontmatter, note
from soulsync.formats.frontmatter_values import string
from soulsync.formats.openclaw_blocks import lines_of
from soulsync.formats.text import Malformed, decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

INDEX = "MEMORY.md"
MAX_LINES = 200
MAX_BYTES = 25_000
"""What Claude Code loads of the index; the rest of a longer one it leaves out."""
MAX_HOOK = 150
"""Code points of a description in a line of ours."""
_IN_NAMES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")
_IN_LINKS = {char: f"%{ord(char):02X}" for char in " ()<>%\t"}


class Topic:
    """A topic file: its ``path`` below the memory folder, its ``name`` and ``description``, which may be empty."""

    __slots__ = ("description", "name", "path")

    def __init__(self, path: str, name: str, description: str = "") -> None:
        self.path = path
        self.name = name
        self.description = description


def topic_of(path: str, data: bytes) -> Topic:
    """Read what the index says of a file: its frontmatter, else its heading, else its name. Never raises."""
    stem = path.rpartition("/")[2].removesuffix(".md")
    try:
        document = frontmatter.parse(data)
    except Malformed:
        written = note.parse(data)
        return Topic(path, written.topic or stem, written.summary or "")
    name, description = (string(document.text(key) or "", comments=True) for key in ("name", "description"))
    return Topic(path, name or stem, description)


def rebuild(data: bytes, topics: Iterable[Topic], gone: Collection[str] = ()) -> bytes:
    """Give each topic a line, and take out the lines that only link to files ``gone``, by path.

    New lines follow the last that links to a topic; those beyond what Claude Code loads are left out. Gives back
    ``data`` itself where nothing is to change.
    """
    lines = [line for line in lines_of(decode(data)) if _linked(line) not in gone]
    newline = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    text = "".join(lines)
    missing = [topic for topic in topics if not _mentions(text, topic.path)]
    at = max((number for number, line in enumerate(lines, 1) if _linked(line)), default=len(lines))
    size = len(encode(text))
    for topic in missing:
        line = _line(topic) + newline
        size += len(encode(line))
        if len(lines) >= MAX_LINES or size > MAX_BYTES:
            break
        if at and not lines[at - 1].endswith(("\n", "\r")):
            lines[at - 1] += newline
        lines.insert(at, line)
        at += 1
    return encode("".join(lines))


def _line(topic: Topic) -> str:
    """``- [name](path) — description``, each on one line and without what would end the link."""
    name = _one_line(topic.name).replace("[", "(").replace("]", ")")
    link = "".join(_IN_LINKS.get(char, char) for char in topic.path)
    hook = _one_line(topic.description)
    if len(hook) > MAX_HOOK:
        hook = hook[: MAX_HOOK - 1].rstrip() + "…"
    return f"- [{name}]({link})" + (f" — {hook}" if hook else "")


def _linked(line: str) -> str | None:
    """The path that a bullet of the index links to; None for every other line."""
    bullet = line.strip()
    if bullet[:3] not in ("- [", "* [", "+ ["):
        return None
    link, end, _ = bullet.partition("](")[2].partition(")")
    path = _unescaped(link.removeprefix("<").removesuffix(">").removeprefix("./"))
    return path if end and path.endswith(".md") else None


def _mentions(text: str, path: str) -> bool:
    """Whether an index names a file, in a link or in words."""
    for written in {path, "".join(_IN_LINKS.get(char, char) for char in path)}:
        at = text.find(written)
        while at >= 0:
            before, after = text[at - 1 : at] if at else "", text[at + len(written) : at + len(written) + 1]
            if (before not in _IN_NAMES or text[max(at - 2, 0) : at] == "./") and after not in _IN_NAMES - {"."}:
                return True
            at = text.find(written, at + 1)
    return False


def _unescaped(link: str) -> str:
    from urllib.parse import unquote

    return unquote(link, errors="surrogateescape")


def _one_line(text: str) -> str:
    return " ".join(text.split())
