"""The history of a soul, commit by commit, in memory terms, with the filters that ``log`` offers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from soulsync.formats.instants import timestamp
from soulsync.repo import changes, history, rescue
from soulsync.repo.soul import RESCUE_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.repo.changes import Change
    from soulsync.repo.history import Commit
    from soulsync.repo.soul import Soul

BATCH = 200
"""Commits read from git at a time."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which chapters: at most ``count``, of a ``path``, a ``body``, a time, with a ``text``."""

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
    return iter(()) if head is None else islice(_matching(soul, head, wanted), wanted.count)


def _matching(soul: Soul, head: str, wanted: Wanted) -> Iterator[Chapter]:
    needle = wanted.text.casefold() if wanted.text else None
    for commit in _commits(soul, head, wanted):
        if wanted.body is not None and commit.body != wanted.body:
            continue
        found = changes.of_commit(soul, commit)
        if wanted.path is not None:
            found = [c for c in found if _below(c, wanted.path)]
        if needle is not None:
            found = [c for c in found if _holds(c, needle)]
            if not found and needle not in commit.subject.casefold():
                continue
        yield Chapter(commit, found)


def _commits(soul: Soul, head: str, wanted: Wanted) -> Iterator[Commit]:
    times = [f"--{name}={value}" for name, value in (("since", wanted.since), ("until", wanted.until)) if value]
    flags, paths = (["--full-history"], [wanted.path]) if wanted.path else ([], [])
    skip = 0
    while batch := history.commits(soul, *times, *flags, f"--skip={skip}", head, limit=BATCH, paths=paths):
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
