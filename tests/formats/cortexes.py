"""Entries of ``.agent/memory`` for tests: made by hand, made by chance, and realistic ones from ``fixtures/cortex``."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from soulsync.formats import cortex_distill

FIXTURES = Path(__file__).parents[2] / "fixtures" / "cortex"
CREATED = "2026-11-06T08:00:00.000Z"

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)
TAGS = st.lists(st.from_regex(r"[a-z0-9_][a-z0-9_-]{0,8}", fullmatch=True), max_size=10)
TIMES = st.datetimes().map(lambda moment: moment.isoformat(timespec="milliseconds") + "Z")
IDS = st.from_regex(r"MEM-[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)
ENTRIES = st.fixed_dictionaries(
    {
        "schema_version": st.just(1),
        "memory_id": IDS,
        "type": st.sampled_from(["episodic", "semantic", "procedural"]),
        "content": TEXT,
        "created_at": TIMES,
    },
    optional={
        "title": TEXT,
        "tags": TAGS,
        "source_conversation_id": st.none() | st.just("C-001"),
        "source_decision_id": st.none() | st.just("D-1"),
        "source_run_id": st.none() | TEXT,
        "scope": st.sampled_from(["user", "project", "skill", "runtime", "global"]),
        "expires_at": st.none() | st.dates().map(str),
        "pinned": st.booleans(),
        "confidence": st.integers(0, 1) | st.floats(0, 1, allow_subnormal=False),
        "updated_at": st.none() | TIMES,
    },
)
"""Any valid entry."""


def fixture(name: str) -> Any:
    return json.loads((FIXTURES / name).read_text("utf-8"))


def sentences(count: int, seed: int = 7) -> list[tuple[str, dict[str, Any]]]:
    """``count`` different sentences in English and Chinese, by turns, each with what it was made of."""
    source, chance = fixture("realistic.json"), random.Random(seed)
    found: dict[str, dict[str, Any]] = {}
    while len(found) < count:
        tongue = ("en", "zh")[len(found) % 2]
        template = chance.choice(source[tongue])
        values = {slot: chance.choice(words) for slot, words in source["slots"][tongue].items()}
        found.setdefault(template["text"].format(**values), {**template, "slots": values})
    return list(found.items())


def realistic(count: int = 200, seed: int = 7) -> list[dict[str, Any]]:
    """``count`` realistic entries of all three types, the same ones each time."""
    chance = random.Random(seed)
    entries = []
    for number, (text, made) in enumerate(sentences(count, seed)):
        kind = "episodic" if made.get("episodic") else "procedural" if made.get("procedural") else "semantic"
        candidate = {
            "type": kind,
            "content": text,
            "tags": made["tags"],
            "confidence": chance.choice([0.6, 0.75, 0.8, 0.9, 0.95]),
            "scope": "user" if "preference" in made["tags"] else "project",
            "pinned": number % 25 == 0,
        }
        created = f"{made['slots']['date']}T{chance.randrange(24):02}:{chance.randrange(60):02}:00.000Z"
        entries.append(cortex_distill.entry_of(candidate, created))
    return entries
