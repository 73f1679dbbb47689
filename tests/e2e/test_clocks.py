"""Bodies whose clocks are wrong by up to a year: no merge depends on the clock of who merges (soul-repo-v4 §4)."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from tests.bodies import assert_in_step
from tests.convergence import YEAR, Actor, Model

if TYPE_CHECKING:
    from tests.bodies import Body, Remote

HOUR = 3600


def at(body: Body, offset: int) -> Actor:
    """The body with a clock that is wrong by ``offset`` seconds."""
    actor = Actor(body, random.Random(0), Model(), plain=False)
    actor.offset = offset
    return actor


def diverge(one: Body, two: Body) -> None:
    """The remote has what ``two`` did; ``one`` did other things to the same files and has not synced."""
    for body in (two, one):
        body.remember(f"by {body.name}")
        body.write("notes/n.md", f"# n\n\n{body.name}\n")
        body.write("SOUL.md", f"# kaoru\n\n{body.name}\n")
        body.identify(mood=body.name)
        body.git("add", "-A")
        when = f"@{int(time.time())} +0000"
        body.git("commit", "-q", "-m", "step", GIT_AUTHOR_DATE=when, GIT_COMMITTER_DATE=when)
    two.git("push", "-q", "origin", "main")


@pytest.mark.parametrize("offset", [-YEAR, YEAR])
def test_a_merge_is_the_same_by_whatever_clock(offset: int, one: Body, two: Body) -> None:
    diverge(one, two)
    one.git("fetch", "-q", "origin", "main")
    one.git("branch", "-q", "mine")
    at(one, 0).sync()
    honest = one.git("ls-tree", "-r", "HEAD", "--", "memories", "notes", "SOUL.md", "agent.json")
    merges = one.git("rev-list", "--merges", "--max-count=1", "HEAD")
    ours, theirs = one.git("rev-list", "--parents", "--max-count=1", merges).split()[1:]
    one.git("reset", "-q", "--hard", "mine")
    at(one, offset).sync()  # the remote has the first merge already, so this one is merged with it and must agree
    assert one.git("ls-tree", "-r", "HEAD", "--", "memories", "notes", "SOUL.md", "agent.json") == honest
    assert ours != theirs


def test_a_slow_clock_does_not_lose_for_ever_and_every_date_follows_its_parents(one: Body, two: Body) -> None:
    slow, fast = at(one, -YEAR), at(two, YEAR)
    for number in range(3):
        for actor in (fast, slow):
            actor.body.write("notes/n.md", f"# n\n\n{actor.body.name} {number}\n")
            actor.sync()
    fast.sync()
    assert two.read("notes/n.md") == "# n\n\none 2\n"
    assert_in_step(one, two)
    dates: dict[str, tuple[int, int, list[str]]] = {}
    for line in one.git("log", "--format=%H %ct %at %P").splitlines():
        commit, committed, authored, *parents = line.split()
        dates[commit] = (int(committed), int(authored), parents)
    for stamp, written, above in dates.values():
        newest = max((dates[parent][0] for parent in above), default=0)
        assert stamp == max(written, newest + 1) or not above


def test_two_changes_of_one_second_are_settled_alike_on_both_sides(one: Body, two: Body, remote: Remote) -> None:
    when = f"@{int(time.time())} +0000"
    for body in (one, two):
        body.write("notes/n.md", f"# n\n\n{body.name}\n")
        body.git("add", "-A")
        body.git("commit", "-q", "-m", "same second", GIT_AUTHOR_DATE=when, GIT_COMMITTER_DATE=when)
    for here, there in ((one, two), (two, one)):
        here.git("fetch", "-q", str(there.soul), "main:refs/heads/other")
    for body in (one, two):
        body.git("merge", "-q", "--no-edit", "other")
        body.git("branch", "-q", "-D", "other")
    assert one.tree() == two.tree()
    one.sync()
    two.sync()
    assert two.tree() == remote.tree()


def test_status_and_bodies_name_a_body_that_writes_from_the_future(one: Body, two: Body) -> None:
    two.remember("tomorrow's")
    at(two, 48 * HOUR).sync()
    one.sync()
    one.remember("today's")  # committed after it, so with a committer date ahead too, but by a true clock
    one.sync()
    assert one.status()["from_the_future"] == ["two"]
    assert "two writes from the future" in one.ok("status", LC_ALL="C.UTF-8", SOULSYNC_LANG="en")
    assert "its clock is ahead" in one.ok("bodies", LC_ALL="C.UTF-8", SOULSYNC_LANG="en", COLUMNS="100")
