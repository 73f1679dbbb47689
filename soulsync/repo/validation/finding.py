"""What a check found, and where."""

from __future__ import annotations

import re
from typing import NamedTuple

from soulsync.repo.paths import shown


class Finding(NamedTuple):
    """One deviation from a spec.

    ``path`` is relative to what is checked; ``line`` counts from 1, None where the file as a whole is meant; ``rule``
    names the rule for programs, and never changes; ``message`` is a phrase for people.
    """

    path: str
    line: int | None
    rule: str
    message: str

    def as_json(self) -> dict[str, object]:
        """The finding as the contract words it."""
        return {"path": shown(self.path), "line": self.line, "rule": self.rule, "message": self.message}


def line_of_field(data: bytes, field: str) -> int | None:
    """The line on which a JSON file has a field, by its first mention as a key; None where it has none."""
    found = re.search(rb'"%s"\s*:' % re.escape(field.encode("utf-8", "surrogateescape")), data)
    return None if found is None else line_at(data, found.start())


def line_at(data: bytes, offset: int) -> int:
    """The number of the line that holds the byte at ``offset``."""
    return data.count(b"\n", 0, offset) + 1
