"""What a commit did, in terms of memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.repo import changes, history, objects
from tests.repo.helpers import MEMORY, entries, identity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soulsync.repo.changes import Change
    from tests.repo.helpers import Content, Lab


def between(lab: Lab, old: Mapping[str, Content], new: Mapping[str, Content]) -> list[Change]:
    return changes.between(lab.soul, lab.tree(old), lab.tree(new))


def told(found: list[Change]) -> list[tuple[str, str | None, str | None]]:
    return [(change.kind, change.old, change.new) for change in found]


def test_entries(lab: Lab) -> None:
    old = {MEMORY: entries("stays", "Prefers tea", "is forgotten")}
    new = {MEMORY: entries("brand new thing", "stays", "Prefers green tea")}
    assert told(between(lab, old, new)) == [
        ("entry-edited", "Prefers tea", "Prefers green tea"),
        ("entry-removed", "is forgotten", None),
        ("entry-added", None, "brand new thing"),
    ]


def test_order_and_form_alone_are_no_change(lab: Lab) -> None:
    assert between(lab, {MEMORY: entries("a", "b")}, {MEMORY: "b\r\n§  \r\n\r\na"}) == []


def test_each_entry_is_in_one_pair_the_most_similar(lab: Lab) -> None:
    old = ["the key is in the red box", "the key is in the blue box"]
    new = ["the key is in the blue box now", "the key is in the red box now"]
    assert sorted(changes.pair(old, new)) == [(old[1], new[0]), (old[0], new[1])]


def test_too_much_to_compare_is_shown_as_removed_and_added() -> None:
    assert changes.pair(["a b c " * 10_000], ["a b d " * 10_000]) == []
    assert changes.pair([f"a b {i}" for i in range(100)], [f"a b {i} c" for i in range(100)]) == []


def test_entries_that_are_no_utf8_are_told(lab: Lab) -> None:
    (change,) = between(lab, {MEMORY: ""}, {MEMORY: b"caf\xe9\n"})
    assert change.as_json() == {"kind": "entry-added", "path": MEMORY, "new": "caf\udce9"}


def test_files(lab: Lab) -> None:
    old: dict[str, Content] = {
        "notes/gone.md": "# gone\n\nx\n", "notes/old.md": "# m\n\nmoved\n", "notes/e.md": "1\n", "SOUL.md": "# a\n",
        "bodies/phone.json": "{}\n", "tool.py": "1\n", "gone.txt": "x\n", "journal/.gitkeep": "",
    }  # fmt: skip
    new: dict[str, Content] = {
        "notes/new.md": "# n\n\nx\n", "notes/a/old.md": "# m\n\nmoved\n", "notes/e.md": "2\n", "SOUL.md": "# b\n",
        "bodies/phone.json": "{ }\n", "tool.py": "2\n", "new.txt": "y\n", "locks/consolidation.json": "{}\n",
    }  # fmt: skip
    assert [(change.kind, change.path) for change in between(lab, old, new)] == [
        ("note-moved", "notes/a/old.md"), ("soul", "SOUL.md"), ("body", "bodies/phone.json"),
        ("file-deleted", "gone.txt"), ("lease", "locks/consolidation.json"), ("file-added", "new.txt"),
        ("note-edited", "notes/e.md"), ("note-deleted", "notes/gone.md"), ("note-written", "notes/new.md"),
        ("file-changed", "tool.py"),
    ]  # fmt: skip


def test_a_journal_section(lab: Lab) -> None:
    path = "journal/phone/2026-11-30.md"
    old = "# 2026-11-30 · phone\n\n## 08:00 Up\n\ntea\n"
    (change,) = between(lab, {path: old}, {path: f"{old}\n## 09:10 Walk\n\nfar\n"})
    assert (change.kind, change.name, (change.new or "").strip()) == ("journal-section", "09:10 Walk", "far")
    assert [c.kind for c in between(lab, {path: old}, {})] == ["file-deleted"]
    assert [c.kind for c in between(lab, {path: old}, {path: "# 2026-11-30 · phone\n"})] == ["file-changed"]


def test_identity_by_field(lab: Lab) -> None:
    old, new = identity(color="#000000", pronouns=""), identity(color="#FFFFFF", traits=["calm"])
    found = between(lab, {"agent.json": old}, {"agent.json": new})
    assert [(c.name, c.old) for c in found] == [("color", "#000000"), ("traits", None)]
    assert "calm" in (found[1].new or "")
    assert [c.kind for c in between(lab, {"agent.json": old}, {"agent.json": "{"})] == ["file-changed"]


def test_a_file_that_is_too_large_to_read_is_told_as_a_file(lab: Lab) -> None:
    huge = "x" * (changes.MAX_SHOWN_BYTES + 1)
    assert [c.kind for c in between(lab, {MEMORY: "a\n"}, {MEMORY: huge})] == ["file-changed"]


def test_odd_names_are_shown_safely(lab: Lab) -> None:
    (change,) = between(lab, {}, {"notes/a\x1b[31m\udcff.md": "x\n"})
    assert change.path == "notes/a\\x1b[31m\\xff.md"


@pytest.mark.parametrize("ours_at", [100, 200])
def test_a_merge_names_the_version_that_lost_and_its_commit(lab: Lab, ours_at: int) -> None:
    base = lab.base()
    ours = lab.commit({"notes/a.md": "# a\n\nours\n"}, base, at=ours_at)
    theirs = lab.commit({"notes/a.md": "# a\n\ntheirs\n"}, base, at=150)
    winner, loser = (ours, theirs) if ours_at > 150 else (theirs, ours)
    (change,) = of_merge(lab, winner, ours, theirs)
    assert (change.kind, change.path, change.commit) == ("replaced", "notes/a.md", loser)
    # Another program merged otherwise: what the rules would have dropped is what it kept.
    assert of_merge(lab, loser, ours, theirs) == []


def of_merge(lab: Lab, tree_from: str, *parents: str) -> list[Change]:
    commit = lab.commit_tree(objects.tree_of(lab.repo, tree_from), *parents, at=300)
    return changes.of_commit(lab.soul, history.commits(lab.soul, commit, limit=1)[0])


def test_a_merge_in_which_nothing_lost_and_one_of_three_parents_say_nothing(lab: Lab) -> None:
    base = lab.base()
    ours, theirs = lab.commit({MEMORY: entries("A", "B", "C", "D")}, base), lab.commit({"notes/c.md": "c\n"}, base)
    assert of_merge(lab, lab.commit_tree(lab.merge(ours, theirs).tree), ours, theirs) == []
    assert of_merge(lab, ours, ours, theirs, base) == []


def test_the_first_commit_added_everything(lab: Lab) -> None:
    (commit,) = history.commits(lab.soul, lab.base(), limit=1)
    kinds = [change.kind for change in changes.of_commit(lab.soul, commit)]
    assert (kinds.count("entry-added"), kinds.count("note-written")) == (4, 2)
