"""What the formats share: bytes to text and back without loss, the set of whitespace, the fault of unreadable input."""

from __future__ import annotations

STRIP = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005"
    "\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What Python's ``str.strip`` or JavaScript's ``trim`` removes, so that all bodies agree (soul-repo-v4 §3.2)."""


class Malformed(ValueError):  # noqa: N818  the spec's own word for such a file (§4 rule 12)
    """A file is not in its format; the message is one short English phrase."""


def decode(data: bytes) -> str:
    """Read bytes as UTF-8; bytes that are not UTF-8 become lone surrogates, which :func:`encode` turns back."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Give back the bytes that :func:`decode` read. Raises ``UnicodeEncodeError`` for surrogates of another origin."""
    return text.encode("utf-8", "surrogateescape")


def plain(data: bytes) -> str:
    """Read bytes as text for people: :func:`decode`, byte order mark dropped, CRLF and lone CR read as LF.

    A lone CR counts as a line end because Python's text mode, with which other programs read the same files, says so.
    """
    return decode(data).lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def is_blank(data: bytes) -> bool:
    """Whether a file holds nothing but whitespace."""
    return not decode(data).strip(STRIP)
