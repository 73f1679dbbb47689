"""Bringing the work tree from one tree to another, file by file, beside programs that write at any moment.

Each file is swapped for its new version only where it still holds the old one, and what came out of the swap is looked
at: when somebody wrote in between, the two are merged and put in place again. Before the first swap a note of what is
under way goes to disk, so that a run that is killed anywhere in here is understood by the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync import progress, spec
from soulsync.lang import tr
from soulsync.repo import bulk, half_written, objects
from soulsync.repo.content import normalise, same
from soulsync.repo.foreign_lock import locked
from soulsync.repo.objects import BLOB, EXECUTABLE, TREE, Change, Entry
from soulsync.repo.paths import can_hold, shown
from soulsync.repo.swap import Swap, join, permissions, put, source
from soulsync.repo.worktree import FILE, FOLDER, MISSING, Found, WorkTree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soulsync.repo.intent import Intent
    from soulsync.repo.soul import Soul


@dataclass(slots=True)
class Checkout:
    """What a checkout did.

    ``swapped``: replaced memories files, and what some writer keeps writing, to be looked at again (rule 13).
    ``absent``: paths of the tree that were not created here. ``merged``: files that somebody wrote to meanwhile.
    ``warnings``: what to tell.
    """

    swapped: list[Swap] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def run(
    soul: Soul,
    worktree: WorkTree,
    old: str | None,
    new: str,
    *,
    intent: Intent | None,
    in_flight: Mapping[str, Change] | None = None,
    force: frozenset[str] = frozenset(),
    stood: Mapping[str, list[bytes]] | None = None,
    newest: Mapping[str, bytes] | None = None,
) -> Checkout:
    """Bring the work tree from tree ``old`` to tree ``new``.

    ``in_flight``: what a checkout that was cut off was bringing in; its new versions may stand in place of the old.
    ``force``: paths to write although they do not hold the old version (put back, never believed).
    ``stood``: what was replaced before, per path, oldest first, and ``newest`` what replaced it; programs may have read
    any of it and write late.
    """
    changes = objects.diff(soul.repo, old, new)
    for path in {*force, *(in_flight or {})} - changes.keys():
        entry = objects.lookup(soul.repo, new, path)
        if entry is not None and entry.mode == TREE:
            entry = None  # a folder took the place of the file, and what the other checkout left there is in its way
        changes[path] = (entry, entry)
    return _Checkout(soul, worktree, changes, in_flight or {}, force, stood or {}, newest or {}).run(intent, old, new)


class _Checkout:
    def __init__(
        self,
        soul: Soul,
        worktree: WorkTree,
        changes: dict[str, Change],
        in_flight: Mapping[str, Change],
        force: frozenset[str],
        stood: Mapping[str, list[bytes]],
        newest: Mapping[str, bytes],
    ) -> None:
        self.soul, self.worktree, self.changes, self.force = soul, worktree, changes, force
        self.in_flight, self.stood, self.newest = in_flight, stood, newest
        self.result = Checkout()

    def run(self, intent: Intent | None, old: str | None, new: str) -> Checkout:
        gone = sorted(p for p, (_, entry) in self.changes.items() if entry is None)
        there = sorted(p for p, (_, entry) in self.changes.items() if entry is not None)
        order = {self.worktree.fresh_name(): path for path in (*gone, *there)}  # removals first: a folder may take
        if order and intent is not None:  # the place of a file
            intent.write(old, new, order)
        placed = self._place_many(new, there)
        for number, (name, path) in enumerate(order.items()):
            progress.tell("placing files", number, len(order))
            before, after = self.changes[path]
            if path in placed:
                continue
            if after is None:
                self._remove(path, before, name)
            elif self._can_place(path, after):
                self._place(path, before, after, name)
            else:
                self.result.absent.append(path)
        return self.result

    def _place_many(self, tree: str, there: list[str]) -> set[str]:
        """Place what is new here, where it is much; the paths that are done."""
        fresh = [path for path in there if self.changes[path][0] is None and self._is_plain(path)]
        if len(fresh) < bulk.WORTHWHILE or self.in_flight:
            return set()
        return bulk.place(self.soul, self.worktree, tree, fresh)

    def _is_plain(self, path: str) -> bool:
        after = self.changes[path][1]
        if after is None or after.mode != BLOB or not can_hold(path):
            return False
        return objects.blob_size(self.soul.repo, after.id) <= spec.MAX_CHECKOUT_BYTES

    def _standing_version(self, path: str, before: Entry | None) -> Entry | None:
        """The version that we left at ``path``: the committed one, or what a checkout that was cut off had placed."""
        flight = self.in_flight.get(path)
        if flight is None or flight[0] != before:
            return before
        return flight[1] if self._holds(path, self._look(path, *flight), flight[1]) else before

    def _can_place(self, path: str, entry: Entry) -> bool:
        if not entry.is_file:
            self.result.warnings.append(
                tr("{path} is a link or a nested repository; it was not created here.", path=shown(path))
            )
            return False
        if not can_hold(path):
            self.result.warnings.append(
                tr("{path} is a name that this machine can't hold; it was not created here.", path=shown(path))
            )
            return False
        if objects.blob_size(self.soul.repo, entry.id) > spec.MAX_CHECKOUT_BYTES:
            self.result.warnings.append(tr("{path} is over 16 MiB; it was not created here.", path=shown(path)))
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
        try:
            self.worktree.take(path, name)
        except FileNotFoundError:
            return
        content, came_out = self._blob(before), self.worktree.staged(name)
        if came_out is not None and content is not None and same(path, came_out, content):
            self.worktree.unstage(name)
        else:
            self._give_back(path, content, came_out, name)

    def _give_back(self, path: str, before: bytes | None, came_out: bytes | None, name: str) -> None:
        """What was taken away was written to in that moment: back, or joined with what came in its place since."""
        self._keep(path)
        try:
            self.worktree.create(path, name)
        except FileExistsError:
            found = self._look(path)
            if came_out is not None and found.data is not None:
                joined = join(path, before, normalise(path, found.data), normalise(path, came_out))
                self._swap(path, found, joined, name, found.mode)

    def _keep(self, path: str) -> None:
        self.result.merged.append(path)
        self.result.warnings.append(
            tr("{path} was written while another body's deletion arrived; it was kept.", path=shown(path))
        )

    def _place(self, path: str, before: Entry | None, after: Entry, name: str) -> None:
        before = self._standing_version(path, before)
        found = self._whole(path, self._look(path, before, after), before)
        if before is None and found.kind == FILE and not self.worktree.is_spelled_so(path):
            self.result.absent.append(path)
            self.result.warnings.append(
                tr("{path} has a twin of almost the same name; it was not created here.", path=shown(path))
            )
            return
        if self._holds(path, found, after):
            return
        if found.kind == FOLDER and self.worktree.remove_empty(path):
            found = Found(MISSING)
        content = self._blob(after) or b""
        try:
            if found.kind == MISSING and self._place_new(path, content, after, name):
                return
            found = found if found.kind != MISSING else self._look(path, before, after)
            if found.kind == FILE and found.data is not None:
                with locked(self.worktree.root, path):
                    self._place_over(path, self._blob(before), content, found, name, after.mode)
                return
        except NotADirectoryError:
            self.worktree.unstage(name)
        self.result.absent.append(path)
        self.result.warnings.append(
            tr("Something that is no plain file stands at {path}; it was left alone.", path=shown(path))
        )

    def _whole(self, path: str, found: Found, before: Entry | None) -> Found:
        """What stands there, when a program that writes memories in place is not caught with the file emptied."""
        content = self._blob(before) if spec.is_memories(path) else None
        if content is None or found.data is None:
            return found
        data = half_written.whole(path, found.data, content, lambda: self._look(path, before).data)
        return found._replace(data=data)

    def _place_new(self, path: str, content: bytes, after: Entry, name: str) -> bool:
        """Create a file; False where something came to stand there meanwhile."""
        self.worktree.stage(name, content, permissions(None, executable=after.mode == EXECUTABLE))
        try:
            self.worktree.create(path, name)
        except FileExistsError:
            return False
        return True

    def _place_over(
        self, path: str, expected: bytes | None, content: bytes, found: Found, name: str, mode: int
    ) -> None:
        """Swap ``content`` in over the file that was ``found`` there."""
        standing, target = found.data or b"", content
        if path not in self.force and (expected is None or not same(path, standing, expected)):
            target = join(path, expected, self._completed(path, normalise(path, standing)), content)
            self.result.merged.append(path)
        bits = permissions(found.mode, executable=mode == EXECUTABLE)
        if bits != found.mode or not same(path, target, standing):
            self._swap(path, found, target, name, bits)

    def _completed(self, path: str, written: bytes) -> bytes:
        """What somebody wrote, with what an earlier replacement brought, where the writer had not seen that.

        Only ``newest`` accounts for all that stood there; the committed version lacks what was written since, which
        would look like its deletion.
        """
        newest = self.newest.get(path)
        if newest is None:
            return written
        read = source(path, self.stood.get(path, []), newest, written)
        return written if read == newest else join(path, read, written, newest)

    def _swap(self, path: str, found: Found, target: bytes, name: str, bits: int) -> None:
        swap = put(self.worktree, path, found.data or b"", target, name, bits, self.stood.get(path, ()))
        if swap.new != target:
            self.result.merged.append(path)
        if spec.is_memories(path) or not swap.settled:
            self.result.swapped.append(swap)
        else:
            for out in swap.out:
                self.worktree.unstage(out.staged)

    def _look(self, path: str, *versions: Entry | None) -> Found:
        """Read what stands there, up to the size that any version at hand may have."""
        sizes = [objects.blob_size(self.soul.repo, e.id) for e in versions if e is not None and e.is_file]
        return self.worktree.look(path, limit=max([spec.MAX_FILE_BYTES, *(2 * s for s in sizes)]))

    def _holds(self, path: str, found: Found, entry: Entry | None) -> bool:
        """Whether the work tree has the version ``entry`` at ``path``."""
        if entry is None:
            return found.kind == MISSING
        if found.kind != FILE or found.data is None or bool(found.mode & 0o100) != (entry.mode == EXECUTABLE):
            return False
        if objects.blob_id(found.data) == entry.id:
            return True
        content = self._blob(entry)
        return content is not None and same(path, found.data, content)
