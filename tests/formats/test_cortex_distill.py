"""From candidates to entries."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import cortex_distill, cortex_rules
from soulsync.formats.cortex_distill import KNOWN, candidate_faults, entry_of
from tests.formats.cortexes import CREATED, ENTRIES


def rules(candidate: object) -> list[tuple[str, str]]:
    return [(fault.field, fault.rule) for fault in candidate_faults(candidate, CREATED)]


def test_defaults() -> None:
    entry = entry_of({"type": "episodic", "content": "字" * 100}, CREATED)
    assert entry["title"] == "字" * 77 + "..."
    assert (entry["scope"], entry["confidence"], entry["pinned"], entry["tags"]) == ("project", 0.8, False, [])
    assert entry["expires_at"] == "2027-02-04"
    assert entry["created_at"] == CREATED
    assert entry_of({"type": "episodic", "content": "x", "pinned": True}, CREATED)["expires_at"] is None
    assert entry_of({"type": "semantic", "content": "x"}, CREATED)["expires_at"] is None


@given(ENTRIES.map(lambda entry: {key: value for key, value in entry.items() if key in KNOWN}))
def test_good_candidates_become_valid_entries_that_say_the_same(candidate: dict[str, Any]) -> None:
    assert rules(candidate) == []
    entry = entry_of(candidate, CREATED)
    assert cortex_rules.faults(entry) == []
    assert entry == entry_of(candidate, CREATED)
    assert all(entry[field] == value for field, value in candidate.items() if value is not None)


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        ([], [("", "object")]),
        ("text", [("", "object")]),
        ({}, [("type", "required"), ("content", "required")]),
        ({"type": None, "content": "x"}, [("type", "required")]),
        ({"type": "fact", "content": "x"}, [("type", "type")]),
        ({"type": "semantic", "content": 7}, [("content", "kind")]),
        ({"type": "semantic", "content": ""}, [("content", "empty")]),
        ({"type": "semantic", "content": "x" * 4001}, [("content", "content-length")]),
        ({"type": "semantic", "content": "x", "memory_id": "MEM-1"}, [("memory_id", "unknown-key")]),
        ({"type": "semantic", "content": "x", "created_at": CREATED}, [("created_at", "unknown-key")]),
        ({"type": "semantic", "content": "x", "tags": ["A"], "scope": "x"}, [("tags", "tag"), ("scope", "scope")]),
        ({"type": "semantic", "content": "x", "confidence": 2}, [("confidence", "range")]),
        ({"type": "semantic", "content": "\ud800"}, [("content", "unicode")]),
    ],
)
def test_bad_candidates(candidate: object, expected: list[tuple[str, str]]) -> None:
    assert rules(candidate) == expected


def test_the_length_is_told_and_nothing_is_cut() -> None:
    (fault,) = candidate_faults({"type": "semantic", "content": "字" * 4123}, CREATED)
    assert fault.found == "4123"


@given(st.text(max_size=20), st.text(max_size=20))
def test_ids_come_from_type_and_content(one: str, other: str) -> None:
    first, second = (next(cortex_distill.ids("semantic", text)) for text in (one, other))
    assert (first == second) is (one == other)
    assert next(cortex_distill.ids("episodic", one)) != first


def test_ids_never_end_and_never_repeat() -> None:
    names = cortex_distill.ids("semantic", "x")
    found = [next(names) for _ in range(40)]
    assert len(set(found)) == 40
    assert found[:2] == ["MEM-semantic-2dc29c2d", "MEM-semantic-aa767db2"]
    assert found[8:10] == ["MEM-semantic-2dc29c2d-1", "MEM-semantic-2dc29c2d-2"]
