"""Places in a file, counted as editors count lines: from 1."""

from __future__ import annotations

from soulsync.formats import json_lines


def line_of_field(data: bytes, field: str) -> int | None:
    """The line on which a JSON object has a field; None where it has none."""
    return json_lines.lines(data).get(field)


def line_at(data: bytes, offset: int) -> int:
    """The number of the line that holds the byte at ``offset``."""
    return data.count(b"\n", 0, offset) + 1


def first_difference(data: bytes, other: bytes) -> int:
    """The first line in which two texts differ."""
    lines, others = data.split(b"\n"), other.split(b"\n")
    pairs = zip(lines, others, strict=False)
    return next((number for number, (a, b) in enumerate(pairs, 1) if a != b), min(len(lines), len(others)))
