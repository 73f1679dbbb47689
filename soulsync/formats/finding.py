"""A finding of ``validate``: where, which rule, and what is wrong, for every format the same."""

from __future__ import annotations


class Finding:
    """``path`` below what was checked, ``line`` from 1 or None for a whole file, ``rule`` a fixed word, ``message``."""

    __slots__ = ("line", "message", "path", "rule")

    def __init__(self, path: str, line: int | None, rule: str, message: str) -> None:
        self.path = path
        self.line = line
        self.rule = rule
        self.message = message

    def as_json(self) -> dict[str, object]:
        """``{path, line, rule, message}``, as ``validate --json`` prints it."""
        return {"path": self.path, "line": self.line, "rule": self.rule, "message": self.message}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and self.as_json() == other.as_json()

    def __hash__(self) -> int:
        return hash((self.path, self.line, self.rule, self.message))

    def __repr__(self) -> str:
        return f"Finding({self.path!r}, {self.line}, {self.rule!r}, {self.message!r})"
