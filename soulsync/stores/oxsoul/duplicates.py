"""Which descriptions say the same: one holds the other, at 6 characters or more (SOULSPEC v0 §8.4)."""

from __future__ import annotations

import unicodedata

SHORTEST = 6


class Descriptions:
    """Descriptions by the names of their memories."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._texts: list[str] = []
        self._same: dict[str, str] = {}

    def add(self, name: str, description: str | None) -> None:
        """Take one in; one that is too short to be compared is left out."""
        text = folded(description or "")
        if len(text) >= SHORTEST:
            self._names.append(name)
            self._texts.append(text)
            self._same.setdefault(text, name)

    def same_as(self, description: str) -> str | None:
        """The name of the first memory whose description holds this one, or is held by it."""
        text = folded(description)
        if len(text) < SHORTEST:
            return None
        if text in self._same:
            return self._same[text]
        return next(
            (name for name, old in zip(self._names, self._texts, strict=True) if old in text or text in old), None
        )


def folded(text: str) -> str:
    """A description as it is compared: NFKC, without case, blanks as one space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
