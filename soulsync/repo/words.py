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
