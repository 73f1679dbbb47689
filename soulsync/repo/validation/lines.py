"""Places in a file, counted as editors count lines: from 1."""

from __future__ import annotations

from soulsync.formats import json_lines


def line_of_field(data: bytes, field: str) -> int | None:
    """The line on which a JSON object has a field; None where it has none."""
    return json_lines.lines(data).get(field)


def line_at(data: bytes, offset: int) -> int:
    """The number of the line that holds the byte at ``offset``."""
    return data.count(b"\n", 0, offset) + 1
