"""Stores of the other two formats in a soul, merged by the engine: both memories of a name, indexes as a rebuild."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.merge.oxsoul_index import rebuilt
from soulsync.merge.result import BOTH, REBUILT
from soulsync.repo import objects
from soulsync.repo.audit import Miss, Trees, audit
from soulsync.stores.oxsoul import places, writing
from tests.merge.test_stores import DAYS, entry, memory
from tests.repo.helpers import Content, Lab

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.repo.merge import TreeMerge

TEA, DOG, INDEX = "oxsoul/tea.md", "oxsoul/dog.md", "oxsoul/MEMORY.md"
SEVEN = ".agent/memory/semantic/MEM-007.json"


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def both(lab: Lab, base: dict[str, Content], ours: dict[str, Content], theirs: dict[str, Content]) -> TreeMerge:
    """The merge of two sides of a soul with a store; the audit must agree with it."""
    root = lab.base(**base)
    sides = lab.commit(ours, root, at=10), lab.commit(theirs, root, at=20)
    result = lab.merge(*sides)
    mine, other = (objects.tree_of(lab.repo, side) for side in sides)
    trees = Trees(result.base, mine, other, result.tree)
    assert audit(lab.repo, trees, frozenset(outcome.path for outcome in result.outcomes)) == []
    return result


def index_of(lab: Lab, tree: str, folder: str = "oxsoul") -> None:
    """The index that a merge made is what a rebuild gives."""
    files = lab.files(tree)
    inside = {path.removeprefix(f"{folder}/"): data for path, data in files.items() if path.startswith(f"{folder}/")}
    direct = [(name, data) for name, data in sorted(inside.items()) if "/" not in name]
    now = files[f"{folder}/MEMORY.md"]
    assert rebuilt(folder, direct, now) == now


def test_the_index_is_what_a_rebuild_gives(lab: Lab) -> None:
    dog = memory("Dog.", name="dog", description="养狗", updated=DAYS[5])
    cat = memory("Cat.", name="cat", description="养猫", updated=DAYS[4])
    old = rebuilt("oxsoul", [("tea.md", memory())], None)
    result = both(
        lab,
        {TEA: memory(), INDEX: old},
        {DOG: dog, INDEX: b"# broken\n"},
        {"oxsoul/cat.md": cat, TEA: memory("Green.", updated=DAYS[2])},
    )
    index_of(lab, result.tree)
    text = lab.read(result.tree, INDEX) or ""
    assert [line[3:6] for line in text.splitlines() if line.startswith("- [")] == ["dog", "cat", "tea"]
    assert [(one.rule, one.kept) for one in result.outcomes if one.path == INDEX] == [("soul-oxsoul-index", REBUILT)]


def test_two_memories_of_one_name(lab: Lab) -> None:
    ours, theirs = memory("Tea.", created=DAYS[2]), memory("Beer.")
    result = both(lab, {}, {TEA: ours}, {TEA: theirs})
    files = lab.files(result.tree)
    assert files[TEA] == theirs
    assert files["oxsoul/tea-2.md"] == memory("Tea.", created=DAYS[2], name="tea-2")
    index_of(lab, result.tree)
    assert {one.path: one.kept for one in result.outcomes} == {TEA: BOTH, "oxsoul/tea-2.md": BOTH, INDEX: REBUILT}
    assert "oxsoul/tea-2.md" in result.warnings[0]


def test_both_bodies_invent_one_id(lab: Lab) -> None:
    result = both(lab, {}, {SEVEN: entry("Tea.")}, {SEVEN: entry("Beer.", created_at=DAYS[2])})
    files = lab.files(result.tree)
    assert files[SEVEN] == entry("Tea.")
    second = ".agent/memory/semantic/MEM-007-413f.json"
    assert files[second] == entry("Beer.", created_at=DAYS[2], memory_id="MEM-007-413f")


def test_three_bodies_invent_one_name(lab: Lab) -> None:
    root = lab.base()
    texts = ("Tea.", "Beer.", "Milk.")
    tips = [lab.commit({TEA: memory(text, created=DAYS[n])}, root, at=n) for n, text in enumerate(texts, 1)]
    first = lab.merge(tips[0], tips[1])
    joined = lab.commit_tree(first.tree, tips[0], tips[1], at=10)
    result = lab.merge(joined, tips[2])
    said = [data for path, data in lab.files(result.tree).items() if path.startswith("oxsoul/tea")]
    assert all(any(text.encode() in data for data in said) for text in texts)
    index_of(lab, result.tree)


def test_other_folders_of_a_store_have_an_index_each_and_an_inbox_has_none(lab: Lab) -> None:
    project, inbox = "oxsoul/projects/0a1b2c3d", "oxsoul/inbox/app"
    sides = [{f"{folder}/{name}.md": memory(name, name=name) for folder in (project, inbox)} for name in ("one", "two")]
    result = both(lab, {}, dict(sides[0]), dict(sides[1]))
    index_of(lab, result.tree, project)
    assert "# 牛魂索引 — 项目级" in (lab.read(result.tree, f"{project}/MEMORY.md") or "")
    assert lab.read(result.tree, f"{inbox}/MEMORY.md") is None
    assert lab.read(result.tree, f"{inbox}/two.md")


@pytest.mark.parametrize(("mine", "kept"), [(30, None), (10, "Green.")])
def test_a_deletion_and_an_edit_the_newer_act_wins(lab: Lab, mine: int, kept: str | None) -> None:
    root = lab.base(**{TEA: memory(), INDEX: rebuilt("oxsoul", [("tea.md", memory())], None)})
    ours = lab.commit({TEA: None, INDEX: rebuilt("oxsoul", [], None)}, root, at=mine)
    theirs = lab.commit({TEA: memory("Green.", updated=DAYS[2])}, root, at=20)
    result = lab.merge(ours, theirs)
    assert (kept in (lab.read(result.tree, TEA) or "")) if kept else lab.read(result.tree, TEA) is None
    index_of(lab, result.tree)


def test_what_is_broken_or_binary_loses_to_what_can_be_read(lab: Lab) -> None:
    result = both(
        lab,
        {TEA: memory(), SEVEN: entry()},
        {TEA: b"\0\xff", SEVEN: b"{"},
        {TEA: memory("Green."), SEVEN: entry("Green.")},
    )
    files = lab.files(result.tree)
    assert (files[TEA], files[SEVEN]) == (memory("Green."), entry("Green."))
    index_of(lab, result.tree)
    assert len(result.warnings) == 2


def test_a_merge_that_drops_a_second_memory_is_found_out(lab: Lab) -> None:
    root = lab.base()
    sides = lab.commit({TEA: memory("Tea.")}, root, at=10), lab.commit({TEA: memory("Beer.")}, root, at=20)
    base, ours, theirs = (objects.tree_of(lab.repo, commit) for commit in (root, *sides))
    assert audit(lab.repo, Trees(base, ours, theirs, ours), frozenset([TEA])) == [Miss(TEA, "theirs", "Beer.")]


def test_a_merge_and_the_store_itself_rebuild_an_index_alike(tmp_path: Path) -> None:
    files = {
        "tea.md": memory("Tea.", updated=DAYS[3]),
        "dog.md": memory("Dog.", name="other", importance="much", tags="[a, 中]"),
        "nameless.md": b"---\ndescription: x\n---\n",
        "crlf.md": memory("Milk.", name="crlf").replace(b"\n", b"\r\n"),
        "later.md": memory(spec="1", name="later"),
        "broken.md": b"---\nname: x\n",
        "bytes.md": b"\xff",
        ".hidden.md": memory(),
        "notes.txt": memory(),
    }
    for folder in ("", "projects/0a1b2c3d", "employees/7", "engines/node-22"):
        place = places.Place(tmp_path, folder)
        place.folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (place.folder / name).write_bytes(data)
        for old in (None, "# 牛魂索引 — 我的\n\n> 共 9 条。\n\n- [x](x.md) — x [fact/1/]\n".encode()):
            place.index_file.unlink(missing_ok=True)
            if old is not None:
                place.index_file.write_bytes(old)
            writing.rebuild(place)
            assert rebuilt(f"oxsoul/{folder}".rstrip("/"), sorted(files.items()), old) == place.index_file.read_bytes()
