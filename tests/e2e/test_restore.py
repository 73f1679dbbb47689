"""Bringing an older version of a path back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.bodies import assert_in_step, in_turn

if TYPE_CHECKING:
    from tests.bodies import Body


def restore(body: Body, *words: str) -> dict[str, Any]:
    return dict(json.loads(body.ok("restore", *words, "--json")))


def test_a_note_that_lost(one: Body, two: Body) -> None:
    for body in (one, two):
        body.write("notes/same.md", f"# same\n\nby {body.name}\n")
    one.sync()
    [merged] = two.sync()["merged"]
    kept = two.read("notes/same.md")
    assert restore(two, "notes/same.md")["at"] == merged["lost"]
    assert two.read("notes/same.md") != kept
    in_turn(two, one)
    assert_in_step(one, two)


def test_a_deleted_note(one: Body) -> None:
    one.write("notes/deep/n.md", "# n\n\ntext\n")
    one.sync()
    one.delete("notes/deep/n.md")
    one.sync()
    restore(one, "notes/deep/n.md")
    assert one.read("notes/deep/n.md") == "# n\n\ntext\n"
    assert one.subjects("-1") == ["恢复 notes/deep/n.md（one）"]
    assert one.clean()


def test_memories_by_entry(one: Body) -> None:
    one.set_entries(["first", "second", "third"])
    one.sync()
    one.set_entries(["third", "new"])
    one.sync()
    restore(one, "memories/MEMORY.md")
    assert sorted(one.entries()) == ["first", "new", "second", "third"]


def test_memories_exactly(one: Body) -> None:
    one.set_entries(["first", "second"])
    one.sync()
    one.set_entries(["second", "new"])
    one.sync()
    restore(one, "memories/MEMORY.md", "--exact")
    assert one.entries() == ["first", "second"]


def test_at_a_commit(one: Body) -> None:
    heads = []
    for text in ("one", "two", "three"):
        one.write("notes/n.md", f"# n\n\n{text}\n")
        one.sync()
        heads.append(one.head())
    restore(one, "notes/n.md", "--at", heads[0][:9])
    assert one.read("notes/n.md") == "# n\n\none\n"
    assert restore(one, "notes/n.md", "--at", heads[0])["commit"] is None


@pytest.mark.parametrize("path", ["notes/never.md", "../outside", "/etc/passwd", "", ".", "notes"])
def test_a_path_that_never_was(path: str, one: Body) -> None:
    one.write("notes/n.md", "# n\n")
    one.sync()
    head = one.head()
    one.fails(1, "restore", "--", path)
    assert one.head() == head


def test_commits_that_are_none_or_have_no_such_path(one: Body) -> None:
    one.write("notes/n.md", "# n\n")
    one.sync()
    one.fails(1, "restore", "notes/n.md", "--at", "nonsense")
    one.fails(1, "restore", "notes/n.md", "--at", "HEAD^")


def test_nothing_older_to_restore(one: Body) -> None:
    one.write("notes/n.md", "# n\n")
    one.sync()
    assert "--at" in one.fails(1, "restore", "notes/n.md")


def test_a_path_of_any_name(one: Body) -> None:
    path = "notes/薰 '100%' \U0001f98a.md"
    one.write(path, "# n\n")
    one.sync()
    one.delete(path)
    one.sync()
    restore(one, path)
    assert one.read(path) == "# n\n"


def test_from_a_rescue_ref(one: Body, two: Body) -> None:
    one.remember("x")
    two.remember("y")
    in_turn(one, two)
    ref = two.git("for-each-ref", "--format=%(refname)", "refs/soulsync/rescue").splitlines()[0]
    assert restore(two, "memories/MEMORY.md", "--at", ref, "--exact")["at"] == two.head(ref)
