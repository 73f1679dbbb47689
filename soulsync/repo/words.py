"""Texts as words, for showing what changed in one: each Han, kana or hangul character is a word of its own."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|\s+|.",
    re.DOTALL,
)
MAX_WORDS = 4000
"""Longer texts are shown whole, old and new: the comparison is quadratic."""
SIMILAR = 0.5
"""From this share of common words on, a removed and an added text are one that was edited."""
CONTAINED = 0.8
"""A text of several words of which so many stand in the other, in order, was extended or cut short."""


def words(text: str) -> list[str]:
    """The words of ``text``, blanks and signs included; joined they give the text again."""
    return _WORD.findall(text)


def compare(old: str, new: str) -> list[tuple[str, str]]:
    """How ``old`` became ``new``: pairs of ``=``, ``-`` or ``+`` and a run of text."""
    before, after = words(old), words(new)
    if len(before) > MAX_WORDS or len(after) > MAX_WORDS:
        return [("-", old), ("+", new)]
    runs: list[tuple[str, str]] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            runs.append(("=", "".join(before[a:b])))
            continue
        runs.extend(run for run in (("-", "".join(before[a:b])), ("+", "".join(after[c:d]))) if run[1])
    return runs


def similarity(old: str, new: str) -> float:
    """How much of two texts is common, by words, blanks and case aside: 0 to 1."""
    a, b = ([word for word in words(text.casefold()) if not word.isspace()] for text in (old, new))
    shorter = min(len(a), len(b))
    if shorter == 0:
        return 0.0
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    quick = matcher.quick_ratio()
    if quick < SIMILAR and quick * (len(a) + len(b)) / 2 < CONTAINED * shorter:
        return 0.0
    matched = sum(block.size for block in matcher.get_matching_blocks())
    contained = matched / shorter if shorter > 1 else 0.0
    return max(2 * matched / (len(a) + len(b)), SIMILAR * contained / CONTAINED if contained >= CONTAINED else 0.0)
