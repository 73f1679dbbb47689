"""Poison: text in a memory that gives orders to the AI that reads it (SOULSPEC v0 §7.2).

For the preview of an import and for a memory that is added, never for a commit or a sync. In Chinese and English,
over normalised text and by combinations of words rather than whole phrases. A text about what a person, a team or a
program does or must do is a fact. Linear in the length of the text: every pattern's reach is bounded.
"""

from __future__ import annotations

CATEGORIES = ("override", "execution", "pipe", "hiding", "role", "credentials", "hidden-html", "invisible", "dense")
"""Override of earlier instructions, forced execution, a download piped into a shell, hiding things from the user,
change of role, reading credentials, hidden HTML, invisible or bidirectional characters; and a text that is too full of
suspicious words to be read to its end."""


class Suspicion:
    """A ``category`` of poison and the ``words`` that show it: normalised, on one line, at most 60 characters."""

    __slots__ = ("category", "words")

    def __init__(self, category: str, words: str) -> None:
        self.category = category
        self.words = words

    def __repr__(self) -> str:
        return f"Suspicion({self.category!r}, {self.words!r})"


def scan(text: str) -> list[Suspicion]:
    """What is suspicious in a text, each category once, in the order of ``CATEGORIES``; empty for ordinary text."""
    from soulsync.formats import poison_chinese, poison_english, poison_markup
    from soulsync.formats.poison_rules import Allowance
    from soulsync.formats.poison_text import invisible, normalised

    found: dict[str, str] = {}
    sign = invisible(text)
    if sign is not None:
        found["invisible"] = sign
    flat = normalised(text, poison_english.VOCABULARY)
    allowance = Allowance(len(flat))
    for read in (flat, _unwrapped(flat)) if "\n" in flat.strip() else (flat,):
        for rules in (poison_markup, poison_english, poison_chinese):
            rules.find(read, found, allowance)
    if allowance.left < 0:
        found["dense"] = flat[:80]
    return [Suspicion(category, _short(found[category])) for category in CATEGORIES if category in found]


def _unwrapped(text: str) -> str:
    """``text`` with the lines of a paragraph joined: a sentence may go on behind a line end."""
    return "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in text.split("\n\n"))


def _short(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= 60 else words[:59] + "…"
