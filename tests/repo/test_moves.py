"""Exact moves (soul-repo-v4 §4 rule 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.repo import objects
from soulsync.repo.moves import find_moves
from tests.repo.helpers import BASE, Content, Lab

if TYPE_CHECKING:
    from collections.abc import Mapping

A = str(BASE["notes/a.md"])


def merged(
    lab: Lab, older: Mapping[str, Content], newer: Mapping[str, Content], at: str = "notes/a.md"
) -> dict[str, bytes]:
    root = lab.base(**{at: A})
    return lab.files(lab.merge(lab.commit(older, root, at=10), lab.commit(newer, root, at=20)).tree)


def moves(lab: Lab, before: Mapping[str, Content], after: Mapping[str, Content]) -> dict[str, str]:
    return find_moves(objects.diff(lab.repo, lab.tree(before), lab.tree(after)))


@pytest.mark.parametrize("mover_is_newer", [False, True])
@pytest.mark.parametrize(("old", "new"), [("notes/a.md", "notes/deep/er/z.md"), ("things/x.txt", "others/y")])
def test_an_edit_follows_to_the_new_place(lab: Lab, old: str, new: str, mover_is_newer: bool) -> None:
    move: dict[str, Content] = {old: None, new: A}
    edit: dict[str, Content] = {old: "edited"}
    files = merged(lab, *((edit, move) if mover_is_newer else (move, edit)), at=old)
    assert files[new] == b"edited"
    assert old not in files


def test_moved_to_two_places_stays_in_both(lab: Lab) -> None:
    files = merged(lab, {"notes/a.md": None, "notes/x.md": A}, {"notes/a.md": None, "notes/y.md": A})
    assert files["notes/x.md"] == files["notes/y.md"] == A.encode()
    assert "notes/a.md" not in files


def test_moved_here_and_deleted_there_stays_where_it_went(lab: Lab) -> None:
    for older, newer in (
        ({"notes/a.md": None, "notes/x.md": A}, {"notes/a.md": None}),
        ({"notes/a.md": None}, {"notes/a.md": None, "notes/x.md": A}),
    ):
        files = merged(lab, dict(older), dict(newer))
        assert files["notes/x.md"] == A.encode()
        assert "notes/a.md" not in files


def test_each_side_moves_one_and_edits_the_other(lab: Lab) -> None:
    files = merged(
        lab,
        {"notes/a.md": None, "notes/x.md": A, "notes/b.md": "edited b"},
        {"notes/b.md": None, "notes/y.md": BASE["notes/b.md"], "notes/a.md": "edited a"},
    )
    assert (files["notes/x.md"], files["notes/y.md"]) == (b"edited a", b"edited b")
    assert not {"notes/a.md", "notes/b.md"} & files.keys()


def test_where_the_new_place_is_taken_the_edit_does_not_overwrite(lab: Lab) -> None:
    files = merged(lab, {"notes/a.md": None, "notes/x.md": A}, {"notes/a.md": "edited", "notes/x.md": "mine"})
    assert files["notes/x.md"] == b"mine"
    assert files["notes/a.md"] == b"edited"


def test_a_file_moved_below_its_own_name(lab: Lab) -> None:
    files = merged(lab, {"x": None, "x/y": A}, {"x": "edited"}, at="x")
    assert files["x/y"] == b"edited"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"notes/a": ""}, {"notes/b": ""}),
        ({"notes/a": "1", "notes/b": "1"}, {"notes/c": "1"}),
        ({"notes/a": "1"}, {"notes/b": "1", "notes/c": "1"}),
        ({"notes/a": "1"}, {"extra/a": "1"}),
        ({"memories/X.md": "1"}, {"memories/Y.md": "1"}),
        ({"journal/one/d.md": "1"}, {"notes/d.md": "1"}),
        ({"notes/a": "1", "memories/X.md": "1"}, {"notes/b": "1"}),
        ({"notes/.gitkeep": "1"}, {"notes/keep": "1"}),
        ({"notes/a": "1"}, {"notes/b": "1 "}),
        ({"notes/a": "1"}, {"notes/a": "2", "notes/b": "1"}),
    ],
)
def test_what_is_no_move(lab: Lab, before: Mapping[str, Content], after: Mapping[str, Content]) -> None:
    assert moves(lab, before, after) == {}


def test_what_is_a_move(lab: Lab) -> None:
    before: dict[str, Content] = {"notes/a": "1", "x": "2", "notes/same": "3"}
    after: dict[str, Content] = {"notes/b": "1", "y/z": "2", "notes/same": "3"}
    assert moves(lab, before, after) == {"notes/a": "notes/b", "x": "y/z"}
