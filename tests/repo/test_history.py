"""Commits as people read them, and the ids they type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.errors import SoulSyncError
from soulsync.repo import history, revisions

if TYPE_CHECKING:
    from tests.repo.helpers import Lab


@pytest.mark.parametrize(
    ("author", "body"),
    [
        ("Kaoru (phone)", "phone"),
        ("薰（旧） (my-mac)", "my-mac"),
        ("A (b) (c)", "c"),
        ("Jane Doe", "Jane Doe"),
        ("()", "()"),
    ],
)
def test_the_body_stands_in_the_authors_brackets(author: str, body: str) -> None:
    assert history.body_of(author) == body


def test_commits_newest_first_with_parents_and_subject(lab: Lab) -> None:
    first = lab.base()
    second = lab.commit({"notes/a.md": "x\n"}, first, at=60)
    newest, oldest = history.commits(lab.soul, second)
    assert (newest.id, newest.parents, newest.subject, newest.body) == (second, (first,), "at 60", "one")
    assert (oldest.id, oldest.parents) == (first, ())
    assert newest.as_json() == {"commit": second, "body": "one", "subject": "at 60", "time": "2026-01-01T00:01:00.000Z"}
    assert [c.id for c in history.commits(lab.soul, second, paths=["notes/b.md"])] == [first]
    assert history.commits(lab.soul, second, paths=["never/was"]) == []


def test_a_commit_by_full_and_short_id_and_by_name(lab: Lab) -> None:
    first = lab.base()
    second = lab.commit({"notes/a.md": "x\n"}, first)
    lab.check_out(second)
    for text, commit in ((second, second), (second[:8], second), ("HEAD", second), ("HEAD~1", first), ("main", second)):
        assert revisions.find(lab.soul, text) == commit


@pytest.mark.parametrize(
    "text", ["", "  ", "-x", "--all", "nowhere", "0" * 40, "HEAD~9", "a\0b", "HEAD:notes/a.md", "\x1b[31m"]
)
def test_what_names_no_commit_is_said(lab: Lab, text: str) -> None:
    lab.check_out(lab.base())
    with pytest.raises(SoulSyncError) as raised:
        revisions.find(lab.soul, text)
    assert "soulsync log" in str(raised.value)
    assert "\x1b" not in str(raised.value)


def test_a_short_id_of_several_commits_is_ambiguous(lab: Lab) -> None:
    base = lab.base()
    seen: dict[str, str] = {}
    for at in range(2000):  # sixteen to the fourth ids begin differently: two of some hundred share a beginning
        commit = lab.commit_tree(str(lab.repo.get(base).tree_id), base, at=at)  # type: ignore[union-attr]
        if commit[:4] in seen:
            break
        seen[commit[:4]] = commit
    with pytest.raises(SoulSyncError, match="Several commits"):
        revisions.find(lab.soul, commit[:4])


def test_a_commit_outside_the_history_is_refused_where_it_must_be_inside(lab: Lab) -> None:
    base = lab.base()
    inside, outside = lab.commit({"a": "1"}, base), lab.commit({"a": "2"}, base)
    assert revisions.resolve(lab.soul, base, inside) == base
    with pytest.raises(SoulSyncError, match="not in this soul's history"):
        revisions.resolve(lab.soul, outside, inside)
