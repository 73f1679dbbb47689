"""Entries of ``.agent/memory``: read, written, named, dated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import cortex, cortex_distill, cortex_rules
from soulsync.formats.instants import instant
from soulsync.formats.json_text import Number
from tests.formats.cortexes import ENTRIES, IDS, fixture, realistic


@given(ENTRIES)
def test_what_is_valid_is_written_as_it_was_read(entry: dict[str, object]) -> None:
    data = cortex.render(entry)
    assert cortex_rules.faults(cortex.parse(data)) == []
    assert cortex.render(cortex.parse(data)) == data


def test_two_hundred_realistic_entries_are_valid_and_come_back() -> None:
    entries = realistic()
    assert len({str(entry["memory_id"]) for entry in entries}) == 200
    assert {entry["type"] for entry in entries} == set(cortex.TYPES)
    for entry in entries:
        assert cortex_rules.faults(entry) == []
        assert cortex.parse(cortex.render(entry)) == entry
    assert sum("\u4e00" <= str(entry["content"])[0] <= "\u9fff" for entry in entries) > 50


def test_how_an_entry_is_written() -> None:
    entry = cortex_distill.entry_of({"type": "semantic", "content": "偏好"}, "2026-11-30T08:00:00.000Z")
    assert cortex.render(entry).decode() == (
        '{\n  "schema_version": 1,\n  "memory_id": "MEM-semantic-040f6177",\n  "type": "semantic",\n'
        '  "title": "偏好",\n  "content": "偏好",\n  "tags": [],\n  "source_conversation_id": null,\n'
        '  "source_decision_id": null,\n  "source_run_id": null,\n  "scope": "project",\n  "expires_at": null,\n'
        '  "pinned": false,\n  "confidence": 0.8,\n  "created_at": "2026-11-30T08:00:00.000Z",\n'
        '  "updated_at": null\n}\n'
    )
    assert tuple(entry) == cortex.FIELDS


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"\xff{}", b'{"a": NaN}', b'{"a": -Infinity}', b'{"a":' * 200 + b"}" * 200]
)
def test_what_is_no_object_in_utf8_is_malformed(data: bytes) -> None:
    with pytest.raises(cortex.Malformed):
        cortex.parse(data)


@given(IDS)
def test_an_id_is_safe_in_a_path(name: str) -> None:
    assert cortex.is_memory_id(name)
    path = cortex.path_of({"memory_id": name, "type": "semantic"})
    assert path == f"semantic/{name}.json"
    assert path.count("/") == 1
    assert path.isascii()
    assert path.split("/")[1].startswith("MEM-")


@given(st.text(max_size=12).map(lambda text: f"MEM-{text}"))
def test_nothing_else_is_an_id(name: str) -> None:
    import re

    assert cortex.is_memory_id(name) == bool(re.fullmatch(r"MEM-[A-Za-z0-9][A-Za-z0-9._-]*", name))


def test_what_names_no_file_is_refused() -> None:
    for entry in ({"memory_id": "MEM-../x", "type": "semantic"}, {"memory_id": "MEM-a", "type": ".."}, {}):
        with pytest.raises(ValueError, match="names no file"):
            cortex.path_of(entry)


@pytest.mark.parametrize(
    "case", fixture("recall.json")["expiry"], ids=lambda case: f"{case['expires']} at {case['now']}"
)
def test_expiry(case: dict[str, object]) -> None:
    now = instant(case["now"])
    assert now is not None
    assert cortex.is_expired({"expires_at": case["expires"]}, now) is case["expired"]
    assert not cortex.is_expired({"expires_at": case["expires"], "pinned": True}, now)


@pytest.mark.parametrize(
    ("kind", "created", "pinned", "day"),
    [
        ("episodic", "2026-11-30T23:59:59.999Z", False, "2027-02-28"),
        ("episodic", "2026-11-30T23:30:00.000-02:00", False, "2027-03-01"),
        ("episodic", "2026-11-30T00:00:00.000Z", True, None),
        ("semantic", "2026-11-30T00:00:00.000Z", False, None),
        ("procedural", "2026-11-30T00:00:00.000Z", False, None),
        ("episodic", "9999-12-31T00:00:00.000Z", False, None),
        ("episodic", "no time", False, None),
    ],
)
def test_when_a_new_entry_expires(kind: str, created: str, pinned: bool, day: str | None) -> None:
    assert cortex.expires(kind, created, pinned=pinned) == day


def test_numbers_of_any_spelling() -> None:
    assert [cortex.number(value) for value in (1, 0.5, Number("0.50"), Number("1e0"))] == [1.0, 0.5, 0.5, 1.0]
    nothing: tuple[object, ...] = (True, "1", None, [])
    assert [cortex.number(value) for value in nothing] == [None] * 4


def test_default_title() -> None:
    assert cortex.default_title("字" * 80) == "字" * 80
    assert cortex.default_title("字" * 81) == "字" * 77 + "..."


@given(IDS, st.lists(IDS))
def test_a_unique_id_is_a_new_one_on_every_system(name: str, taken: list[str]) -> None:
    known = {one.lower() for one in [*taken, name]}
    found = cortex.unique_id(name, known)
    assert found.lower() not in known
    assert cortex.is_memory_id(found)
    assert cortex.unique_id(name, set()) == name


def test_a_unique_id_stays_short_enough_for_a_file() -> None:
    name = "MEM-" + "a" * 246
    assert cortex.is_memory_id(name)
    assert cortex.is_memory_id(cortex.unique_id(name, {name}))


def test_absent_null_and_default_say_the_same() -> None:
    least = {"content": "x"}
    assert cortex.normal(least) == cortex.normal(
        {**least, "title": None, "scope": "project", "pinned": False, "tags": []}
    )
    assert cortex.normal(least) != cortex.normal({**least, "scope": "user"})
