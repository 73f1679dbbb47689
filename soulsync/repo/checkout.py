"""Bringing the work tree from one tree to another, file by file, beside programs that write at any moment.

Each file is swapped for its new version only where it still holds the old one, and what came out of the swap is looked
at: when somebody wrote in between, the two are merged and put in place again. Before the first swap a note of what is
under way goes to disk, so that a run that is killed anywhere in here is understood by the next.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.merge.result import Sides
from soulsync.merge.rules import merge_file, rule_for
from soulsync.repo import objects
from soulsync.repo.content import normalise
from soulsync.repo.foreign_lock import locked
from soulsync.repo.objects import EXECUTABLE, Change, Entry
from soulsync.repo.paths import can_hold, shown
from soulsync.repo.worktree import FILE, MISSING, Found, WorkTree

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from soulsync.repo.soul import Soul

MAX_PLACINGS = 5
"""How often a file is put in place again when a writer keeps getting in between (§4 rule 13)."""


@dataclass(slots=True)
class Swap:
    """A file that was replaced: ``old`` and ``new`` content, and the staging file that holds what came out."""

    path: str
    old: bytes
    new: bytes
    staged: str


@dataclass(slots=True)
class Checkout:
    """What a checkout did.

    ``swapped``: replaced memories files, to be looked at again (rule 13). ``absent``: paths of the tree that were not
    created here. ``merged``: files that somebody wrote to meanwhile. ``warnings``: what to tell.
    """

    swapped: list[Swap] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class Intent:
    """The note on disk of a checkout that is under way: from which tree to which, and the staged path names."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def write(self, old: str | None, new: str, paths: list[str]) -> None:
        """Put the note on disk, for certain, before the first file changes."""
        from soulsync.repo.files import write_durably

        write_durably(self.file, json.dumps({"old": old, "new": new, "paths": paths}).encode("ascii"))

    def read(self) -> tuple[str | None, str, list[str]] | None:
        """The note that a run before us left, or None."""
        try:
            note = json.loads(self.file.read_bytes())
            return note["old"], note["new"], list(note["paths"])
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            return None  # cut short while being written: no file had been touched yet

    def clear(self) -> None:
        """The checkout is over."""
        self.file.unlink(missing_ok=True)


def run(
    soul: Soul,
    worktree: WorkTree,
    old: str | None,
    new: str,
    *,
    intent: Intent | None,
    in_flight: Mapping[str, Change] | None = None,
    force: frozenset[str] = frozenset(),
) -> Checkout:
    """Bring the work tree from tree ``old`` to tree ``new``.

    ``in_flight``: what a checkout that was cut off was bringing in; its new versions may stand in place of the old.
    ``force``: paths to write although they do not hold the old version (put back, never believed).
    """
    changes = objects.diff(soul.repo, old, new)
    for path in {*force, *(in_flight or {})} - changes.keys():
        entry = objects.lookup(soul.repo, new, path)
        changes[path] = (entry, entry)
    return _Checkout(soul, worktree, changes, in_flight or {}, force).run(intent, old, new)


