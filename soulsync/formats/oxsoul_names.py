"""Names of OxSoul memories and of the folders they lie in: cleaning, uniqueness, FNV-1a."""

from __future__ import annotations

MAX_NAME = 64
_NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
RESERVED = frozenset(
    ["memory", "readme", "con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789")]
)
"""The index, the page that people read first, and the devices that Windows finds in every folder."""


def is_name(text: str) -> bool:
    """Whether ``text`` may name a memory: ``[a-z0-9-]{1,64}``."""
    return 0 < len(text) <= MAX_NAME and _NAME.issuperset(text)


def clean_name(text: str, description: str = "") -> str:
    """Make a name of any text: NFKC, lower case, other characters as ``-``, at most 64; always :func:`is_name`.

    Nothing left: ``mem-`` and the FNV-1a of the description (of the text where there is none). A reserved name gets
    ``-m``.
    """
    import unicodedata

    folded = unicodedata.normalize("NFKC", text).lower()
    parts = "".join([c if c in _NAME else " " for c in folded]).split()
    name = "-".join(parts).strip("-")[:MAX_NAME].rstrip("-")
    if not name:
        name = f"mem-{fnv1a(description or text)}"
    return f"{name}-m" if name in RESERVED else name


class Names:
    """Names that are given out once each; what is taken already is given at the start, case aside."""

    __slots__ = ("_next", "_taken")

    def __init__(self, taken: frozenset[str] | set[str] = frozenset()) -> None:
        self._taken = {name.casefold() for name in taken}
        self._next: dict[str, int] = {}

    def claim(self, name: str) -> str:
        """``name``, or where it is taken ``name-2``, ``name-3``, …, cut to 64 characters."""
        found, number = name, self._next.get(name, 2)
        while found in self._taken:
            found = numbered(name, number)
            number += 1
        self._next[name] = number
        self._taken.add(found)
        return found


def numbered(name: str, number: int) -> str:
    """``name-number`` within 64 characters."""
    end = f"-{number}"
    return name[: MAX_NAME - len(end)].rstrip("-") + end


def fnv1a(text: str) -> str:
    """FNV-1a, 32 bits, over the UTF-8 bytes of ``text``, as 8 hex digits."""
    return _fnv1a(text.encode("utf-8", "surrogateescape"))


def fnv1a_utf16(text: str) -> str:
    """The same over UTF-16 code units, as a JavaScript program gets it that asks for ``charCodeAt``."""
    data = text.encode("utf-16-le", "surrogatepass")
    return _fnv1a([low | high << 8 for low, high in zip(data[::2], data[1::2], strict=True)])


def _fnv1a(units: bytes | list[int]) -> str:
    value = 0x811C9DC5
    for unit in units:
        value = (value ^ unit) * 0x01000193 & 0xFFFFFFFF
    return f"{value:08x}"
