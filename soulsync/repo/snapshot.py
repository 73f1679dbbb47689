"""From the work tree to a tree object: what changed, what is left out and why, what is put back (§4 rule 4, §6)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.formats import agent, entries
from soulsync.formats.text import Malformed
from soulsync.merge.result import Sides
from soulsync.merge.rules import merge_file
from soulsync.repo import objects
from soulsync.repo.content import is_binary, normalise
from soulsync.repo.objects import BLOB, EXECUTABLE, Entry
from soulsync.repo.paths import can_hold, is_portable, shown, twin_key
from soulsync.repo.worktree import FILE, FOLDER, LINK, MISSING, OBSTRUCTED, Found

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soulsync.repo.soul import Soul
    from soulsync.repo.status import Status
    from soulsync.repo.worktree import WorkTree

REREAD_PAUSE = 0.15
"""Seconds after which a file that looks half-written is read again."""

TOO_LARGE, BINARY, SYMLINK, NESTED = "too-large", "binary", "symlink", "nested-repository"
UNPORTABLE, MALFORMED, NOT_OURS = "unportable", "malformed", "not-ours"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A path that was left out of the commit, and the ``reason`` by the contract's word."""

    path: str
    reason: str


@dataclass(slots=True)
class Snapshot:
    """What a look at the work tree gave.

    ``edits``: paths to set or remove in the last commit's tree. ``restore``: paths whose committed version goes back
    into the work tree. ``skipped`` and ``warnings``: what to tell.
    """

    edits: dict[str, Entry | None] = field(default_factory=dict)
    restore: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def take(
    soul: Soul,
    worktree: WorkTree,
    status: Status,
    body: str,
    in_flight: Mapping[str, objects.Change] | None = None,
) -> Snapshot:
    """Look at everything that ``status`` names and decide what a commit of ``body`` takes.

    ``in_flight``: what a checkout that was cut off was bringing in; a path that already holds its new version there was
    not edited by anybody.
    """
    return _Snapshooter(soul, worktree, status, body, in_flight or {}).run()


