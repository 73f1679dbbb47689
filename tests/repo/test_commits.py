"""Commits that a body makes, their words and dates, and the rescue refs of what main was before."""

from __future__ import annotations

import time

import pytest

from soulsync.repo import commit, objects, rescue
from soulsync.repo.commit import Author
from soulsync.repo.git import GitError
from soulsync.repo.soul import RESCUE_PREFIX
from tests.repo.helpers import START, Lab

WHO = Author("薰", "kaoru", "phone")


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
