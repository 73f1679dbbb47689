"""Merges in histories that bodies really make: random ones, criss-cross ones, and the same ones merged by plain git."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from soulsync.formats.entries import parse
from soulsync.repo import objects
from soulsync.repo.install import install
from soulsync.repo.merge import merge_bases
from soulsync.repo.objects import EXECUTABLE, SYMLINK, Entry
from soulsync.spec import LEASE_JSON
from tests.repo.helpers import BASE, MEMORY, Content, Lab, entries, identity
from tests.user_git import UserGit

if TYPE_CHECKING:
    from pathlib import Path

ONE = "bodies/one.json"
DAY = "journal/one/2026-01-01.md"
NOTES = ["notes/a.md", "notes/b.md", "notes/c/d.md", "notes/c", "x", "x/y", "x/z", "things/t"]


def journal(*hours: int) -> str:
    return "# 2026-01-01 · one\n" + "".join(f"\n## {hour:02d}:00 t\n\ntext {hour}\n" for hour in sorted(hours))


def edits(lab: Lab, rng: random.Random, tree: str) -> dict[str, Content]:
    """What one body does between two commits; no field of ``agent.json``, in which our own side is preferred."""
    chosen: dict[str, Content] = {}
    held = lab.files(tree)
    for _ in range(rng.randint(1, 4)):
        act = rng.choice(["memory", "note", "note", "note", "move", "journal", "required", "odd"])
        if act == "memory":
            known = parse(held.get(MEMORY, b""))
            kept = [entry for entry in known if rng.random() < 0.8]
            chosen[MEMORY] = entries(*kept, *rng.sample(["D", "E", "F", "G"], k=rng.randint(0, 2)))
        elif act == "note":
            path = rng.choice(NOTES)
            chosen[path] = None if path in held and rng.random() < 0.3 else str(rng.randrange(4))
        elif act == "move":
            movable = [path for path in held if path in NOTES]
            if movable:
                old = rng.choice(movable)
                chosen |= {old: None, rng.choice(["notes/m.md", "notes/n/m.md", "things/m"]): held[old]}
        elif act == "journal":
            chosen[DAY] = journal(*{int(h) for h in rng.sample(range(8, 20), k=3)})
        elif act == "required":
            chosen[rng.choice(["SOUL.md", "README.md", "memories/X.md", MEMORY])] = rng.choice([None, "text\n\nmore\n"])
        else:
            kind = rng.choice([EXECUTABLE, SYMLINK])
            chosen[rng.choice(["x", "things/t"])] = Entry(kind, lab.entry(str(rng.randrange(2))).id)
    return _possible(chosen)


def _possible(chosen: dict[str, Content]) -> dict[str, Content]:
    """Without files below files; a file that takes the place of a folder takes all of it."""
    there = [path for path, content in chosen.items() if content is not None]
    return {path: content for path, content in chosen.items() if not any(path.startswith(f"{o}/") for o in there)}


def step(lab: Lab, rng: random.Random, parent: str) -> str:
    tree = objects.tree_of(lab.repo, parent)
    return lab.commit(edits(lab, rng, tree), parent, at=rng.randrange(60))


@pytest.mark.parametrize("seed", range(12))
def test_random_histories_merge_to_one_tree_whichever_side_is_ours(lab: Lab, seed: int) -> None:
    rng = random.Random(seed)
    base = lab.base(**{DAY: journal(8), "x/y": "1", "things/t": "2"})
    for _ in range(6):
        sides = [step(lab, rng, step(lab, rng, base)) for _ in range(2)]
        result = lab.merge(*sides)
        assert set(lab.files(result.tree)) >= BASE.keys() & {"SOUL.md", "README.md", MEMORY, "agent.json"}
        merged = lab.commit_tree(result.tree, *sides, at=61)
        assert all(lab.merge(merged, side).tree == result.tree for side in sides)
        for outcome in result.outcomes:
            assert (outcome.lost is not None) == (outcome.kept != "both")
        base = merged


@pytest.mark.parametrize("seed", range(8))
def test_bodies_that_merge_each_other_at_once_agree(lab: Lab, seed: int) -> None:
    """Criss-cross: both merge the same two commits, go on, and merge again, for several rounds."""
    rng = random.Random(100 + seed)
    base = lab.base(**{"x/y": "1"})
    ours, theirs = step(lab, rng, base), step(lab, rng, base)
    for number in range(4):
        tree = lab.merge(ours, theirs).tree
        one, two = lab.commit_tree(tree, ours, theirs, at=70), lab.commit_tree(tree, theirs, ours, at=71 + number)
        assert lab.merge(one, two).tree == tree
        ours, theirs = step(lab, rng, one), step(lab, rng, two)


def criss_cross(lab: Lab, *first: dict[str, Content]) -> list[str]:
    """Two merges of all the commits in ``first``: they have as many merge bases as there are commits."""
    base = lab.base()
    tips = [lab.commit(files, base, at=10 + number) for number, files in enumerate(first)]
    tree = objects.tree_of(lab.repo, tips[0])
    for number in range(1, len(tips)):
        tree = lab.merge(lab.commit_tree(tree, *tips[:number], at=50), tips[number]).tree
    merges = [lab.commit_tree(tree, *order, at=60 + n) for n, order in enumerate((tips, tips[::-1]))]
    assert len(merge_bases(lab.soul, *merges)) == len(first)
    return merges


@pytest.mark.parametrize("bases", [2, 3])
def test_nothing_comes_back_and_nothing_doubles_after_a_criss_cross(lab: Lab, bases: int) -> None:
    first: list[dict[str, Content]] = [
        {MEMORY: entries("A", "C"), "notes/a.md": None},  # deletes B and a note
        {MEMORY: entries("A", "B", "C", "new")},
        {MEMORY: entries("A", "B", "C", "third"), "notes/t.md": "t"},
    ]
    one, two = criss_cross(lab, *first[:bases])
    files = lab.files(objects.tree_of(lab.repo, one))
    assert "B" not in parse(files[MEMORY])
    left = [*parse(files[MEMORY]), "left"]
    right = [entry for entry in parse(files[MEMORY]) if entry != "new"]
    ours = lab.commit({MEMORY: entries(*left)}, one, at=80)
    theirs = lab.commit({MEMORY: entries(*right), "notes/b.md": "edit"}, two, at=81)
    merged = lab.files(lab.merge(ours, theirs).tree)
    memories = parse(merged[MEMORY])
    assert sorted(memories) == sorted({*left, *right} - {"new"})
    assert "notes/a.md" not in merged
    assert merged["notes/b.md"] == b"edit"


def test_a_note_changed_on_both_bases_keeps_the_later_work(lab: Lab) -> None:
    one, two = criss_cross(lab, {"notes/a.md": "first"}, {"notes/a.md": "second"})
    ours = lab.commit({"notes/a.md": "ours after"}, one, at=90)
    theirs = lab.commit({"notes/b.md": "else"}, two, at=95)
    assert lab.read(lab.merge(ours, theirs).tree, "notes/a.md") == "ours after"


def test_a_long_ladder_of_criss_crosses_is_merged(lab: Lab) -> None:
    base = lab.base()
    ours, theirs = lab.commit({"notes/a.md": "1"}, base, at=1), lab.commit({"notes/b.md": "2"}, base, at=2)
    tree = lab.merge(ours, theirs).tree
    for at in range(3, 70):
        ours, theirs = lab.commit_tree(tree, ours, theirs, at=at), lab.commit_tree(tree, theirs, ours, at=at + 100)
    assert lab.merge(ours, theirs).tree == tree


# The same merge by plain git with the drivers.

BOTH_CHANGED: list[tuple[dict[str, str | bytes], dict[str, str | bytes]]] = [
    ({MEMORY: entries("A", "x", "C")}, {MEMORY: entries("A", "B", "C", "y")}),
    ({MEMORY: entries("C", "A")}, {MEMORY: b"A\n\xc2\xa7\nB\n\xff\n"}),
    ({"notes/a.md": "one\n"}, {"notes/a.md": "two\n"}),
    ({"notes/new.md": "one\n"}, {"notes/new.md": "two\n"}),
    ({"SOUL.md": "# 薰\n"}, {"SOUL.md": "# 薰\n\nloud\n"}),
    ({"agent.json": identity(color="#112233")}, {"agent.json": identity(color="#445566", pronouns="she")}),
    ({"agent.json": "{"}, {"agent.json": identity(pronouns="she")}),
    ({DAY: journal(8, 9)}, {DAY: journal(8, 7, 12)}),
    ({ONE: '{\n  "body": "one",\n  "a": 1\n}\n'}, {ONE: '{\n  "body": "one",\n  "b": 1\n}\n'}),
    ({LEASE_JSON: '{"body": "one", "until": 1}\n'}, {LEASE_JSON: '{"body": "x", "until": 2}\n'}),
    ({"extra/data": "one\n"}, {"extra/data": "two\n"}),
    ({"README.md": "one\n"}, {"README.md": "two\n"}),
]  # fmt: skip


@pytest.mark.parametrize("swapped", [False, True])
def test_plain_git_with_the_drivers_makes_the_same_trees(lab: Lab, tmp_path: Path, swapped: bool) -> None:
    install(lab.root, body="one")
    git = UserGit(lab.root, tmp_path / "home")
    base = lab.base(**{DAY: journal(8)})
    lab.check_out(base)
    for number, sides in enumerate(BOTH_CHANGED):
        older, newer = (lab.commit(dict(files), base, at=10 + at) for at, files in enumerate(sides))
        ours, theirs = (newer, older) if swapped else (older, newer)
        git("checkout", "-q", "-f", "-B", f"case{number}", ours)
        git("merge", "-q", "--no-edit", "--no-verify", theirs)
        result = lab.merge(ours, theirs) if "agent.json" not in sides[0] else None
        tree = result.tree if result else merge_one_way(lab, ours, theirs)
        assert git("rev-parse", "HEAD^{tree}") == tree, sides


def merge_one_way(lab: Lab, ours: str, theirs: str) -> str:
    from soulsync.repo.merge import merge_commits

    return merge_commits(lab.soul, ours, theirs).tree


def test_plain_git_and_the_engine_agree_in_a_criss_cross(lab: Lab, tmp_path: Path) -> None:
    install(lab.root, body="one")
    git = UserGit(lab.root, tmp_path / "home")
    one, two = criss_cross(lab, {MEMORY: entries("A", "C")}, {MEMORY: entries("A", "B", "C", "new")})
    ours = lab.commit({MEMORY: entries("A", "C", "new", "left")}, one, at=80)
    theirs = lab.commit({MEMORY: entries("right", "C", "new")}, two, at=81)
    lab.check_out(ours)
    git("checkout", "-q", "-f", "-B", "main", ours)
    git("merge", "-q", "--no-edit", "--no-verify", theirs)
    assert git("rev-parse", "HEAD^{tree}") == lab.merge(ours, theirs).tree
