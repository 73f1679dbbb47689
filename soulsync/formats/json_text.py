"""JSON that survives being read and written by us: order of keys, number literals and odd escapes are kept.

Shared by the JSON formats of a soul. Made of the parts of :mod:`json` that are written in C: the module itself brings
:mod:`re`, which takes as long to load as the whole start of a merge driver.
"""

from __future__ import annotations

try:
    from _json import encode_basestring, make_scanner
except ImportError:  # a Python without the parts in C
    from json.encoder import py_encode_basestring as encode_basestring
    from json.scanner import py_make_scanner as make_scanner  # type: ignore[attr-defined,no-redef]

from soulsync.formats.text import Malformed

__all__ = ["Malformed", "Number", "one_line", "parse", "parse_object", "render", "same"]

MAX_DEPTH = 100
"""Deeper input counts as malformed: how deep Python itself can go depends on who calls, and a merge must not."""


_BLANK = " \t\n\r"
_WORDS = {None: "null", True: "true", False: "false"}


class Number:
    """A number whose literal Python would not write back unchanged: ``1.0e5``, ``-0``, a million digits."""

    __slots__ = ("literal",)

    def __init__(self, literal: str) -> None:
        self.literal = literal

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self.literal == other.literal

    def __hash__(self) -> int:
        return hash(self.literal)

    def __repr__(self) -> str:
        return f"Number({self.literal!r})"


def parse(data: bytes) -> object:
    """Read one JSON value; objects keep their order, a repeated key its last value.

    Numbers are int or float where these say the same, else :class:`Number`. Raises :class:`Malformed` for what is not
    UTF-8, not JSON (``NaN`` and ``Infinity`` are not), or nested deeper than ``MAX_DEPTH``.
    """
    try:
        value = _only_value(data.decode("utf-8").removeprefix("\ufeff"))
    except UnicodeDecodeError:
        raise Malformed("not UTF-8") from None
    except RecursionError:
        raise Malformed("nested too deep") from None
    if not _is_shallow(value):
        raise Malformed("nested too deep")
    return value


def parse_object(data: bytes) -> dict[str, object]:
    """Read one JSON object. Raises :class:`Malformed` as :func:`parse` does, and for any other value."""
    value = parse(data)
    if not isinstance(value, dict):
        raise Malformed("not a JSON object")
    return value


def render(value: object) -> bytes:
    """Write a value indented by 2, non-ASCII unescaped, with a final newline.

    Lone surrogates, which UTF-8 can't hold, are written as the escapes they came from.
    """
    return (_indented(value, "\n") + "\n").encode("utf-8", "backslashreplace")


def one_line(value: object) -> bytes:
    """Write a value on one line with a final newline, otherwise like :func:`render`."""
    return (_flat(value) + "\n").encode("utf-8", "backslashreplace")


def same(one: object, other: object) -> bool:
    """Whether two values are written alike: ``1``, ``1.0`` and ``true`` differ, and so do two orders of keys."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(map(same, one.values(), other.values()))
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    # 0.0 == -0.0, but their literals differ.
    return repr(one) == repr(other) if isinstance(one, float) else one == other


def _integer(literal: str) -> int | Number:
    # Python refuses to read more than 4,300 digits since 3.11; 18 fit into the 64 bits of every other reader.
    if len(literal) <= 18 and str(int(literal)) == literal:
        return int(literal)
    return Number(literal)


def _fraction(literal: str) -> float | Number:
    value = float(literal)
    return value if repr(value) == literal else Number(literal)


def _constant(name: str) -> object:
    raise Malformed(f"not JSON: {name}")


class _Hooks:
    """How the scanner reads what it finds; the names are those of :class:`json.JSONDecoder`."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_int = staticmethod(_integer)
    parse_float = staticmethod(_fraction)
    parse_constant = staticmethod(_constant)
    memo: dict[str, str] = {}  # noqa: RUF012 - part of what the scanner in Python asks for


_scan = make_scanner(_Hooks())  # type: ignore[arg-type]  # it wants these attributes, whoever has them


def _only_value(text: str) -> object:
    """Read the one value that ``text`` is; words of :mod:`json` for what is wrong."""
    begin = len(text) - len(text.lstrip(_BLANK))
    try:
        value, end = _scanned(text, begin)
    except StopIteration as nothing:
        raise _malformed("Expecting value", text, nothing.value) from None
    except Malformed:
        raise
    except ValueError as fault:
        raise Malformed(f"not JSON: {getattr(fault, 'msg', fault)} in line {getattr(fault, 'lineno', 1)}") from None
    if text[end:].strip(_BLANK):
        raise _malformed("Extra data", text, len(text) - len(text[end:].lstrip(_BLANK)))
    return value


def _scanned(text: str, begin: int) -> tuple[object, int]:
    try:
        found: tuple[object, int] = _scan(text, begin)
    except SystemError:
        import json.decoder  # noqa: F401 - its error is raised next, and the parts in C do not load it (Python 3.11)

        found = _scan(text, begin)
    return found


def _malformed(what: str, text: str, at: int) -> Malformed:
    return Malformed(f"not JSON: {what} in line {text.count(chr(10), 0, at) + 1}")


def _is_shallow(value: object) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return True
    return False


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _indented(value: object, newline: str) -> str:
    inner = newline + "  "
    if isinstance(value, dict) and value:
        fields = (f"{encode_basestring(key)}: {_indented(item, inner)}" for key, item in value.items())
        return "{" + inner + ("," + inner).join(fields) + newline + "}"
    if isinstance(value, list) and value:
        return "[" + inner + ("," + inner).join(_indented(item, inner) for item in value) + newline + "]"
    return _flat(value)


def _flat(value: object) -> str:
    if isinstance(value, Number):
        return value.literal
    if isinstance(value, dict):
        return "{" + ", ".join(f"{encode_basestring(key)}: {_flat(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flat, value)) + "]"
    if isinstance(value, str):
        return encode_basestring(value)
    return _WORDS[value] if value is None or isinstance(value, bool) else _number(value)


def _number(value: object) -> str:
    """Write a number. Raises ``ValueError`` for one that JSON has no literal for, ``TypeError`` for anything else."""
    if isinstance(value, float):
        if value - value != 0:
            raise ValueError(f"JSON has no {value!r}")
        return float.__repr__(value)
    if isinstance(value, int):
        return int.__repr__(value)
    raise TypeError(f"{type(value).__name__} is no JSON")
