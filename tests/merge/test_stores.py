"""Memories of the other two formats: what a merge keeps, and what becomes of two memories under one name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given

from soulsync.formats import cortex, oxsoul, oxsoul_index
from soulsync.formats.instants import instant
from soulsync.formats.text import Malformed
from soulsync.lang import use
from soulsync.merge import cortex as cortex_rule
from soulsync.merge import oxsoul as oxsoul_rule
from soulsync.merge.oxsoul_index import rebuilt
from soulsync.merge.result import BOTH, OURS, THEIRS, Merged, Sides
from soulsync.merge.rules import merge_file
from soulsync.merge.second import Both, Settled, settle
from soulsync.repo import faults
from tests.merge import store_strategies as made
from tests.merge.strategies import Triple, sides

if TYPE_CHECKING:
    from collections.abc import Callable

DAYS = {n: f"2026-09-{n:02}T00:00:00.000Z" for n in range(1, 10)}


def memory(body: str = "Tea.", **fields: str) -> bytes:
    """An OxSoul memory, written by hand so that each line is known."""
    values = {
        "name": "tea",
        "description": "喜欢茶",
        "category": "preference",
        "importance": "0.5",
        "confidence": "0.6",
        "source": "manual",
        "tags": "[a, b]",
        "created": DAYS[1],
        "updated": DAYS[1],
        **fields,
    }
    lines = "".join(f"{key}: {value}\n" for key, value in values.items())
    return f"---\n{lines}---\n\n{body}\n".encode()


def entry(content: str = "Tea.", **fields: object) -> bytes:
    values = {
        "schema_version": 1,
        "memory_id": "MEM-007",
        "type": "semantic",
        "content": content,
        "tags": ["a", "b"],
        "confidence": 0.8,
        "created_at": DAYS[1],
        **fields,
    }
    return cortex.render(values)


def merged_memory(base: bytes | None, ours: bytes, theirs: bytes, about: Sides | None = None) -> bytes:
    data = merge_file("soul-oxsoul", "oxsoul/tea.md", base, ours, theirs, about or Sides()).data
    assert data is not None
    return data


def merged_entry(base: bytes | None, ours: bytes, theirs: bytes) -> dict[str, object]:
    data = merge_file("soul-cortex", "cortex/semantic/MEM-007.json", base, ours, theirs, Sides()).data
    assert data is not None
    return cortex.parse(data)


def test_keys_that_one_side_changed_come_together() -> None:
    ours = memory(importance="0.9 # sure", x_mine="1", updated=DAYS[3])
    theirs = memory("Green tea.", category="fact", updated=DAYS[2])
    result = merged_memory(memory(), ours, theirs)
    assert result == memory("Green tea.", importance="0.9 # sure", category="fact", updated=DAYS[3], x_mine="1")


@pytest.mark.parametrize(("ours_day", "kept"), [(3, OURS), (1, THEIRS)])
def test_where_both_changed_one_key_the_later_updated_wins(ours_day: int, kept: str) -> None:
    ours = memory("Mine.", description="mine", updated=DAYS[ours_day])
    theirs = memory("Other.", description="other", updated=DAYS[2])
    result = merge_file("soul-oxsoul", "oxsoul/tea.md", memory(), ours, theirs, Sides(9, 8))
    assert (result.data, result.kept) == (ours if kept == OURS else theirs, kept)


def test_at_equal_times_of_update_the_newer_commit_wins() -> None:
    ours, theirs = memory("Mine.", updated=DAYS[2]), memory("Other.", updated=DAYS[2])
    assert merged_memory(memory(), ours, theirs, Sides(9, 8)) == ours
    assert merged_memory(memory(), ours, theirs, Sides(8, 9)) == theirs


def test_tags_are_a_set() -> None:
    ours, theirs = memory(tags="[b, mine]", updated=DAYS[2]), memory(tags="[a, b, other]", updated=DAYS[3])
    assert oxsoul.parse(merged_memory(memory(), ours, theirs)).tags == ["b", "mine", "other"]
    base, one, two = entry(), entry(tags=["b", "mine"]), entry(tags=["a", "b", "other"])
    assert merged_entry(base, one, two)["tags"] == ["b", "mine", "other"]


def test_tags_over_ten_are_cut_and_reported() -> None:
    ours, theirs = (entry(tags=[f"{side}{n}" for n in range(7)]) for side in "ab")
    result = merge_file("soul-cortex", "cortex/semantic/MEM-007.json", entry(tags=[]), ours, theirs, Sides())
    tags = cortex.tags_of(cortex.parse(result.data or b""))
    assert len(tags) == 10
    gone = {f"{side}{n}" for side in "ab" for n in range(7)} - set(tags)
    assert result.faults == (cortex_rule.CUT + ", ".join(sorted(gone)),)


def test_fields_of_an_entry_come_together() -> None:
    ours = entry(confidence=0.9, updated_at=DAYS[2])
    theirs = entry(title="tea", pinned=True, updated_at=DAYS[3])
    found = merged_entry(entry(), ours, theirs)
    assert (found["confidence"], found["title"], found["pinned"]) == (0.9, "tea", True)
    assert found["updated_at"] == DAYS[3]


@pytest.mark.parametrize(("rule", "make"), [("soul-oxsoul", memory), ("soul-cortex", entry)])
def test_both_formats_settle_alike_what_needs_no_look_at_fields(rule: str, make: Callable[[str], bytes]) -> None:
    base, mine, other, broken = make("Tea."), make("Mate."), make("Water."), b"{ no memory"

    def merged(known: bytes | None, ours: bytes | None, theirs: bytes | None, about: Sides | None = None) -> Merged:
        return merge_file(rule, "a/MEM-007.md", known, ours, theirs, about or Sides(9, 8))

    assert merged(base, mine, None) == Merged(mine, OURS)
    assert merged(base, mine, None, Sides(8, 9)) == Merged(None, THEIRS)
    assert merged(base, None, other) == Merged(None, OURS)
    assert merged(base, mine, None, Sides(9, 8, inner=True)) == Merged(base)
    for ours, theirs, kept in ((mine, broken, OURS), (broken, other, THEIRS)):
        result = merged(base, ours, theirs)
        assert (result.data, result.kept, len(result.faults)) == (ours if kept == OURS else theirs, kept, 1)
    both = merged(base, broken, b"{ nor this", Sides(8, 9))
    assert (both.data, both.kept, len(both.faults)) == (b"{ nor this", THEIRS, 2)
    first = min(mine, other)  # made at the same time: the smaller bytes keep the name
    assert merged(None, mine, other) == Merged(first, OURS if first == mine else THEIRS)


@given(made.clean_oxsoul, sides())
def test_no_key_and_no_tag_is_lost_that_nobody_deleted(files: Triple, about: Sides) -> None:
    base, ours, theirs = files
    assume(ours not in (theirs, base) and theirs != base)
    result = merge_file("soul-oxsoul", "oxsoul/tea.md", base, ours, theirs, about)
    read = [oxsoul.parse(data) if data else None for data in (base, ours, theirs, result.data)]
    known, mine, other, merged = read
    assert mine is not None
    assert other is not None
    assert merged is not None
    if oxsoul_rule.keeper(base, ours or b"", theirs or b"") is not None:
        assert result.data in (ours, theirs)
        return
    before = {field.key for field in known.document.fields} if known else set()
    after = {field.key for field in merged.document.fields}
    for side, across in ((mine, other), (other, mine)):
        keys = {field.key for field in side.document.fields}
        assert keys - before <= after
        assert set(side.tags) - set(known.tags if known else []) <= {*merged.tags, *across.tags} or result.kept != BOTH
    assert merged.document.body in (mine.document.body, other.document.body)
    latest = max(instant(side.updated) or 0 for side in (mine, other))
    if {field.key for field in mine.document.fields} & {field.key for field in other.document.fields} >= {"updated"}:
        assert (instant(merged.updated) or 0) == latest


class Folder:
    """A merged tree as :func:`settle` sees it."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def settle(self, both: list[Both], *folders: str) -> Settled:
        return settle(both, folders, self.files.get, self.names)

    def names(self, folder: str) -> list[str]:
        return [path.rpartition("/")[2] for path in self.files if path.rpartition("/")[0] == folder]


