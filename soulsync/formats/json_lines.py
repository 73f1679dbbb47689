"""Where in a JSON file a key stands, and which keys stand there twice: what a reader of values can't tell.

Loaded where a fault is to be shown, and for files that hold one; reading values is :mod:`soulsync.formats.json_text`.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BLANK = " \t\n\r"
_STRING = json.JSONDecoder().raw_decode


def lines(data: bytes) -> dict[str, int]:
    """Give the line of each key of the object in ``data``, from 1; of a repeated key the last, whose value counts.

    ``data`` must parse (:func:`soulsync.formats.json_text.parse_object`).
    """
    text = data.decode("utf-8-sig")
    found: dict[str, int] = {}
    line, seen = 1, 0
    for key, at in _keys(text):
        line += text.count("\n", seen, at)
        found[key], seen = line, at
    return found


def repeated(data: bytes) -> list[str]:
    """Name the keys that stand twice in one object, at any depth, each once; for ``data`` that parses."""
    found: dict[str, None] = {}

    def look(pairs: list[tuple[str, object]]) -> None:
        if len(dict(pairs)) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    found[key] = None
                seen.add(key)

    # Numbers are not read: Python refuses integers of more than 4,300 digits.
    json.JSONDecoder(object_pairs_hook=look, parse_int=len, parse_float=len).decode(data.decode("utf-8-sig"))
    return list(found)


def _keys(text: str) -> Iterator[tuple[str, int]]:
    """The keys of the outermost object with the place of their opening quote."""
    at = _skip(text, _skip(text, 0) + 1)
    while text[at] == '"':
        key, end = _STRING(text, at)
        yield str(key), at
        at = _skip(text, _after_value(text, _skip(text, _skip(text, end) + 1)))
        if text[at] != ",":
            return
        at = _skip(text, at + 1)


def _after_value(text: str, at: int) -> int:
    """The place behind the value that begins at ``at``; its numbers are skipped, not read."""
    if text[at] in '"{[':
        if text[at] == '"':
            return _STRING(text, at)[1]
        return _after_nested(text, at)
    while text[at] not in ",}] \t\n\r":
        at += 1
    return at


def _after_nested(text: str, at: int) -> int:
    depth = 0
    while True:
        char = text[at]
        if char == '"':
            at = _STRING(text, at)[1]
            continue
        depth += (char in "{[") - (char in "}]")
        at += 1
        if not depth:
            return at


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in _BLANK:
        at += 1
    return at
