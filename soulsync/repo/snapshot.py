"""From the work tree to a tree object: what changed, what is left out and why, what is put back (§4 rule 4, §6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.repo import half_written, objects
from soulsync.repo.content import is_binary, keeps_crlf, normalise
from soulsync.repo.objects import BLOB, EXECUTABLE, SUBMODULE, TREE, Entry
from soulsync.repo.paths import can_hold, is_portable, parents, shown
from soulsync.repo.siblings import Siblings
from soulsync.repo.status import is_litter
from soulsync.repo.swap import join
from soulsync.repo.worktree import FILE, FOLDER, LINK, MISSING, OBSTRUCTED, Found

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
        self._siblings = Siblings(soul.repo, self.head_tree, self.result.edits)
        self._replaced: set[str] = set()
        self._trust_deletions = True

    def run(self) -> Snapshot:
        # Without the identity file the work tree is no soul: a disk that is not mounted, a folder emptied by mistake.
        # No deletion is believed then (syncthing#4345: emptiness spread to all peers).
        gone = self._committed(spec.AGENT_JSON) and self.worktree.look(spec.AGENT_JSON).kind == MISSING
        self._trust_deletions = not gone
        tracked = set(self.status.tracked)
        for path in sorted(tracked):
            self._tracked(path)
        for path in sorted(set(self.status.untracked) - tracked):
            self._untracked(path)
        for path in sorted(set(self.status.hidden) - tracked):
            self._hidden(path)
        if gone:
            self.result.warnings.append(
                "agent.json was missing from the work tree, so no deletion was believed: "
                f"{len(self.result.restore)} files restored."
            )
        return self.result

    def _committed(self, path: str) -> Entry | None:
        return objects.lookup(self.soul.repo, self.head_tree, path)

    def _blob(self, entry: Entry) -> bytes:
        return objects.read_blob(self.soul.repo, entry.id)

    def _read(self, path: str) -> Found:
        return self.worktree.look(path, limit=spec.MAX_FILE_BYTES)

    # -- one path ------------------------------------------------------------------------------------------------

    def _tracked(self, path: str) -> None:
        found, committed = self._read(path), self._committed(path)
        if committed is None:
            self._new(path, found)
        elif not committed.is_file or found.kind == OBSTRUCTED:
            return  # never checked out, so it stays; or a link stands on the way, and nothing can be said of the path
        elif found.kind == MISSING:
            if self._believes_deletion(path, committed):
                self.result.edits[path] = None
        elif found.kind == FOLDER and not self.worktree.holds_repository(path):
            if self._believes_deletion(path, committed):
                self._replaced.add(path)  # gone, once the folder gives a file to commit
        else:
            self._found(path, found, committed)

    def _untracked(self, path: str) -> None:
        if path.endswith("/"):
            self._skip(path.rstrip("/"), NESTED)
            return
        committed = self._committed(path)
        if committed is None:
            self._new(path, self._read(path))
        elif committed.mode == TREE:
            self._instead_of_folder(path, self._read(path), committed)
        else:
            self._tracked(path)

    def _hidden(self, path: str) -> None:
        """A path that an earlier checkout could not create here; it may be possible now, or somebody wrote it."""
        committed = self._committed(path)
        if committed is None or not committed.is_file:
            return
        found = self._read(path)
        if found.kind == MISSING:
            if can_hold(path) and not self._too_large(committed):
                self.result.restore.append(path)
                self.result.revealed.append(path)
        elif found.kind == FILE and found.data is not None:
            self.result.revealed.append(path)
            standing = normalise(path, found.data)
            # Whoever wrote it never saw what is committed.
            joined = standing if self._too_large(committed) else join(path, None, standing, self._blob(committed))
            if joined != standing:
                self.result.restore.append(path)
            self._found(path, found._replace(data=joined), committed)
        elif found.kind not in (OBSTRUCTED, FOLDER):
            self._found(path, found, committed)

    def _new(self, path: str, found: Found) -> None:
        if found.kind in (MISSING, FOLDER, OBSTRUCTED) or is_litter(path):
            return
        refused = self._place_refused(path) if found.kind == FILE else None
        if refused is None and self._found(path, found, None):
            self._siblings.add(path)
            self.result.edits.update({folder: None for folder in parents(path) if folder in self._replaced})
        elif refused is not None:
            self._skip(path, refused)

    def _place_refused(self, path: str) -> str | None:
        """Why a new file can't have this path in the tree, or None."""
        blocked = self._siblings.blocked(path, self._replaced)
        if blocked is not None:
            entry = self._committed(blocked)
            links = {SUBMODULE: NESTED, objects.SYMLINK: SYMLINK}
            return links.get(entry.mode, UNPORTABLE) if entry is not None else UNPORTABLE
        return UNPORTABLE if not is_portable(path) or self._siblings.twin(path) is not None else None

    def _instead_of_folder(self, path: str, found: Found, folder: Entry) -> None:
        """A file where the last commit has a folder: the folder's files were deleted, if all of them may be."""
        refused = _refusal(found)
        if refused is not None:
            self._skip(path, refused)
            return
        below = {f"{path}/{name}": entry for name, entry in objects.walk(self.soul.repo, folder.id)}
        free = path.startswith("notes/") or not spec.is_spec_path(path)
        if not free or not self._trust_deletions or not all(self._is_checked_out(p, e) for p, e in below.items()):
            self._skip(path, UNPORTABLE)
            self.result.warnings.append(f"{shown(path)} is a file where the soul has a folder; the folder was kept.")
        elif self._found(path, found, None):
            self.result.edits.update(dict.fromkeys(below))

    def _is_checked_out(self, path: str, entry: Entry) -> bool:
        return entry.is_file and can_hold(path) and not self._too_large(entry)

    # -- what was deleted ----------------------------------------------------------------------------------------

    def _too_large(self, entry: Entry) -> bool:
        return objects.blob_size(self.soul.repo, entry.id) > spec.MAX_CHECKOUT_BYTES

    def _believes_deletion(self, path: str, committed: Entry) -> bool:
        """Whether a path that is missing was deleted by somebody who may; where it may not vanish, it is put back."""
        if self._arrived(path, None) or not self._is_checked_out(path, committed):
            return False  # never created here, so its absence is no deletion (§6)
        if spec.never_vanishes(path) or not self._trust_deletions or path == spec.LEASE_JSON:
            self.result.restore.append(path)
            if self._trust_deletions:
                self.result.warnings.append(f"{shown(path)} was missing from the work tree and was restored.")
            return False
        if spec.owner_of(path) not in (None, self.body):
            self.result.restore.append(path)
            self._skip(path, NOT_OURS)
            return False
        return True

    # -- what was written ----------------------------------------------------------------------------------------

    def _found(self, path: str, found: Found, committed: Entry | None) -> bool:
        """Take what stands there; whether it is in the next commit, changed or not."""
        reason = _refusal(found)
        if reason:
            self._skip(path, reason)
            return False
        data = self._as_blob(path, found.data or b"", committed)
        entry = Entry(EXECUTABLE if found.mode & 0o100 else BLOB, objects.blob_id(data))
        if entry == committed or self._arrived(path, entry):
            return entry == committed
        return self._changed(path, data, entry, committed)

    def _as_blob(self, path: str, data: bytes, committed: Entry | None) -> bytes:
        if b"\r\n" in data and committed is not None and keeps_crlf(path, self._blob(committed)):
            return data
        return normalise(path, data)

    def _changed(self, path: str, data: bytes, entry: Entry, committed: Entry | None) -> bool:
        owner = spec.owner_of(path)
        if path == spec.LEASE_JSON or (spec.is_registry(path) and owner != self.body):
            self._skip(path, NOT_OURS)
            if committed is not None:
                self.result.restore.append(path)
            return False
        if owner not in (None, self.body):
            self.result.warnings.append(f"{shown(path)} is the journal of another body; the change was committed.")
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
            found = self._read(path)
            return None if _refusal(found) else self._as_blob(path, found.data or b"", committed)

        last = self._blob(committed) if committed is not None and committed.is_file else None
        warnings: list[str] = []
        if path == spec.AGENT_JSON:
            parsed = half_written.identity(data, reread)
            if parsed is None:
                self._skip(path, MALFORMED)
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
        return change is not None and change[1] == entry and change[0] == self._committed(path)

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
