"""Commits, their words and dates, rescue refs, and how people name a commit."""

from __future__ import annotations

import time

import pytest

from soulsync.errors import SoulSyncError
from soulsync.repo import commit, history, objects, rescue
from soulsync.repo.commit import Author
from soulsync.repo.git import GitError
from soulsync.repo.revisions import find, resolve
from soulsync.repo.soul import RESCUE_PREFIX
from tests.repo.helpers import START, Lab

WHO = Author("薰", "kaoru", "phone")


# Commits.


def test_author_committer_and_subject_are_as_the_spec_says(lab: Lab) -> None:
    base = lab.base()
    new = commit.create(lab.soul, WHO, "更新记忆", objects.tree_of(lab.repo, base), [base], details="more")
    shown = lab.git("log", "-1", "--format=%an|%ae|%cn|%ce|%B", new)
    assert shown == "薰 (phone)|kaoru@phone.local|薰 (phone)|kaoru@phone.local|更新记忆（phone）\n\nmore"


def test_a_slow_clock_does_not_go_back(lab: Lab) -> None:
    ahead = int(time.time()) - START + 5000
    parents = [lab.base(), lab.commit({"notes/n.md": "n"}, at=ahead)]
    before = int(time.time())
    new = objects.commit_of(lab.repo, commit.create(lab.soul, WHO, "x", lab.tree({}), parents))
    assert new.committer.time == START + ahead + 1
    assert before <= new.author.time <= int(time.time())


@pytest.mark.parametrize(
    ("display", "name"),
    [("a <b>\nc\r\0", "a bc (phone)"), ("", "kaoru (phone)"), (" <> ", "kaoru (phone)"), ("\ud83d", "? (phone)")],
)
def test_names_that_git_does_not_take(lab: Lab, display: str, name: str) -> None:
    new = commit.create(lab.soul, Author(display, "kaoru", "phone"), "x", lab.tree({}), [])
    assert lab.git("log", "-1", "--format=%an", new) == name


# History.


def test_commits_are_read_back(lab: Lab) -> None:
    base = lab.base()
    new = commit.create(lab.soul, WHO, "一 | 二", lab.tree({"x": "1"}), [base])
    newest, first = history.commits(lab.soul, new)
    assert (newest.id, newest.body, newest.parents, newest.subject) == (new, "phone", (base,), "一 | 二（phone）")
    assert (first.id, first.parents, first.time) == (base, (), START)
    assert first.as_json()["time"] == "2026-01-01T00:00:00.000Z"
    assert history.commits(lab.soul, new, f"^{new}") == []
    assert len(history.commits(lab.soul, new, limit=1)) == 1


def test_the_body_in_an_authors_name() -> None:
    assert history.body_of("Kaoru (phone)") == "phone"
    assert history.body_of("A (b) (c)") == "c"
    assert history.body_of("somebody") == "somebody"


# Rescue refs.


def test_moving_main_keeps_the_old_tip(lab: Lab) -> None:
    base = lab.base()
    rescue.move_main(lab.soul, base, None, "start")
    newer = lab.commit({"notes/n.md": "n"}, base)
    rescue.move_main(lab.soul, newer, base, "sync")
    [(stamp, name)] = rescue.listed(lab.soul)
    assert lab.soul.ref(RESCUE_PREFIX + name) == base
    assert abs(stamp - time.time()) < 100
    with pytest.raises(GitError):
        rescue.move_main(lab.soul, base, base, "somebody moved it meanwhile")
    assert lab.soul.head == newer
    assert len(rescue.listed(lab.soul)) == 1
    assert lab.git("reflog", "-1", "--format=%gs", "main") == "soulsync: sync"


@pytest.mark.parametrize("packed", [False, True])
def test_old_and_too_many_rescue_refs_go(lab: Lab, packed: bool) -> None:
    base = lab.base()
    rescue.move_main(lab.soul, base, None, "start")
    now = int(time.time())
    names = [f"{now - 40 * 86400}-old", *(f"{now - 1000 - number}-{number}" for number in range(105)), "odd"]
    lines = "".join(f"create {RESCUE_PREFIX}{name} {base}\n" for name in names)
    lab.git("update-ref", "--stdin", data=lines.encode())
    if packed:
        lab.git("pack-refs", "--all")
    rescue.move_main(lab.soul, lab.commit({}, base, at=1), base, "sync")
    kept = rescue.listed(lab.soul)
    assert len(kept) == rescue.KEEP_MOST
    assert kept[-1][0] == now - 1000 - 98
    assert lab.soul.ref(f"{RESCUE_PREFIX}odd") == base


# Revisions.


def test_a_commit_is_found_by_what_people_type(lab: Lab) -> None:
    base = lab.base()
    newer = lab.commit({"notes/n.md": "n"}, base)
    stranger = lab.commit({"z": "z"}, at=3)
    lab.check_out(newer)
    assert [find(lab.soul, text) for text in (base, base[:9], "HEAD~1", "main")] == [base, base, base, newer]
    assert resolve(lab.soul, base[:9], newer) == base
    with pytest.raises(SoulSyncError, match="not in this soul"):
        resolve(lab.soul, stranger, newer)


@pytest.mark.parametrize("text", ["", " ", "-x", "--all", "nothing", "a\0b", "f" * 40, "main:notes", "\udcff"])
def test_what_names_no_commit(lab: Lab, text: str) -> None:
    lab.check_out(lab.base())
    with pytest.raises(SoulSyncError):
        find(lab.soul, text)
