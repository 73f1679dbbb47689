"""The schema of an entry, rule by rule; and against a checker of JSON Schema where its words allow that."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import cortex, cortex_rules
from soulsync.formats.cortex_rules import Fault
from tests.formats.cortexes import ENTRIES, fixture

CASES = fixture("entries.json")["cases"]


def entry_of(case: dict[str, Any]) -> dict[str, Any]:
    return {key: _text(value) for key, value in case["entry"].items()}


def _text(value: Any) -> Any:
    return value.get("begin", "") + value["repeat"] * value["times"] if isinstance(value, dict) else value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_rules(case: dict[str, Any]) -> None:
    assert [fault.rule for fault in cortex_rules.faults(entry_of(case))] == case["rules"]


def test_every_rule_has_a_case() -> None:
    assert {rule for case in CASES for rule in case["rules"]} == {
        "required", "unknown-key", "schema-version", "memory-id", "type", "scope", "kind", "unicode", "empty",
        "title-length", "content-length", "tags-count", "tag", "source-id", "date", "date-time", "range",
    }  # fmt: skip


def test_a_fault_names_field_and_value_in_ascii() -> None:
    faults = cortex_rules.faults({**entry_of(CASES[0]), "memory_id": "MEM-\u0430", "content": "字" * 4123})
    assert faults == [Fault("memory_id", "memory-id", '"MEM-\\u0430"'), Fault("content", "content-length", "4123")]
    assert len({faults[0], faults[0], faults[1]}) == 2
    assert len(cortex_rules.shown("x" * 1000)) == 60
    assert cortex_rules.shown(cortex.parse(b'{"n": 1.50}')["n"]) == "1.50"


ANYTHING = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.lists(st.text(max_size=3))


@given(ENTRIES, st.sampled_from(cortex.FIELDS), ANYTHING)
def test_any_value_anywhere_is_judged_and_blames_its_own_field(entry: Any, field: str, value: object) -> None:
    assert {fault.field for fault in cortex_rules.faults({**entry, field: value})} <= {field}


@given(ENTRIES, st.text(max_size=8))
def test_the_schema_is_closed(entry: Any, key: str) -> None:
    faults = cortex_rules.faults({**entry, key: "x"})
    assert (Fault(key, "unknown-key") in faults) is (key not in cortex.FIELDS)


@pytest.mark.parametrize("field", cortex.FIELDS)
def test_what_is_required(field: str) -> None:
    whole = entry_of(CASES[1])
    del whole[field]
    required = field in ("schema_version", "memory_id", "type", "content", "created_at")
    assert cortex_rules.faults(whole) == [Fault(field, "required")] * required


@given(st.text("0123456789-:.TZ+ tz\u0661", max_size=30))
def test_times_that_are_taken_are_times_of_rfc_3339(text: str) -> None:
    import re

    if cortex_rules.is_date_time(text):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", text, re.ASCII)
    if cortex_rules.is_date(text):
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII)
