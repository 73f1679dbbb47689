"""Memories: entries joined by lines that hold only the section sign (soul-repo-v4 §3.2)."""

from __future__ import annotations

from soulsync.formats.text import STRIP, encode, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["DELIMITER", "STRIP", "entry_hash", "is_entry", "parse", "project", "render"]

DELIMITER = "§"
JOINT = "\n§\n"
_LIKE_A_DELIMITER = "\n§"


def parse(data: bytes) -> list[str]:
    """Read the entries of a memories file, in order, duplicates included.

    An entry is stripped and not empty. Bytes that are not UTF-8 stand in it as lone surrogates. Never raises; linear.
    """
    text = plain(data)
    pieces = text.split(JOINT)
    if text.count(DELIMITER) == len(pieces) - 1:  # no section sign but those of the joints
        return [entry for piece in pieces if (entry := piece.strip(STRIP))]
    entries: list[str] = []
    for piece in pieces:
        # Most delimiters are written as we write them; a line that begins like one is looked at by itself.
        if piece[:1] == DELIMITER or _LIKE_A_DELIMITER in piece:
            entries += map(_strip, _pieces(piece))
        else:
            entries.append(_strip(piece))
    return [entry for entry in entries if entry]


def _pieces(text: str) -> Iterator[str]:
    """Cut at each line that holds the section sign and blanks after it."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line[:1] == DELIMITER and line.rstrip(" \t") == DELIMITER:
            yield "\n".join(lines)
            lines = []
        else:
            lines.append(line)
    yield "\n".join(lines)


def render(entries: Iterable[str]) -> bytes:
    """Write entries in canonical form: joined, one final newline; no entries are an empty file.

    Each text must be an entry (:func:`is_entry`); :func:`parse` gives nothing else.
    """
    text = JOINT.join(entries)
    return encode(text + "\n") if text else b""


def is_entry(text: str) -> bool:
    """Whether ``text`` can stand in a memories file as one entry and be read back unchanged."""
    try:
        return bool(text) and parse(render([text])) == [text]
    except UnicodeEncodeError:
        return False


def project(entries: Iterable[str], limit: int) -> list[str]:
    """Choose the entries that fit into ``limit`` code points when joined, in order; one too long is skipped."""
    shown: list[str] = []
    used = -len(JOINT)
    for entry in entries:
        size = len(JOINT) + len(entry)
        if used + size <= limit:
            shown.append(entry)
            used += size
    return shown


def entry_hash(text: str) -> str:
    """Name an entry by its content: SHA-256 of its bytes, in hex."""
    import hashlib

    return hashlib.sha256(encode(text)).hexdigest()


def _strip(text: str) -> str:
    text = text.strip(STRIP)
    if text[:1] == DELIMITER or text[-1:] == DELIMITER:
        return _without_bare_delimiters(text)
    return text


def _without_bare_delimiters(text: str) -> str:
    """Drop lines at both ends that became delimiters only by stripping (``" §"`` first, ``"§\\u3000"`` last).

    Written back they would split the entry; a bare section sign says nothing. Works on lines: repeated stripping of
    the whole text would be quadratic.
    """
    lines = text.split("\n")
    first, end = 0, len(lines)
    while first < end and lines[first].lstrip(STRIP).rstrip(" \t") in ("", DELIMITER):
        first += 1
    while first < end and lines[end - 1].rstrip(STRIP) in ("", DELIMITER):
        end -= 1
    text = "\n".join(lines[first:end]).strip(STRIP)
    return "" if text == DELIMITER else text