class _Checkout:
    def __init__(
        self,
        soul: Soul,
        worktree: WorkTree,
        changes: dict[str, Change],
        in_flight: Mapping[str, Change],
        force: frozenset[str],
    ) -> None:
        self.soul, self.worktree, self.changes, self.force = soul, worktree, changes, force
        self.in_flight = in_flight
        self.result = Checkout()

    def run(self, intent: Intent | None, old: str | None, new: str) -> Checkout:
        gone = sorted(p for p, (_, entry) in self.changes.items() if entry is None)
        there = sorted(p for p, (_, entry) in self.changes.items() if entry is not None)
        order = [*gone, *there]  # removals first: a folder may take the place of a file
        if order and intent is not None:
            intent.write(old, new, order)
        for number, path in enumerate(order):
            before, after = self.changes[path]
            if after is None:
                self._remove(path, before, str(number))
            elif self._can_place(path, after):
                self._place(path, before, after, str(number))
            else:
                self.result.absent.append(path)
        return self.result

    def _standing_version(self, path: str, before: Entry | None) -> Entry | None:
        """The version that we left at ``path``: the committed one, or what a checkout that was cut off had placed."""
        flight = self.in_flight.get(path)
        if flight is None or flight[0] != before:
            return before
        return flight[1] if self._holds(path, self._look(path, *flight), flight[1]) else before

    def _can_place(self, path: str, entry: Entry) -> bool:
        if not entry.is_file:
            self.result.warnings.append(f"{shown(path)} is a link or a nested repository; it was not created here.")
            return False
        if not can_hold(path):
            self.result.warnings.append(
                f"{shown(path)} is a name that this machine can't hold; it was not created here."
            )
            return False
        if objects.blob_size(self.soul.repo, entry.id) > spec.MAX_CHECKOUT_BYTES:
            self.result.warnings.append(f"{shown(path)} is over 16 MiB; it was not created here.")
            return False
        return True

    def _blob(self, entry: Entry | None) -> bytes | None:
        return None if entry is None or not entry.is_file else objects.read_blob(self.soul.repo, entry.id)

    def _remove(self, path: str, before: Entry | None, name: str) -> None:
        before = self._standing_version(path, before)
        if before is None or not before.is_file or not can_hold(path):
            return
        found = self._look(path, before)
        if found.kind != FILE:
            return
        if not self._holds(path, found, before):
            self._keep(path)  # written since: the newer act
            return
        self.worktree.take(path, name)
        came_out = self.worktree.staged(name)
        if came_out is not None and normalise(path, came_out) != self._blob(before):
            self.worktree.create(path, name)
            self._keep(path)
            return
        self.worktree.unstage(name)

    def _keep(self, path: str) -> None:
        self.result.merged.append(path)
        self.result.warnings.append(f"{shown(path)} was written while another body's deletion arrived; it was kept.")

    def _place(self, path: str, before: Entry | None, after: Entry, name: str) -> None:
        before = self._standing_version(path, before)
        found = self._look(path, before, after)
        if self._holds(path, found, after):
            return
        content = self._blob(after) or b""
        if found.kind == MISSING:
            self._place_new(path, content, after, name)
        elif found.kind == FILE and found.data is not None:
            expected = self._blob(before) if before is not None and before.is_file else None
            with locked(self.worktree.root, path):
                self._place_over(path, expected, content, found, name, after.mode)
        else:
            self.result.absent.append(path)
            self.result.warnings.append(f"Something that is no plain file stands at {shown(path)}; it was left alone.")

    def _place_new(self, path: str, content: bytes, after: Entry, name: str) -> None:
        self.worktree.stage(name, content, _permissions(None, after.mode))
        try:
            self.worktree.create(path, name)
        except FileExistsError:
            found = self._look(path, after)
            self._place_over(path, None, content, found, name, after.mode)
        except NotADirectoryError:
            self.worktree.unstage(name)
            self.result.absent.append(path)
            self.result.warnings.append(f"A link stands on the way to {shown(path)}; it was not created here.")

    def _place_over(
        self, path: str, expected: bytes | None, content: bytes, found: Found, name: str, mode: int
    ) -> None:
        """Swap ``content`` in over the file that was ``found`` there."""
        standing = normalise(path, found.data or b"")
        target = content
        if path not in self.force and standing != expected:
            target = join(path, expected, standing, content)
            self.result.merged.append(path)
        if target == standing:
            return
        final = swap_in(self.worktree, path, standing, target, name, _permissions(found, mode))
        if final != target:
            self.result.merged.append(path)
        if spec.is_memories(path):
            self.result.swapped.append(Swap(path, standing, final, name))
        else:
            self.worktree.unstage(name)

    def _look(self, path: str, *versions: Entry | None) -> Found:
        """Read what stands there, up to the size that any version at hand may have."""
        sizes = [objects.blob_size(self.soul.repo, e.id) for e in versions if e is not None and e.is_file]
        return self.worktree.look(path, limit=max([spec.MAX_FILE_BYTES, *(2 * s for s in sizes)]))

    @staticmethod
    def _holds(path: str, found: Found, entry: Entry | None) -> bool:
        if entry is None:
            return found.kind == MISSING
        if found.kind != FILE or found.data is None:
            return False
        executable = bool(found.mode & 0o100) == (entry.mode == EXECUTABLE)
        return executable and objects.blob_id(normalise(path, found.data)) == entry.id


def join(path: str, old: bytes | None, written: bytes, arrived: bytes) -> bytes:
    """What somebody wrote on top of ``old``, and what ``arrived`` to replace it, as one; the writer is the newer."""
    merged = merge_file(rule_for(path), path, old, written, arrived, Sides(1, 0))
    return written if merged.data is None else merged.data


def swap_in(worktree: WorkTree, path: str, standing: bytes, target: bytes, name: str, permissions: int) -> bytes:
    """Swap ``target`` in where ``standing`` is expected; whatever else comes out is merged, and that goes in again.

    Gives what was put in place last. The staging file ``name`` holds what came out last.
    """
    for _ in range(MAX_PLACINGS):
        worktree.stage(name, target, permissions)
        try:
            worktree.exchange(path, name)
        except FileNotFoundError:  # its writer is between "remove" and "create", or removed it for good
            worktree.create(path, name)
            break
        came_out = normalise(path, worktree.staged(name) or b"")
        if came_out == standing:
            break
        joined = join(path, standing, came_out, target)
        if joined == target:
            break
        standing, target = target, joined
    return target


def _permissions(found: Found | None, mode: int) -> int:
    """The permission bits for a file: those it had, or what the umask allows; executable as the tree says."""
    if found is not None and found.kind == FILE:
        bits = found.mode
    else:
        import os

        umask = os.umask(0o077)
        os.umask(umask)
        bits = 0o666 & ~umask
    return bits | 0o100 if mode == EXECUTABLE else bits & ~0o111
