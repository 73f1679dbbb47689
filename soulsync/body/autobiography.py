"""The history of a soul, commit by commit, in memory terms, with the filters that ``log`` offers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from soulsync.body import moments
from soulsync.formats.instants import timestamp
from soulsync.repo import changes, history, objects, rescue
from soulsync.repo.soul import RESCUE_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from soulsync.repo.changes import Change
    from soulsync.repo.history import Commit
    from soulsync.repo.soul import Soul

BATCH = 200
"""Commits read from git at a time."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which chapters: at most ``count``, of a ``path``, a ``body``, a time by the author's clock, with a ``text``."""

    count: int
    path: str | None = None
    body: str | None = None
    since: str | None = None
    until: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Chapter:
    """A commit and what it did."""

    commit: Commit
    changes: list[Change]

    def as_json(self) -> dict[str, Any]:
        """``{commit, body, subject, time, changes}`` of the contract."""
        return {**self.commit.as_json(), "changes": [change.as_json() for change in self.changes]}


def read(soul: Soul, wanted: Wanted) -> Iterator[Chapter]:
    """The chapters that are wanted, newest first."""
    head = soul.head
    if head is None:
        return iter(())
    first = moments.since(soul, wanted.since) if wanted.since else None
    last = moments.until(soul, wanted.until) if wanted.until else None
    commits = (c for c in _commits(soul, head, wanted.path) if _within(c, wanted.body, first, last))
    return islice(_matching(soul, commits, wanted), wanted.count)


def _within(commit: Commit, body: str | None, first: int | None, last: int | None) -> bool:
    """By body and by the time that people read, the author's: committer dates are pushed up behind a fast clock."""
    if body is not None and commit.body != body:
        return False
    return (first is None or commit.time >= first) and (last is None or commit.time <= last)


def _matching(soul: Soul, commits: Iterable[Commit], wanted: Wanted) -> Iterator[Chapter]:
    needle = wanted.text.casefold() if wanted.text else None
    for commit in commits:
        found = changes.of_commit(soul, commit)
        if wanted.path is not None:
            found = [c for c in found if _below(c, wanted.path)]
            if not found:
                continue
        if needle is not None:
            found = [c for c in found if _holds(c, needle)]
            if not found and needle not in commit.subject.casefold():
                continue
        yield Chapter(commit, found)


def _commits(soul: Soul, head: str, path: str | None) -> Iterator[Commit]:
    """The history, or of a path what touched it, and the merges whose parents differ there: one may have lost.

    Git's own selection by path leaves a merge out that took one side whole (git-log(1), History Simplification).
    """
    if path is None:
        yield from _all(soul, head)
        return
    touching = {commit.id for commit in history.commits(soul, "--full-history", head, paths=[path])}
    for commit in _all(soul, head):
        if commit.id in touching or (len(commit.parents) > 1 and _differ(soul, commit.parents, path)):
            yield commit


def _differ(soul: Soul, commits: tuple[str, ...], path: str) -> bool:
    trees = (objects.tree_of(soul.repo, commit) for commit in commits)
    return len({objects.lookup(soul.repo, tree, path.rstrip("/")) for tree in trees}) > 1


def _all(soul: Soul, head: str) -> Iterator[Commit]:
    skip = 0
    while batch := history.commits(soul, f"--skip={skip}", head, limit=BATCH):
        yield from batch
        skip += len(batch)
        if len(batch) < BATCH:
            return


def _below(change: Change, path: str) -> bool:
    top = path.rstrip("/")
    places = (change.path, change.old if change.kind.endswith("-moved") else None)
    return any(place == top or (place or "").startswith(top + "/") for place in places)


def _holds(change: Change, needle: str) -> bool:
    return any(needle in (text or "").casefold() for text in (change.path, change.old, change.new, change.name))


def rescues(soul: Soul) -> list[dict[str, str]]:
    """Where ``main`` was before something moved it, newest first."""
    listed = ((stamp, RESCUE_PREFIX + name) for stamp, name in rescue.listed(soul))
    found = ((stamp, ref, soul.ref(ref)) for stamp, ref in listed)
    return [{"ref": ref, "commit": commit, "time": timestamp(stamp * 1000)} for stamp, ref, commit in found if commit]
