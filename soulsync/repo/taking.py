"""What of one path goes into a commit: its content as a blob, whose it is, whether its absence is believed (§4, §6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.lang import tr
from soulsync.repo import half_written, objects
from soulsync.repo.content import is_binary, keeps_crlf, normalise
from soulsync.repo.objects import BLOB, EXECUTABLE, Entry
from soulsync.repo.paths import can_hold, shown
from soulsync.repo.siblings import Siblings
from soulsync.repo.worktree import FILE, FOLDER, LINK, Found

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soulsync.repo.soul import Soul
    from soulsync.repo.status import Status
    from soulsync.repo.worktree import WorkTree

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
    into the work tree. ``revealed``: paths that stand in the work tree, or will, although the index says that they do
    not. ``skipped`` and ``warnings``: what to tell.
    """

    edits: dict[str, Entry | None] = field(default_factory=dict)
    restore: list[str] = field(default_factory=list)
    revealed: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class Taker:
    """One look at the work tree; ``result`` is filled path by path."""

    def __init__(
        self, soul: Soul, worktree: WorkTree, status: Status, body: str, in_flight: Mapping[str, objects.Change]
    ) -> None:
        self.soul, self.worktree, self.status, self.body, self.in_flight = soul, worktree, status, body, in_flight
        self.head_tree = objects.tree_of(soul.repo, status.head) if status.head else None
        self.result = Snapshot()
        self.siblings = Siblings(soul.repo, self.head_tree, self.result.edits)
        self.replaced: set[str] = set()  # files in whose place a folder stands
        self.trust_deletions = True

    def committed(self, path: str) -> Entry | None:
        """What the last commit holds at ``path``."""
        return objects.lookup(self.soul.repo, self.head_tree, path)

    def blob(self, entry: Entry) -> bytes:
        """The content of a committed file."""
        return objects.read_blob(self.soul.repo, entry.id)

    def read(self, path: str) -> Found:
        """What stands at ``path``, read up to the size that may be committed."""
        return self.worktree.look(path, limit=spec.MAX_FILE_BYTES)

    def is_checked_out(self, path: str, entry: Entry) -> bool:
        """Whether a committed entry has a file in this work tree, as long as nobody removes it."""
        return entry.is_file and can_hold(path) and not self.too_large(entry)

    def too_large(self, entry: Entry) -> bool:
        """Whether a committed file is over what is checked out."""
        return objects.blob_size(self.soul.repo, entry.id) > spec.MAX_CHECKOUT_BYTES

    def believes_deletion(self, path: str, committed: Entry) -> bool:
        """Whether a path that is missing was deleted by somebody who may; where it may not vanish, it is put back."""
        if self._arrived(path, None) or not self.is_checked_out(path, committed):
            return False  # never created here, so its absence is no deletion (§6)
        if spec.never_vanishes(path) or not self.trust_deletions or path == spec.LEASE_JSON:
            self.result.restore.append(path)
            if self.trust_deletions:
                self.result.warnings.append(
                    tr("{path} was missing from the work tree and was restored.", path=shown(path))
                )
            return False
        if spec.owner_of(path) not in (None, self.body):
            self.result.restore.append(path)
            self.skip(path, NOT_OURS)
            return False
        return True

    def found(self, path: str, found: Found, committed: Entry | None) -> bool:
        """Take what stands there; whether it is in the next commit, changed or not."""
        reason = refusal(found)
        if reason:
            self.skip(path, reason)
            return False
        data = self._as_blob(path, found.data or b"", committed)
        entry = Entry(EXECUTABLE if found.mode & 0o100 else BLOB, objects.blob_id(data))
        if entry == committed or self._arrived(path, entry):
            return entry == committed
        return self._changed(path, data, entry, committed)

    def _as_blob(self, path: str, data: bytes, committed: Entry | None) -> bytes:
        if b"\r\n" in data and committed is not None and keeps_crlf(path, self.blob(committed)):
            return data
        return normalise(path, data)

    def _changed(self, path: str, data: bytes, entry: Entry, committed: Entry | None) -> bool:
        owner = spec.owner_of(path)
        if path == spec.LEASE_JSON or (spec.is_registry(path) and owner != self.body):
            self.skip(path, NOT_OURS)
            if committed is not None:
                self.result.restore.append(path)
            return False
        if owner not in (None, self.body):
            self.result.warnings.append(
                tr("{path} is the journal of another body; the change was committed.", path=shown(path))
            )
        steady = self._steady(path, data, committed)
        if steady is None:
            return False
        new = Entry(entry.mode, objects.write_blob(self.soul.repo, steady))
        if new != committed:
            self.result.edits[path] = new
        return True

    def _steady(self, path: str, data: bytes, committed: Entry | None) -> bytes | None:
        """The content to commit, where the file may be half-written; None where it can't be read as what it is."""

        def reread() -> bytes | None:
            found = self.read(path)
            return None if refusal(found) else self._as_blob(path, found.data or b"", committed)

        last = self.blob(committed) if committed is not None and committed.is_file else None
        warnings: list[str] = []
        if path == spec.AGENT_JSON:
            parsed = half_written.identity(data, reread)
            if parsed is None:
                self.skip(path, MALFORMED)
                return None
            data, warnings = (parsed, []) if last is None else half_written.with_last_id(parsed, last)
            if warnings:
                self.result.restore.append(path)
        elif spec.is_memories(path) and last is not None:
            data, warnings = half_written.memories(path, data, last, reread)
        self.result.warnings.extend(warnings)
        return data

    def _arrived(self, path: str, entry: Entry | None) -> bool:
        """Whether a checkout that was cut off put this version here, on top of what is still committed."""
        change = self.in_flight.get(path)
        return change is not None and change[1] == entry and change[0] == self.committed(path)

    def skip(self, path: str, reason: str) -> None:
        """Leave ``path`` out, for a reason by the contract's word."""
        self.result.skipped.append(Skipped(path, reason))


def refusal(found: Found) -> str | None:
    """Why a path can't be committed, by the contract's word, or None."""
    if found.kind == LINK:
        return SYMLINK
    if found.kind == FOLDER:
        return NESTED
    if found.kind == FILE and found.data is None:
        return TOO_LARGE
    if found.kind != FILE:  # closed to us, or no file at all
        return MALFORMED
    if is_binary(found.data or b""):
        return BINARY
    return None
