"""The audit of the other two formats: silent about every merge by the rules, and not about one that drops something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from soulsync.merge.rules import merge_file, rule_for
from soulsync.merge.second import Both, settle
from soulsync.repo.audit_stores import lost
from tests.merge import store_strategies as made
from tests.merge.strategies import Triple, sides
from tests.merge.test_stores import DAYS, entry, memory

if TYPE_CHECKING:
    from soulsync.merge.result import Sides

TEA = "oxsoul/tea.md"
SEVEN = "cortex/semantic/MEM-007.json"
Lost = list[tuple[str, str]] | None


def lost_by_the_rules(path: str, files: Triple, about: Sides) -> Lost:
    base, ours, theirs = files
    assume(ours is not None and theirs is not None and ours not in (theirs, base) and theirs != base)
    assert ours is not None
    assert theirs is not None
    rule = rule_for(path)
    merged = merge_file(rule, path, base, ours, theirs, about).data or b""
    beside = settle([Both(rule, path, base, ours, theirs)], [], {path: merged}.get, lambda _: []).files
    return lost(path, base or b"", {"ours": ours, "theirs": theirs}, merged, lambda: [merged, *beside.values()])


@given(st.one_of(made.oxsoul, made.clean_oxsoul), sides())
def test_the_rule_for_oxsoul_loses_nothing(files: Triple, about: Sides) -> None:
    assert not lost_by_the_rules(TEA, files, about)


@given(st.one_of(made.cortex, made.clean_cortex), sides())
def test_the_rule_for_entries_loses_nothing(files: Triple, about: Sides) -> None:
    assert not lost_by_the_rules(SEVEN, files, about)


BASES = [(TEA, memory(x_author="薰")), (SEVEN, entry(title="tea"))]
CHANGES: list[tuple[str, bytes, bytes, bytes, str]] = [
    (TEA, memory(importance="1"), memory(category="fact"), memory(importance="1"), "category\n"),
    (TEA, memory(x_author="薰"), memory(importance="1"), memory(importance="1"), "x_author\n"),
    (TEA, memory(tags="[a, b, c]"), memory(tags="[a, b, d]"), memory(tags="[a, b, c]"), "tag d\n"),
    (TEA, memory("Green."), memory(importance="1"), memory(importance="1"), "\n"),
    (SEVEN, entry(title="t"), entry(pinned=True), entry(title="t"), "pinned\n"),
    (SEVEN, entry(tags=["a", "b", "c"]), entry(tags=["a", "b", "d"]), entry(tags=["a", "b", "d"]), 'tag "c"\n'),
    (SEVEN, entry("Green."), entry(pinned=True), entry(pinned=True), "content\n"),
]


@pytest.mark.parametrize(("path", "ours", "theirs", "result", "part"), CHANGES, ids=range(len(CHANGES)))
def test_what_one_side_added_and_the_result_lacks_is_named(
    path: str, ours: bytes, theirs: bytes, result: bytes, part: str
) -> None:
    base = memory() if path == TEA else entry()
    found = lost(path, base, {"ours": ours, "theirs": theirs}, result, lambda: [result])
    assert [text.startswith(part) for _, text in found or []] == [True]


@pytest.mark.parametrize(("path", "make"), [(TEA, memory), (SEVEN, entry)])
def test_a_second_memory_that_is_nowhere_is_named(path: str, make: object) -> None:
    ours, theirs = make("Tea."), make("Beer.")  # type: ignore[operator]
    found = lost(path, b"", {"ours": ours, "theirs": theirs}, ours, lambda: [ours])
    assert [(side, "Beer." in text) for side, text in found or []] == [("theirs", True)]
    assert lost(path, b"", {"ours": ours, "theirs": theirs}, ours, lambda: [ours, theirs]) == []


def test_the_later_time_of_two_is_no_loss() -> None:
    one, two = memory(updated=DAYS[2], importance="1"), memory(updated=DAYS[3])
    result = memory(updated=DAYS[3], importance="1")
    assert lost(TEA, memory(), {"ours": one, "theirs": two}, result, lambda: [result]) == []
    assert lost(TEA, memory(), {"ours": b"\xff", "theirs": two}, two, lambda: [two]) is None
