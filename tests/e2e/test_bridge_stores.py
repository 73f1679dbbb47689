"""Stores of this machine and those in the soul, file by file, with the merge rules of their formats (bridges §5)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from soulsync.formats import cortex, oxsoul
from soulsync.merge.oxsoul_index import rebuilt
from tests.merge.test_stores import DAYS, entry, memory

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Body


@pytest.fixture
def store(one: Body) -> Path:
    """``~/.oxsoul`` of the body, bridged, with one memory."""
    folder = one.folder / ".oxsoul"
    folder.mkdir()
    (folder / "tea.md").write_bytes(memory("Tea."))
    one.ok("bridge", "add", "oxsoul")
    return folder


@pytest.fixture
def project(one: Body) -> Path:
    """An ``.agent/memory`` of a project of the body, bridged, with one entry."""
    folder = one.folder / "project" / ".agent" / "memory"
    (folder / "semantic").mkdir(parents=True)
    (folder / "semantic" / "MEM-007.json").write_bytes(entry("Tea."))
    one.ok("bridge", "add", "cortex", "--path", str(folder))
    return folder


def both_indexes_are_right(one: Body, store: Path) -> None:
    for folder in (store, one.soul / "oxsoul"):
        files = {file.name: file.read_bytes() for file in folder.glob("*.md")}
        index = files.pop("MEMORY.md")
        assert rebuilt("", sorted(files.items()), index) == index
        assert all(f"({name})" in index.decode() for name in files)


def test_memories_go_both_ways_and_each_index_is_rebuilt(one: Body, store: Path) -> None:
    one.write("oxsoul/beer.md", memory("Beer.", name="beer"))
    (store / "inbox" / "p").mkdir(parents=True)
    (store / ".trash").mkdir()
    for hidden in ("inbox/p/new.md", ".trash/old.md"):
        (store / hidden).write_bytes(memory("Hidden."))
    one.ok("bridge", "sync")
    assert (store / "beer.md").read_bytes() == memory("Beer.", name="beer")
    assert one.read("oxsoul/tea.md") == memory("Tea.").decode()
    both_indexes_are_right(one, store)
    assert one.git("ls-files", "oxsoul").splitlines() == ["oxsoul/MEMORY.md", "oxsoul/beer.md", "oxsoul/tea.md"]
    assert one.clean()
    assert "nothing to copy" in one.ok("bridge", "sync")


def test_deletions_go_by_what_both_held(one: Body, store: Path) -> None:
    for name in ("beer", "milk", "water"):
        (store / f"{name}.md").write_bytes(memory("x", name=name))
    one.ok("bridge", "sync")
    (store / "beer.md").unlink()
    one.delete("oxsoul/milk.md")
    one.delete("oxsoul/water.md")
    (store / "water.md").write_bytes(memory("changed", name="water", updated=DAYS[2]))
    one.ok("bridge", "sync")
    assert not one.exists("oxsoul/beer.md")
    assert not (store / "milk.md").exists()
    assert one.read("oxsoul/water.md") == (store / "water.md").read_text()
    both_indexes_are_right(one, store)


def test_changes_of_one_memory_are_merged_by_key(one: Body, store: Path) -> None:
    one.ok("bridge", "sync")
    base = oxsoul.parse(memory("Tea."))
    (store / "tea.md").write_bytes(oxsoul.render(oxsoul.edit(base, {"importance": 0.9})))
    one.write("oxsoul/tea.md", oxsoul.render(oxsoul.edit(base, {"confidence": 0.1})))
    one.ok("bridge", "sync")
    merged = oxsoul.parse((store / "tea.md").read_bytes())
    assert (merged.importance, merged.confidence) == (0.9, 0.1)
    assert one.read("oxsoul/tea.md") == (store / "tea.md").read_text()


def test_two_memories_of_one_name_are_both_kept(one: Body, store: Path) -> None:
    one.write("oxsoul/tea.md", memory("Beer.", created=DAYS[2]))
    one.ok("bridge", "sync")
    for read in (lambda name: (store / name).read_bytes(), lambda name: one.read(f"oxsoul/{name}").encode()):
        assert read("tea.md") == memory("Tea.")
        assert read("tea-2.md") == memory("Beer.", created=DAYS[2], name="tea-2")
    both_indexes_are_right(one, store)
    assert "nothing to copy" in one.ok("bridge", "sync")


def test_a_store_that_is_empty_all_of_a_sudden_empties_no_soul(one: Body, store: Path) -> None:
    one.ok("bridge", "sync")
    store.rename(one.folder / "unmounted")
    assert "is not there" in one.fails(1, "bridge", "sync", "--quiet")
    store.mkdir()
    assert "is missing" in one.fails(1, "bridge", "sync", "--quiet")
    assert one.exists("oxsoul/tea.md")
    one.ok("bridge", "sync", "--accept-empty")
    assert not one.exists("oxsoul/tea.md")


def test_one_bad_file_hides_no_other(one: Body, store: Path) -> None:
    (store / "bad.md").write_bytes(b"\xff")
    (store / "link.md").symlink_to(store / "tea.md")
    done = one.run("bridge", "sync", "--json")
    assert done.returncode == 1
    (found,) = json.loads(done.stdout)["bridges"]
    assert sorted(fault["path"].rpartition("/")[2] for fault in found["faults"]) == ["bad.md", "link.md"]
    assert one.exists("oxsoul/tea.md")
    assert not one.exists("oxsoul/link.md")


def test_a_project_of_a_store(one: Body) -> None:
    workspace = one.folder / "work"
    workspace.mkdir()
    words = ("bridge", "add", "oxsoul", "--project", "site", "--path", str(workspace), "--json")
    folder = one.folder / ".oxsoul" / "projects"
    path = json.loads(one.ok(*words))["path"]
    assert path.startswith(str(folder))
    (folder / path.rpartition("/")[2] / "tea.md").write_bytes(memory("Tea."))
    one.ok("bridge", "sync")
    assert one.read("oxsoul/projects/site/tea.md") == memory("Tea.").decode()
    assert "项目级" in one.read("oxsoul/projects/site/MEMORY.md")


def test_entries_of_a_project_go_both_ways(one: Body, project: Path) -> None:
    one.write("cortex/episodic/MEM-001.json", entry("Beer.", memory_id="MEM-001", type="episodic"))
    (project / ".trash").mkdir()
    (project / ".trash" / "MEM-009.json").write_bytes(entry("Gone."))
    one.ok("bridge", "sync")
    assert one.read("cortex/semantic/MEM-007.json") == entry("Tea.").decode()
    assert (project / "episodic" / "MEM-001.json").read_text() == one.read("cortex/episodic/MEM-001.json")
    assert sorted(one.git("ls-files", "cortex").splitlines()) == [
        "cortex/episodic/MEM-001.json",
        "cortex/semantic/MEM-007.json",
    ]
    held = cortex.parse(entry("Tea."))
    (project / "semantic" / "MEM-007.json").write_bytes(cortex.render({**held, "title": "here"}))
    one.write("cortex/semantic/MEM-007.json", cortex.render({**held, "confidence": 0.3}))
    one.ok("bridge", "sync")
    merged = cortex.parse((project / "semantic" / "MEM-007.json").read_bytes())
    assert (merged["title"], merged["confidence"]) == ("here", 0.3)
    assert one.read("cortex/semantic/MEM-007.json") == cortex.render(merged).decode()


def test_the_bodies_of_a_soul_share_a_store(one: Body, two: Body, store: Path) -> None:
    other = two.folder / ".oxsoul"
    two.ok("bridge", "add", "oxsoul")
    one.sync()
    two.sync()
    assert (other / "tea.md").read_bytes() == memory("Tea.")
    (other / "tea.md").unlink()
    (other / "beer.md").write_bytes(memory("Beer.", name="beer"))
    two.sync()
    one.sync()
    assert sorted(file.name for file in store.glob("*.md")) == ["MEMORY.md", "beer.md"]


def test_what_makes_no_sense_is_refused(one: Body) -> None:
    assert "has no hooks" in one.fails(2, "bridge", "add", "oxsoul", "--hooks")
    assert "can't name a folder" in one.fails(2, "bridge", "add", "oxsoul", "--project", "../x")
    assert "lies in its project" in one.fails(2, "bridge", "add", "cortex", "--project", "x")
