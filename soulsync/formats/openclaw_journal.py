"""OpenClaw's daily files, ``memory/YYYY-MM-DD*.md``, as files of a body's journal (bridges §3, soul-repo-v4 §3.3)."""

from __future__ import annotations

from soulsync.formats import journal, note
from soulsync.formats.text import STRIP, encode, plain
from soulsync.spec import MAX_SEGMENT

SUFFIX = ".md"
_DAY = len("2026-01-31")


def day_of(name: str) -> str | None:
    """The day that a file name begins with, ``YYYY-MM-DD``; None for a name of another kind."""
    day, rest = name[:_DAY], name[_DAY:]
    if not rest.endswith(SUFFIX) or rest[:1].isalnum() or ".incoming" in rest:
        return None
    return day if _is_day(day) else None


def journal_name(name: str) -> str:
    """What a daily file is called in the journal: ``<day>[-<slug>].md``, in characters that every system takes.

    A name of another form gets a mark of its own, so that no two become one.
    """
    slug = name[_DAY : -len(SUFFIX)]
    if not slug or (slug[0] == "-" and slug[1:] == _clean(slug[1:])):
        return name
    clean = _clean(slug.strip(STRIP + "-_."))[: MAX_SEGMENT - _DAY - 8].rstrip(".")
    return f"{name[:_DAY]}-{clean}-{_mark(name)}{SUFFIX}"


def to_journal(day: str, body: str, data: bytes) -> bytes:
    """Give a daily file the form of a journal: its first line, and times of two digits in the headings of sections.

    A heading that says only the day is left out, the rest stays. Never raises.
    """
    header = journal.header(day, body)
    text = plain(data)
    first, _, rest = text.lstrip("\n").partition("\n")
    if first.rstrip(STRIP) in (header.rstrip("\n"), f"# {day}"):
        text = rest
    lines = [_with_two_digits(line) for line in text.strip("\n").split("\n")]
    said = "\n".join(lines).rstrip(STRIP)
    return encode(f"{header}\n{said}\n" if said else header)


def _with_two_digits(line: str) -> str:
    """``## 9:05 …`` as ``## 09:05 …``: other readers know a section by a time of two digits."""
    padded = f"## 0{line[3:]}"
    return padded if line[:3] == "## " and line[4:5] == ":" and journal.is_heading(padded) else line


def _is_day(text: str) -> bool:
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _clean(text: str) -> str:
    return note.clean_segment(text).replace(".incoming", "-incoming")


def _mark(name: str) -> str:
    """6 hex digits of a name's SHA-256."""
    import hashlib

    return hashlib.sha256(encode(name)).hexdigest()[:6]
