"""Nothing is lost that nobody deleted, and nothing comes back that somebody did."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from soulsync.formats import agent, entries, journal
from soulsync.formats.json_text import same
from soulsync.formats.text import plain
from soulsync.merge.result import Sides
from soulsync.merge.rules import merge_file
from tests.merge.strategies import Triple, agents, canonical_memories, journals, memories


def all_differ(files: Triple) -> bool:
    """Whether both sides changed the file; beside two files a base that is missing is an empty one."""
    base, ours, theirs = files
    if base is None and None not in (ours, theirs):
        base = b""
    return len({base, ours, theirs}) == 3


DAY = "journal/one/2026-10-01.md"


@given(st.one_of(memories, canonical_memories))
def test_memories_hold_what_either_side_added_and_nothing_that_either_deleted(files: Triple) -> None:
    base, ours, theirs = (set(entries.parse(data or b"")) for data in files)
    assume(all_differ(files))
    merged = entries.parse(merge_file("soul-entries", "memories/OTHER.md", *files, Sides()).data or b"")
    assert set(merged) == (base & ours & theirs) | (ours - base) | (theirs - base)
    assert len(set(merged)) == len(merged)


@given(memories)
def test_merged_memories_are_canonical(files: Triple) -> None:
    assume(all_differ(files) and None not in files)
    merged = merge_file("soul-entries", "memories/MEMORY.md", *files, Sides()).data or b""
    assert entries.render(entries.parse(merged)) == merged


@given(memories)
def test_survivors_keep_the_order_of_the_base_unless_a_side_changed_it(files: Triple) -> None:
    assume(all_differ(files))
    base, ours, theirs = (list(dict.fromkeys(entries.parse(data or b""))) for data in files)
    survivors = [entry for entry in base if entry in ours and entry in theirs]
    merged = entries.parse(merge_file("soul-entries", "memories/MEMORY.md", *files, Sides()).data or b"")
    orders = [[entry for entry in side if entry in survivors] for side in (merged, ours, theirs)]
    changed = [order for order in orders[1:] if order != survivors]
    assert orders[0] in (changed or [survivors])


def lines(data: bytes | None) -> set[str]:
    return {line.rstrip() for line in plain(data or b"").split("\n")}


def sections(data: bytes | None) -> list[str]:
    return [section.text.rstrip() for section in journal.parse_text(plain(data or b"")).sections]


@given(journals)
def test_a_journal_holds_every_line_that_either_side_added(files: Triple) -> None:
    base, ours, theirs = files
    assume(None not in (ours, theirs))
    merged = lines(merge_file("soul-journal", DAY, *files, Sides()).data)
    assert (lines(ours) | lines(theirs)) - lines(base) <= merged


@given(journals)
def test_a_journal_holds_every_section_that_either_side_added_as_often_as_there(files: Triple) -> None:
    base, ours, theirs = files
    assume(None not in (ours, theirs) and all_differ(files))
    merged = sections(merge_file("soul-journal", DAY, *files, Sides()).data)
    for side in (ours, theirs):
        for section in sections(side):
            if section not in sections(base):
                assert merged.count(section) >= sections(side).count(section)


@given(journals)
def test_a_section_of_the_base_goes_only_where_another_with_its_heading_stands(files: Triple) -> None:
    base, ours, theirs = files
    assume(None not in (ours, theirs) and all_differ(files))
    merged = merge_file("soul-journal", DAY, *files, Sides()).data
    headings = {section.split("\n")[0] for section in sections(merged)}
    for section in sections(base):
        if section in sections(ours) or section in sections(theirs):
            assert section.split("\n")[0] in headings


@given(journals)
def test_merging_a_journal_again_loses_and_doubles_nothing(files: Triple) -> None:
    base, ours, theirs = files
    assume(None not in (ours, theirs) and all_differ(files))
    assume(all(len(sections(side)) == len({*sections(side)}) for side in files))
    once = merge_file("soul-journal", DAY, base, ours, theirs, Sides()).data
    twice = merge_file("soul-journal", DAY, base, once, theirs, Sides()).data
    assert sorted(sections(twice)) == sorted(sections(once)) or once == base


@given(agents(broken=False, same_id=True))
def test_every_field_of_an_agent_comes_from_the_side_that_changed_it(files: Triple) -> None:
    base, ours, theirs = (agent.parse(data or b"{}") for data in files)
    merged = agent.parse(merge_file("soul-agent", "agent.json", *files, Sides()).data or b"{}")
    none = object()

    def alike(one: object, other: object) -> bool:
        return one is other if none in (one, other) else same(one, other)

    for key in {*base, *ours, *theirs, *merged}:
        old, mine, other, new = (fields.get(key, none) for fields in (base, ours, theirs, merged))
        if alike(mine, old):
            assert alike(new, other)
        elif alike(other, old) or not (isinstance(mine, dict) and isinstance(other, dict)):
            assert alike(new, mine)
