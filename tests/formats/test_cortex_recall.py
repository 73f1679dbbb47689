"""``recall``: the rankings of ``fixtures/cortex/recall.json``, which are cortex-agent's, and the laws behind them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import cortex_recall
from soulsync.formats.cortex_recall import Filters, recall, tokens
from soulsync.formats.instants import instant
from tests.formats.cortexes import ENTRIES, fixture, realistic

RECALL = fixture("recall.json")
NOW = instant(RECALL["now"]) or 0
NAMES = {"id": "memory_id", "expires": "expires_at", "created": "created_at"}
ENTRIES_OF_FIXTURE = [{NAMES.get(key, key): value for key, value in entry.items()} for entry in RECALL["entries"]]


@pytest.mark.parametrize("case", RECALL["cases"], ids=lambda case: case["name"])
def test_ranking(case: dict[str, Any]) -> None:
    filters = Filters(
        case.get("types", ()), case.get("scope"), case.get("least"), include_expired=case.get("include_expired", False)
    )
    now = NOW + 1000 * case.get("later_ms", 0)
    found = recall(ENTRIES_OF_FIXTURE, case["query"], now, case["limit"], filters, every=case.get("all", False))
    assert [[entry["memory_id"], score] for entry, score in found.hits] == case["ranking"]
    assert {name: getattr(found, name) for name in case["counts"]} == case["counts"]


@pytest.mark.parametrize("case", RECALL["tokens"], ids=lambda case: case["text"])
def test_tokens(case: dict[str, Any]) -> None:
    assert tokens(case["text"]) == case["tokens"]


@given(st.lists(ENTRIES, max_size=8), st.text("ab 决策风格。", max_size=8), st.integers(-2, 9))
def test_laws(entries: list[Any], query: str, limit: int) -> None:
    found = recall(entries, query, NOW, limit, Filters())
    every = recall(entries, query, NOW, limit, Filters(), every=True)
    assert found.scanned == len(entries) == every.matched + every.expired
    assert len(found.hits) == min(found.limit, found.matched) <= every.matched
    scores = [score for _, score in every.hits]
    assert scores == sorted(scores, reverse=True)
    for entry, score in every.hits:
        assert cortex_recall.score(entry, query, NOW) == score
    assert recall(list(reversed(entries)), query, NOW, limit, Filters()).hits == found.hits or duplicated(entries)


def duplicated(entries: list[Any]) -> bool:
    """Two entries of one type and id can't be told apart: they keep their order."""
    return len({(entry["type"], entry["memory_id"]) for entry in entries}) < len(entries)


@given(ENTRIES, st.text("决策风格", min_size=1, max_size=6))
def test_a_part_of_a_han_run_is_found_and_is_worth_less_than_the_whole(entry: Any, run: str) -> None:
    held = {
        **entry,
        "title": "",
        "tags": [],
        "content": f"x {run}好 y",
        "confidence": 0,
        "created_at": "1990-01-01T00:00:00Z",
    }
    assert cortex_recall.score(held, run, NOW) == 0.15
    assert cortex_recall.score(held, f"{run}好", NOW) == 0.3


def test_two_hundred_memories_answer_in_both_languages() -> None:
    entries = realistic()
    english = recall(entries, "billing", NOW, 5, Filters()).hits
    chinese = recall(entries, "计费服务", NOW, 5, Filters()).hits
    assert english
    assert chinese
    assert all("billing" in str(entry["content"]) for entry, _ in english)
    assert all("计费服务" in str(entry["content"]) for entry, _ in chinese)