def test_two_memories_of_one_name_are_both_kept_and_both_in_the_index() -> None:
    ours, theirs = memory("Tea.", created=DAYS[2]), memory("Beer.", created=DAYS[1], description="喜欢啤酒")
    there = Folder({"oxsoul/tea.md": merged_memory(None, ours, theirs), "oxsoul/MEMORY.md": b"# mine\n"})
    assert there.files["oxsoul/tea.md"] == theirs  # made earlier
    settled = there.settle([Both("soul-oxsoul", "oxsoul/tea.md", None, ours, theirs)], "oxsoul")
    assert settled.moved == {"oxsoul/tea.md": "oxsoul/tea-2.md"}
    assert settled.files["oxsoul/tea-2.md"] == memory("Tea.", created=DAYS[2], name="tea-2")
    rows = oxsoul_index.parse(settled.files["oxsoul/MEMORY.md"])
    assert [row.name for row in rows] == ["tea", "tea-2"]
    assert settled.files["oxsoul/MEMORY.md"].startswith(b"# mine\n")


def test_a_second_name_that_is_taken_is_left_alone() -> None:
    ours, theirs = memory("Tea."), memory("Beer.", created=DAYS[2])
    both = [Both("soul-oxsoul", "oxsoul/tea.md", None, ours, theirs)]
    there = Folder({"oxsoul/tea.md": ours, "oxsoul/tea-2.md": memory("Water.", name="tea-2")})
    assert there.settle(both).moved == {"oxsoul/tea.md": "oxsoul/tea-3.md"}
    there.files["oxsoul/tea-3.md"] = memory("Beer.", created=DAYS[2], name="tea-3")
    settled = there.settle(both)
    assert (settled.moved, settled.files) == ({"oxsoul/tea.md": "oxsoul/tea-3.md"}, {})


