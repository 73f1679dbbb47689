"""What a file of the work tree becomes as a blob: what ``git add`` stores under the fixed ``.gitattributes`` (§6)."""

from __future__ import annotations

_BINARY_WINDOW = 8000
_PRINTABLE_CONTROLS = frozenset((8, 9, 12, 27))  # backspace, tab, form feed, escape: convert.c gather_stats


def is_binary(data: bytes) -> bool:
    """Whether the spec calls a file binary: a NUL in its first 8,000 bytes; bad UTF-8 is not binary."""
    return b"\0" in data[:_BINARY_WINDOW]


def normalise(path: str, data: bytes) -> bytes:
    """CRLF to LF as git's ``text`` (``*.md``, ``*.json``) and ``text=auto`` (everything else) attributes do."""
    if b"\r\n" not in data:
        return data
    if path.endswith((".md", ".json")) or not _looks_binary(data):
        return data.replace(b"\r\n", b"\n")
    return data


def _looks_binary(data: bytes) -> bool:
    """Git's guess for ``text=auto`` (convert.c ``convert_is_binary``, git 2.39)."""
    if b"\0" in data or data.count(b"\r") != data.count(b"\r\n"):
        return True
    controls = sum(
        1 for byte in data if (byte < 32 and byte not in _PRINTABLE_CONTROLS and byte not in (10, 13)) or byte == 127
    )
    if data.endswith(b"\x1a"):
        controls -= 1
    return (len(data) >> 7) < controls
