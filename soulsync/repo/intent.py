"""The note on disk of a checkout that is under way, and what a run makes of the note that a killed one left."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.errors import SoulSyncError
from soulsync.lang import tr
from soulsync.repo import objects
from soulsync.repo.content import normalise, same
from soulsync.repo.paths import shown
from soulsync.repo.rename import OLD
from soulsync.repo.swap import join, staging_names, swap_in
from soulsync.repo.worktree import MISSING

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.repo.soul import Soul
    from soulsync.repo.worktree import WorkTree

KEEP_STAGED = 24 * 3600.0
"""Seconds for which a staging file that no note names is kept: a writer may still have it open."""


class Intent:
    """From which tree to which a checkout goes, and the path for which each staging file is."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def write(self, old: str | None, new: str, staged: dict[str, str]) -> None:
        """Put the note on disk, for certain, before the first file changes."""
        from soulsync.files import write_durably

        write_durably(self.file, json.dumps({"old": old, "new": new, "staged": staged}).encode("ascii"))

    def read(self) -> tuple[str | None, str, dict[str, str]] | None:
        """The note that a run before us left, or None."""
        try:
            note = json.loads(self.file.read_bytes())
            old, new, staged = note["old"], note["new"], dict(note["staged"])
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, RecursionError):
            return None  # no note of ours: it is on disk as a whole or not at all
        texts = (new, *staged, *staged.values(), *([] if old is None else [old]))
        return (old, new, staged) if all(isinstance(text, str) for text in texts) else None

    def clear(self) -> None:
        """The checkout is over."""
        self.file.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a checkout that was cut off was doing.

    ``in_flight``: for each path what was committed and what may stand there instead, through no act of the agent.
    ``moved``: ``main`` had moved already, so it is old versions that may still stand there.
    """

    in_flight: dict[str, objects.Change] = field(default_factory=dict)
    moved: bool = False
    warnings: list[str] = field(default_factory=list)


def recover(soul: Soul, worktree: WorkTree, intent: Intent) -> Recovered:
    """Understand a checkout that was cut off.

    What a swap left in the staging folder may be an agent's words: it is joined with what stands in its place.
    """
    note = intent.read()
    if note is None:
        return Recovered()
    old, new, staged = note
    try:
        changes = objects.diff(soul.repo, old, new)
    except (KeyError, ValueError, SoulSyncError):
        return Recovered()  # the objects never reached the disk: then no file was touched
    warnings = [
        tr("{path} was being written when a sync was cut off; both versions were joined.", path=shown(path))
        for name, path in staged.items()
        for staging in staging_names(name)
        for left in (staging, staging + OLD)
        if _rescue(soul, worktree, path, changes.get(path, (None, None)), left)
    ]
    head = soul.head
    if head is not None and objects.tree_of(soul.repo, head) == new:
        # All files are in place, unless a power cut took some back from a disk that says "written" too early: read as
        # the agent's own edits, the old versions would undo on every body what had arrived.
        return Recovered({path: (after, before) for path, (before, after) in changes.items()}, True, warnings)
    return Recovered(changes, False, warnings)


def _rescue(soul: Soul, worktree: WorkTree, path: str, change: objects.Change, name: str) -> bool:
    """Look at one staging file; whether it held words that stand nowhere else."""
    data = worktree.staged(name)
    if data is None:
        return False
    versions = [objects.read_blob(soul.repo, e.id) if e is not None and e.is_file else None for e in change]
    known = any(version is not None and same(path, data, version) for version in versions)
    if not known:
        _join(worktree, path, versions, data, name)
    worktree.unstage(name)
    return not known


def _join(worktree: WorkTree, path: str, versions: list[bytes | None], data: bytes, name: str) -> None:
    found = worktree.look(path, limit=spec.MAX_CHECKOUT_BYTES)
    if found.kind == MISSING:
        worktree.create(path, name)
    elif found.data is not None:
        standing, out = normalise(path, found.data), normalise(path, data)
        # What stands there is newer than what came out, unless it is just what we had put there.
        written, other = (out, standing) if standing in versions else (standing, out)
        joined = join(path, versions[0], written, other)
        if joined != standing:
            swap_in(worktree, path, found.data, joined, name, found.mode)