def test_two_entries_that_both_invented_an_id_are_both_kept() -> None:
    ours, theirs = entry("Tea."), entry("Beer.", created_at=DAYS[2])
    path = "cortex/semantic/MEM-007.json"
    settled = Folder({path: ours}).settle([Both("soul-cortex", path, None, ours, theirs)])
    (second,) = settled.files
    assert second == settled.moved[path] == "cortex/semantic/MEM-007-413f.json"
    assert cortex.parse(settled.files[second]) == {**cortex.parse(theirs), "memory_id": "MEM-007-413f"}


@pytest.mark.parametrize("keeper", [oxsoul_rule.keeper, cortex_rule.keeper])
def test_one_memory_stays_one(keeper: object) -> None:
    make = memory if keeper is oxsoul_rule.keeper else entry
    created = "created" if make is memory else "created_at"
    base, ours, theirs = make("Tea."), make("Green tea."), make("Black tea.")
    assert keeper(base, ours, theirs) is None  # type: ignore[operator]
    assert keeper(None, base, base) is None  # type: ignore[operator]
    assert keeper(base, base, make("Beer.", **{created: DAYS[2]})) is None  # type: ignore[operator]
    replaced = make("Beer.", **{created: DAYS[2]})
    assert keeper(base, ours, replaced) == OURS  # type: ignore[operator]
    assert keeper(base, replaced, ours) == THEIRS  # type: ignore[operator]


@given(made.oxsoul, sides())
def test_two_memories_come_out_alike_whichever_side_is_called_ours(files: Triple, about: Sides) -> None:
    base, ours, theirs = files
    assume(ours is not None and theirs is not None)
    found = []
    for mine, other in ((ours, theirs), (theirs, ours)):
        result = merge_file("soul-oxsoul", "oxsoul/tea.md", base, mine, other, Sides())
        there = Folder({"oxsoul/tea.md": result.data or b""})
        settled = there.settle([Both("soul-oxsoul", "oxsoul/tea.md", base, mine or b"", other or b"")], "oxsoul")
        found.append({**there.files, **settled.files})
    assert found[0] == found[1]


@given(made.indexes)
def test_merged_lines_of_an_index_are_a_set_by_name(files: Triple) -> None:
    base, ours, theirs = files
    assume(None not in (ours, theirs) and ours not in (theirs, base) and theirs != base)
    result = merge_file("soul-oxsoul-index", "oxsoul/MEMORY.md", base, ours, theirs, Sides()).data or b""
    names = [row.name for row in oxsoul_index.parse(result)]
    known, mine, other = ({row.name for row in oxsoul_index.parse(data or b"")} for data in (base, ours, theirs))
    assert sorted(names) == sorted((known & mine & other) | (mine - known) | (other - known))


def test_a_rebuild_passes_over_what_is_no_memory() -> None:
    files = [
        ("tea.md", memory()),
        ("broken.md", b"---\nname: x\n"),
        ("later.md", memory(spec="1")),
        ("MEMORY.md", memory()),
        (".hidden.md", memory()),
        ("notes.txt", memory()),
    ]
    index = rebuilt("oxsoul/engines/node-22", files, None)
    assert [row.name for row in oxsoul_index.parse(index)] == ["tea"]
    assert index.startswith("# 牛魂索引 — 引擎 node-22\n".encode())


@given(made.oxsoul, sides())
def test_a_merged_memory_can_be_read(files: Triple, about: Sides) -> None:
    base, ours, theirs = files
    assume(None not in (ours, theirs))
    result = merge_file("soul-oxsoul", "oxsoul/tea.md", base, ours, theirs, about)
    readable = []
    for data in (ours, theirs):
        try:
            readable.append(bool(oxsoul.parse(data or b"")))
        except Malformed:
            continue
    if readable and result.data not in (ours, theirs, base):
        oxsoul.parse(result.data or b"")


def test_what_is_told_of_tags_that_found_no_place_is_translated() -> None:
    assert faults.CUT == cortex_rule.CUT
    use("zh")
    try:
        assert faults.told(f"{faults.CUT}a, b") == "合并后的标签超过 10 个；没有留下：a, b"
    finally:
        use(None)
