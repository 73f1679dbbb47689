"""What a file of the work tree becomes as a blob: what ``git add`` stores under the fixed ``.gitattributes`` (§6)."""

from __future__ import annotations

_BINARY_WINDOW = 8000
_TEXT = (".md", ".json")
_PRINTABLE_CONTROLS = frozenset((8, 9, 12, 27))  # backspace, tab, form feed, escape: convert.c gather_stats


def is_binary(data: bytes) -> bool:
    """Whether the spec calls a file binary: a NUL in its first 8,000 bytes; bad UTF-8 is not binary."""
    return b"\0" in data[:_BINARY_WINDOW]


def normalise(path: str, data: bytes) -> bytes:
    """CRLF to LF as git's ``text`` (``*.md``, ``*.json``) and ``text=auto`` (everything else) attributes do."""
    if b"\r\n" not in data:
        return data
    if path.endswith(_TEXT) or not _looks_binary(data):
        return data.replace(b"\r\n", b"\n")
    return data


def same(path: str, one: bytes, other: bytes) -> bool:
    """Whether two contents of a file differ in nothing but CRLF, which a blob of another program may hold."""
    return one == other or normalise(path, one) == normalise(path, other)


def keeps_crlf(path: str, committed: bytes) -> bool:
    """Whether ``git add`` leaves CRLF alone because the committed version has it (convert.c ``has_crlf_in_index``)."""
    return not path.endswith(_TEXT) and b"\r\n" in committed and not _looks_binary(committed)


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
