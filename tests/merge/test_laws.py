"""What every merge rule must hold to, on bytes, whatever the input."""

from __future__ import annotations

import pytest
from hypothesis import given

from soulsync.formats import agent, body, cortex, lease, oxsoul
from soulsync.merge.result import BOTH, OURS, THEIRS, Merged, Sides
from soulsync.merge.rules import MODULES, merge_file
from soulsync.spec import never_vanishes
from tests.merge import store_strategies
from tests.merge.all_cases import CASES, merges
from tests.merge.strategies import Triple, agents, appended_journals, canonical_memories, sides, swapped

Case = tuple[str, str, Triple, Sides]
ALL = list(CASES)
SYMMETRIC = [rule for rule in ALL if rule != "soul-agent"]


def keeps_its_id(rule: str, *files: bytes | None) -> bool:
    """Whether no side changed the agent's id, the one change that no merge believes."""
    if rule != "soul-agent":
        return True
    base, *others = files
    known = base and agent.agent_id(base)
    return not known or all(not agent_parses(other) or agent.agent_id(other or b"") == known for other in others)


def agent_parses(data: bytes | None) -> bool:
    try:
        agent.parse(data or b"")
    except agent.Malformed:
        return False
    return True


def test_every_rule_is_tried() -> None:
    assert list(MODULES) == ALL


@pytest.mark.parametrize("rule", ALL)
def test_a_change_on_one_side_or_the_same_on_both_is_taken_byte_for_byte(rule: str) -> None:
    @given(merges([rule]))
    def law(case: Case) -> None:
        _, path, (base, ours, theirs), about = case
        if never_vanishes(path):
            base, ours, theirs = base or b"", ours or b"", theirs or b""
        if keeps_its_id(rule, base, ours, theirs):
            assert merge_file(rule, path, base, ours, ours, about).data == ours
            assert merge_file(rule, path, base, ours, base, about).data == ours
            assert merge_file(rule, path, base, base, theirs, about).data == theirs

    law()


@pytest.mark.parametrize("rule", ALL)
def test_nothing_raises_and_no_conflict_marker_appears(rule: str) -> None:
    @given(merges([rule]))
    def law(case: Case) -> None:
        _, path, files, about = case
        merged = merge_file(rule, path, *files, about)
        assert merged.kept in (BOTH, OURS, THEIRS)
        held = {line for data in files for line in (data or b"").replace(b"\r", b"\n").split(b"\n")}
        for line in (merged.data or b"").split(b"\n"):
            assert not line.startswith((b"<<<<<<<", b">>>>>>>", b"|||||||", b"=======")) or line in held

    law()


@pytest.mark.parametrize("rule", SYMMETRIC)
def test_the_names_of_the_sides_do_not_matter(rule: str) -> None:
    @given(merges([rule]))
    def law(case: Case) -> None:
        _, path, (base, ours, theirs), about = case
        assert mirrored(merge_file(rule, path, base, theirs, ours, swapped(about))) == forgetful(
            merge_file(rule, path, base, ours, theirs, about)
        )

    law()


@given(agents(), sides(inner=True))
def test_a_virtual_base_of_agents_does_not_depend_on_the_names_of_the_sides(files: Triple, about: Sides) -> None:
    base, ours, theirs = files
    there = merge_file("soul-agent", "agent.json", base, ours, theirs, about)
    assert merge_file("soul-agent", "agent.json", base, theirs, ours, swapped(about)).data == there.data


@given(agents(broken=False, same_id=True))
def test_agents_of_which_no_field_was_changed_by_both_sides_do_not_depend_on_their_names(files: Triple) -> None:
    base, ours, theirs = files
    there = merge_file("soul-agent", "agent.json", base, ours, theirs, Sides())
    if there.kept == BOTH:
        assert merge_file("soul-agent", "agent.json", base, theirs, ours, Sides()) == there


def forgetful(merged: Merged) -> tuple[bytes | None, str, int]:
    return merged.data, merged.kept, len(merged.faults)


def mirrored(merged: Merged) -> tuple[bytes | None, str, int]:
    return merged.data, {OURS: THEIRS, THEIRS: OURS}.get(merged.kept, merged.kept), len(merged.faults)


@pytest.mark.parametrize("rule", ["soul-newest", "soul-body", "soul-lease"])
def test_merging_the_result_again_changes_nothing_where_a_file_is_taken_whole(rule: str) -> None:
    @given(merges([rule]))
    def law(case: Case) -> None:
        _, path, (base, ours, theirs), about = case
        merged = merge_file(rule, path, base, ours, theirs, about).data
        assert merged in (ours, theirs) or (merged == base and (about.inner or never_vanishes(path)))
        if merged != base:
            assert merge_file(rule, path, base, merged, theirs, about).data == merged

    law()


def assert_stable(rule: str, path: str, files: Triple, about: Sides) -> None:
    base, ours, theirs = files
    merged = merge_file(rule, path, base, ours, theirs, about).data
    assert merge_file(rule, path, base, merged, theirs, about).data == merged
    if rule in SYMMETRIC:
        assert merge_file(rule, path, base, ours, merged, about).data == merged


@given(canonical_memories, sides())
def test_merging_the_result_again_changes_no_memories(files: Triple, about: Sides) -> None:
    assert_stable("soul-entries", "memories/MEMORY.md", files, about)


@given(appended_journals(), sides())
def test_merging_the_result_again_changes_no_journal(files: Triple, about: Sides) -> None:
    assert_stable("soul-journal", "journal/one/2026-10-01.md", files, about)


@given(agents(broken=False, same_id=True), sides(inner=False))
def test_merging_the_result_again_changes_no_agent(files: Triple, about: Sides) -> None:
    base, ours, theirs = (data and agent.render(agent.parse(data)) for data in files)
    merged = merge_file("soul-agent", "agent.json", base, ours, theirs, about).data
    if merged != base:
        assert_stable("soul-agent", "agent.json", (base, ours, theirs), about)


@given(store_strategies.clean_oxsoul, sides())
def test_merging_the_result_again_changes_no_oxsoul_memory(files: Triple, about: Sides) -> None:
    assert_stable("soul-oxsoul", "oxsoul/tea.md", files, about)


@given(store_strategies.clean_cortex, sides())
def test_merging_the_result_again_changes_no_entry(files: Triple, about: Sides) -> None:
    assert_stable("soul-cortex", "cortex/semantic/MEM-007.json", files, about)


READERS = [
    ("soul-agent", agent),
    ("soul-body", body),
    ("soul-lease", lease),
    ("soul-oxsoul", oxsoul),
    ("soul-cortex", cortex),
]


@pytest.mark.parametrize(("rule", "module"), READERS)
def test_the_result_can_be_read_when_both_sides_changed_and_one_can(rule: str, module: object) -> None:
    def reads(data: bytes | None) -> bool:
        try:
            module.parse(data)  # type: ignore[attr-defined]
        except agent.Malformed:
            return False
        return True

    @given(merges([rule]))
    def law(case: Case) -> None:
        _, path, (base, ours, theirs), about = case
        base = base or b""  # for both sides alike: one that is empty did not change
        if None in (ours, theirs) or ours in (theirs, base) or theirs == base:
            return
        merged = merge_file(rule, path, base, ours, theirs, about)
        assert reads(merged.data) == (reads(ours) or reads(theirs))
        unread = [fault for fault in merged.faults if " version is " in fault]
        assert len(unread) == [reads(ours), reads(theirs)].count(False)

    law()
