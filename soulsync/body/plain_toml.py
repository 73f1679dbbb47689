"""TOML of one plain kind, read without ``tomllib``, which takes 8 ms to load: as long as the rest of ``status``."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DIGITS = frozenset("0123456789")
_BARE = frozenset("abcdefghijklmnopqrstuvwxyz_") | _DIGITS
_CONSTANTS = {"true": True, "false": False}


def loads(text: str) -> dict[str, Any]:
    """``text`` as ``tomllib.loads`` reads it; raises ``tomllib.TOMLDecodeError``.

    Where every line is ``key = "text"``, ``key = number`` or ``key = true``, as we write them, it is read here.
    """
    values = _plain(text)
    if values is not None:
        return values
    import tomllib

    return tomllib.loads(text)


def _plain(text: str) -> dict[str, Any] | None:
    values: dict[str, Any] = {}
    for line in text.split("\n"):
        if not line:
            continue
        key, equals, written = line.partition(" = ")
        value = _value(written)
        if not equals or not key or not _BARE.issuperset(key) or key in values or value is None:
            return None
        values[key] = value
    return values


def _value(written: str) -> str | int | bool | None:
    if written in _CONSTANTS:
        return _CONSTANTS[written]
    if written and _DIGITS.issuperset(written) and (written == "0" or written[0] != "0"):
        return int(written) if len(written) < 10 else None
    inner = written[1:-1]
    quoted = len(written) > 1 and written[0] == written[-1] == '"'
    return inner if quoted and inner.isprintable() and '"' not in inner and "\\" not in inner else None
