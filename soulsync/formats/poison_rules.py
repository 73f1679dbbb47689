"""How rules of poison are tried: where one of their words stands, each surrounding once, and no more often than allowed.

A hostile text may repeat one word ten thousand times. What surrounds it is then the same each time and is looked at
once; where it is not, a text that is so full of suspicious words is reported instead of being read to its end.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Rule = tuple[str, str, "Pattern"]

_BEFORE, _BEHIND = 80, 260
"""How much around a word decides about a rule: no pattern reaches further."""


_FAR = re.compile(r"\{\d+,(?:[3-9]\d|\d{3})\}")
"""A gap of 30 characters or more, at each of which a pattern goes on trying."""


class Pattern:
    """A pattern that is compiled when it is first tried: an ordinary memory needs few of them."""

    __slots__ = ("_compiled", "_source", "cost")

    def __init__(self, source: str) -> None:
        self._source = source
        self.cost = 1 + 8 * len(_FAR.findall(source))
        self._compiled: re.Pattern[str] | None = None

    def match(self, text: str, at: int) -> re.Match[str] | None:
        """What the pattern finds at this place."""
        if self._compiled is None:
            self._compiled = re.compile(self._source, re.MULTILINE)
        return self._compiled.match(text, at)


class Allowance:
    """What may still be spent on a text of this length; a pattern with long gaps costs more."""

    __slots__ = ("left",)

    def __init__(self, length: int) -> None:
        self.left = 12_000 + length

    def spend(self, cost: int) -> bool:
        """Take what a trial costs; whether there was so much."""
        self.left -= cost
        return self.left >= 0


class Rules:
    """Rules by the words at which they begin, and the pattern that finds these words."""

    def __init__(self, trigger: re.Pattern[str], rules: Iterable[tuple[Iterable[str], Rule]]) -> None:
        self._trigger = trigger
        self._by_head: dict[str, list[Rule]] = {}
        for heads, rule in rules:
            for head in heads:
                self._by_head.setdefault(head, []).append(rule)

    @property
    def heads(self) -> frozenset[str]:
        """The words at which a rule begins."""
        return frozenset(self._by_head)

    def find(
        self, text: str, found: dict[str, str], allowance: Allowance, holds: Callable[[str, int, str], bool]
    ) -> None:
        """Add to ``found`` each category that occurs, with the words that show it.

        ``holds`` says whether what stands before a place begins as the rule wants it.
        """
        seen: set[tuple[str, str]] = set()
        for hit in self._trigger.finditer(text):
            rules = self._by_head.get(hit[1])
            if rules is None or all(category in found for category, _, _ in rules):
                continue
            at = hit.start(1)
            around = text[max(0, at - _BEFORE) : at], text[at : at + _BEHIND]
            if around in seen:
                continue
            seen.add(around)
            for category, begins, pattern in rules:
                if category in found:
                    continue
                if not allowance.spend(pattern.cost):
                    return
                match = pattern.match(text, at)
                if match is not None and (not begins or holds(text, at, begins)):
                    found[category] = match[0]


def with_shorter(heads: dict[str, list[int]]) -> dict[str, list[int]]:
    """Give each word also the rules of the words that it begins with: the longest word is what a pattern finds."""
    return {
        head: sorted({rule for end in range(1, len(head) + 1) for rule in heads.get(head[:end], [])}) for head in heads
    }


def spelled(alternatives: str) -> list[str]:
    """The words of ``a|bc?``: parted at bars, with and without a character that a question mark makes optional."""
    words: list[str] = []
    for word in alternatives.split("|"):
        variants = [""]
        for place, character in enumerate(word):
            if character == "?":
                continue
            optional = word[place + 1 : place + 2] == "?"
            variants = [v + c for v in variants for c in ((character, "") if optional else (character,))]
        words += variants
    return words
