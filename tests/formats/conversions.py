"""Memories of the three formats by chance, for the tests of conversions."""

from __future__ import annotations

from hypothesis import strategies as st

from soulsync.formats import entries
from soulsync.formats.conversion_items import OxSoul, SoulEntry
from soulsync.formats.text import STRIP
from tests.formats.cortexes import TAGS, TIMES, sentences

WORDS = st.text(st.sampled_from("ab 字记忆。#-\n§\"':[]\u3000{}"), min_size=1, max_size=40)
PROSE = st.lists(
    st.sampled_from(["# Title", "", "A fact.", "决策风格", "- item", "    code", "§ 3", "x: y"]), max_size=6
).map("\n".join)


def _entry(text: str) -> str:
    return text.strip(STRIP) or "x"


SOUL_ENTRIES = st.builds(
    lambda text, user: SoulEntry(text, user=user), (WORDS | PROSE).map(_entry).filter(entries.is_entry), st.booleans()
)
LINES = (WORDS | PROSE).map(lambda text: " ".join(text.split())).filter(bool).map(lambda text: text[:120].strip())
SHARES = st.sampled_from([0.0, 0.25, 0.5, 0.6, 0.95, 1.0])
EXTRAS = st.dictionaries(
    st.sampled_from(["x_fingerprint", "x_read_count", "x_author", "note"]), st.sampled_from(["a b", "007", "[x]"])
)


def _memory(known: dict[str, str | float | list[str]], extra: dict[str, str], body: str) -> OxSoul:
    return OxSoul({**known, **extra}, body.strip("\n"))


OXSOULS = st.builds(
    _memory,
    st.fixed_dictionaries(
        {
            "name": st.from_regex(r"[a-z0-9][a-z0-9-]{0,20}", fullmatch=True),
            "description": LINES,
            "category": st.sampled_from(["preference", "fact", "feedback", "skill", "context"]),
            "importance": SHARES,
            "confidence": SHARES,
            "source": st.sampled_from(["manual", "agent-tool", "auto-extract", "scan", "import", "consolidate"]),
            "created": TIMES,
            "updated": TIMES,
        },
        optional={"tags": TAGS | st.lists(st.sampled_from(["偏好", "a b", "C++", "pnpm"]), max_size=3)},
    ),
    EXTRAS,
    WORDS | PROSE,
)


def soul_entries(count: int = 200, seed: int = 11) -> list[str]:
    """``count`` realistic entries of a soul's memories, the same ones each time; every tenth below a heading."""
    return [
        f"# {made['tags'][0]} {number}\n\n{text}" if number % 10 == 0 else text
        for number, (text, made) in enumerate(sentences(count, seed))
    ]