class _Snapshooter:
    def __init__(
        self, soul: Soul, worktree: WorkTree, status: Status, body: str, in_flight: Mapping[str, objects.Change]
    ) -> None:
        self.soul, self.worktree, self.status, self.body, self.in_flight = soul, worktree, status, body, in_flight
        self.head_tree = objects.tree_of(soul.repo, status.head) if status.head else None
        self.result = Snapshot()
        self._twins: set[str] | None = None

    def run(self) -> Snapshot:
        # Without the identity file the work tree is no soul: a disk that is not mounted, a folder emptied by mistake.
        # No deletion is believed then (syncthing#4345: emptiness spread to all peers).
        gone = self.head_tree is not None and self.worktree.look(spec.AGENT_JSON).kind == MISSING
        trust_deletions = not (gone and self._committed(spec.AGENT_JSON))
        for path in sorted(set(self.status.tracked)):
            self._tracked(path, trust_deletions)
        for path in sorted(set(self.status.untracked) - set(self.status.tracked)):
            self._untracked(path)
        if not trust_deletions:
            self.result.warnings.append(
                "agent.json was missing from the work tree, so no deletion was believed: "
                f"{len(self.result.restore)} files restored."
            )
        return self.result

    def _committed(self, path: str) -> Entry | None:
        return objects.lookup(self.soul.repo, self.head_tree, path)

    def _tracked(self, path: str, trust_deletions: bool) -> None:
        found, committed = self._read(path), self._committed(path)
        if committed is not None and not committed.is_file:
            return  # a link or a submodule that somebody else committed: never checked out, stays as it is
        if found.kind == MISSING:
            if committed is not None:
                self._deleted(path, committed, trust_deletions)
        elif found.kind == OBSTRUCTED or (found.kind == FOLDER and not self.worktree.holds_repository(path)):
            if found.kind == FOLDER and committed is not None:
                self._deleted(
                    path, committed, trust_deletions
                )  # a folder took the file's place; its files come as untracked
        else:
            self._found(path, found, committed)

    def _untracked(self, path: str) -> None:
        if path.endswith("/"):
            self._skip(path.rstrip("/"), NESTED)
            return
        found = self._read(path)
        if found.kind in (MISSING, FOLDER, OBSTRUCTED):
            return
        committed = self._committed(path)
        if committed is None and found.kind == FILE and not self._portable(path):
            self._skip(path, UNPORTABLE)
            return
        self._found(path, found, committed)

    def _read(self, path: str) -> Found:
        return self.worktree.look(path, limit=spec.MAX_FILE_BYTES)

    def _deleted(self, path: str, committed: Entry, trust_deletions: bool) -> None:
        too_large = objects.blob_size(self.soul.repo, committed.id) > spec.MAX_CHECKOUT_BYTES
        if self._arrived(path, None) or too_large or not can_hold(path):
            return  # never created here, so its absence is no deletion (§6)
        foreign = spec.owner_of(path) not in (None, self.body)
        if spec.never_vanishes(path) or not trust_deletions or path == spec.LEASE_JSON:
            self.result.restore.append(path)
            if trust_deletions:
                self.result.warnings.append(f"{shown(path)} was missing from the work tree and was restored.")
        elif foreign:
            self.result.restore.append(path)
            self._skip(path, NOT_OURS)
        else:
            self.result.edits[path] = None

    def _found(self, path: str, found: Found, committed: Entry | None) -> None:
        reason = _refusal(found)
        if reason:
            self._skip(path, reason)
            return
        data = normalise(path, found.data or b"")
        entry = Entry(EXECUTABLE if found.mode & 0o100 else BLOB, objects.blob_id(data))
        if entry == committed or self._arrived(path, entry):
            return
        self._changed(path, data, entry, committed)

    def _changed(self, path: str, data: bytes, entry: Entry, committed: Entry | None) -> None:
        owner = spec.owner_of(path)
        if path == spec.LEASE_JSON or (spec.is_registry(path) and owner != self.body):
            self._skip(path, NOT_OURS)
            if committed is not None:
                self.result.restore.append(path)
            return
        if owner not in (None, self.body):
            self.result.warnings.append(f"{shown(path)} is the journal of another body; the change was committed.")
        if path == spec.AGENT_JSON:
            checked = self._identity(data, committed)
            if checked is None:
                return
            data = checked
        elif spec.is_memories(path) and committed is not None:
            data = self._steady_memories(path, data, committed)
        blob = objects.write_blob(self.soul.repo, data)
        if Entry(entry.mode, blob) != committed:
            self.result.edits[path] = Entry(entry.mode, blob)

    def _identity(self, data: bytes, committed: Entry | None) -> bytes | None:
        """The identity to commit, with the id that never changes; None where the file can't be read as one."""
        for attempt in range(3):
            try:
                agent.parse(data)
                break
            except Malformed:
                if attempt == 2:
                    self._skip(spec.AGENT_JSON, MALFORMED)
                    return None
                data = self._again(spec.AGENT_JSON, data)
        if committed is None or not committed.is_file:
            return data
        last = objects.read_blob(self.soul.repo, committed.id)
        merged = merge_file("soul-agent", spec.AGENT_JSON, last, data, last, Sides())
        if merged.data is not None and agent.agent_id(data) != agent.agent_id(merged.data):
            self.result.warnings.append("The id in agent.json was changed; it was put back, an id never changes.")
            self.result.restore.append(spec.AGENT_JSON)
        return merged.data

    def _steady_memories(self, path: str, data: bytes, committed: Entry) -> bytes:
        """Memories that shrink by more than half may be half-written: read again before they are believed."""
        size = objects.blob_size(self.soul.repo, committed.id)
        if len(data) * 2 >= size:
            return data
        data = self._again(path, data)
        before, after = (len(entries.parse(d)) for d in (objects.read_blob(self.soul.repo, committed.id), data))
        if len(data) * 2 < size:
            self.result.warnings.append(
                f"{path} shrank from {before} to {after} entries; `soulsync restore {path}` brings them back."
            )
        return data

    def _again(self, path: str, data: bytes) -> bytes:
        time.sleep(REREAD_PAUSE)
        found = self._read(path)
        return data if _refusal(found) else normalise(path, found.data or b"")

    def _arrived(self, path: str, entry: Entry | None) -> bool:
        """Whether a checkout that was cut off put this version here, on top of what is still committed."""
        change = self.in_flight.get(path)
        return change is not None and change[1] == entry and change[0] == self._committed(path)

    def _portable(self, path: str) -> bool:
        """Whether a new path fits every system and has no twin by case or Unicode form (syncthing#439)."""
        if not is_portable(path):
            return False
        if self._twins is None:
            self._twins = {twin_key(p) for p, _ in objects.walk(self.soul.repo, self.head_tree)}
        key = twin_key(path)
        if key in self._twins:
            return False
        self._twins.add(key)
        return True

    def _skip(self, path: str, reason: str) -> None:
        self.result.skipped.append(Skipped(path, reason))


def _refusal(found: Found) -> str | None:
    """Why a path can't be committed, by the contract's word, or None."""
    if found.kind == LINK:
        return SYMLINK
    if found.kind == FOLDER:
        return NESTED
    if found.kind == FILE and found.data is None:
        return TOO_LARGE
    if found.kind != FILE or is_binary(found.data or b""):
        return BINARY
    return None
