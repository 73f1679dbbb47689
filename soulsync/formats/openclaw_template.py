"""Text that OpenClaw puts into a new workspace, and places it leaves to be filled in: no memories (bridges §1, §3)."""

from __future__ import annotations

from soulsync.formats.text import STRIP, encode

_SHIPPED = frozenset(
    {
        "635ba8b3087e", "a1bdc9d5dffa", "d68e05e1d3c7", "ab6349e70b79", "f870f8e108d8", "dcd8c72e9d81", "bc4bac2fda26",
        "2875283d02ab", "4f3983dd32ff", "8753357ddb23", "8e035deda879", "bf6796817b48", "7a9ac0e45c81", "2487bd074cef",
        "01f5333261ff", "a48f54c89b45", "7aff4f1a42bb", "f5d92df86270", "fa893b57f692",
    }
)  # fmt: skip
"""The lines of its templates ``USER.md``, ``SOUL.md`` and ``IDENTITY.md``, by :func:`_fingerprint`."""
_HINTS = (("_(", ")_"), ("*(", ")*"), ("_（", "）_"), ("*（", "）*"))
MAX_LABEL = 60
"""Code points of a label; a longer line that ends with a colon is a sentence."""


def is_template(text: str) -> bool:
    """Whether a block says nothing of its own: each line is shipped text, a hint or a label without a value."""
    return all(_is_shipped(line) for line in text.split("\n"))


def _is_shipped(line: str) -> bool:
    line = line.strip(STRIP)
    return not line or _is_hint(line) or _is_unfilled(line) or _fingerprint(line) in _SHIPPED


def _is_hint(line: str) -> bool:
    """Whether a line is an aside in brackets and italics, ``_(optional)_``, or a link into OpenClaw's own pages."""
    if line.startswith("[") and line.endswith(")") and "](/" in line:
        return True
    return any(line.startswith(begin) and line.endswith(end) for begin, end in _HINTS)


def _is_unfilled(line: str) -> bool:
    """Whether a line is a label with nothing behind it, such as ``**Name:**`` or ``**Pronouns:** _(optional)_``."""
    label, colon, value = line.replace("：", ":", 1).partition(":")
    value = value.strip(STRIP).removeprefix("**").strip(STRIP)
    return bool(colon) and len(label) <= MAX_LABEL and (not value or _is_hint(value))


def _fingerprint(line: str) -> str:
    """Name a line by its content, however it is emphasised, spaced or quoted: 12 hex digits of SHA-256."""
    import hashlib

    said = " ".join(line.replace("’", "'").split()).strip("*_").casefold()
    return hashlib.sha256(encode(said)).hexdigest()[:12]
