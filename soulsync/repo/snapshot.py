"""From the work tree to a tree object: what changed, what is left out and why, what is put back (§4 rule 4, §6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.lang import tr
from soulsync.repo import objects
from soulsync.repo.content import normalise
from soulsync.repo.objects import SUBMODULE, TREE, Entry
from soulsync.repo.paths import can_hold, is_portable, parents, shown
from soulsync.repo.status import is_litter
from soulsync.repo.swap import join
from soulsync.repo.taking import NESTED, SYMLINK, UNPORTABLE, Taker, refusal
from soulsync.repo.taking import Skipped as Skipped
from soulsync.repo.taking import Snapshot as Snapshot
from soulsync.repo.worktree import FILE, FOLDER, MISSING, OBSTRUCTED, Found

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soulsync.repo.soul import Soul
    from soulsync.repo.status import Status
    from soulsync.repo.worktree import WorkTree


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
    with soul.many_objects(len(status.tracked) + len(status.untracked)):
        return _Snapshooter(soul, worktree, status, body, in_flight or {}).run()


class _Snapshooter(Taker):
    def run(self) -> Snapshot:
        # Without the identity file the work tree is no soul: a disk that is not mounted, a folder emptied by mistake.
        # No deletion is believed then (syncthing#4345: emptiness spread to all peers).
        gone = self.committed(spec.AGENT_JSON) and self.worktree.look(spec.AGENT_JSON).kind == MISSING
        self.trust_deletions = not gone
        tracked = set(self.status.tracked)
        for path in sorted(tracked):
            self._tracked(path)
        for path in sorted(set(self.status.untracked) - tracked):
            self._untracked(path)
        for path in sorted(set(self.status.hidden) - tracked):
            self._hidden(path)
        if gone:
            self.result.warnings.append(
                tr(
                    "agent.json was missing from the work tree, so no deletion was believed: {count} files restored.",
                    count=len(self.result.restore),
                )
            )
        return self.result

    def _tracked(self, path: str) -> None:
        found, committed = self.read(path), self.committed(path)
        if committed is None:
            self._new(path, found)
        elif not committed.is_file or found.kind == OBSTRUCTED:
            return  # never checked out, so it stays; or a link stands on the way, and nothing can be said of the path
        elif found.kind == MISSING:
            if self.believes_deletion(path, committed):
                self.result.edits[path] = None
        elif found.kind == FOLDER and not self.worktree.holds_repository(path):
            if self.believes_deletion(path, committed):
                self.replaced.add(path)  # gone, once the folder gives a file to commit
        else:
            self.found(path, found, committed)

    def _untracked(self, path: str) -> None:
        if path.endswith("/"):
            self.skip(path.rstrip("/"), NESTED)
            return
        committed = self.committed(path)
        if committed is None:
            self._new(path, self.read(path))
        elif committed.mode == TREE:
            self._instead_of_folder(path, self.read(path), committed)
        else:
            self._tracked(path)

    def _hidden(self, path: str) -> None:
        """A path that an earlier checkout could not create here; it may be possible now, or somebody wrote it."""
        committed = self.committed(path)
        if committed is None or not committed.is_file:
            return
        found = self.read(path)
        if found.kind == MISSING:
            if can_hold(path) and not self.too_large(committed):
                self.result.restore.append(path)
                self.result.revealed.append(path)
        elif found.kind == FILE and found.data is not None and self.worktree.is_spelled_so(path):
            self.result.revealed.append(path)
            standing = normalise(path, found.data)
            # Whoever wrote it never saw what is committed.
            joined = standing if self.too_large(committed) else join(path, None, standing, self.blob(committed))
            if joined != standing:
                self.result.restore.append(path)
            self.found(path, found._replace(data=joined), committed)
        elif found.kind not in (OBSTRUCTED, FOLDER):
            self.found(path, found, committed)

    def _new(self, path: str, found: Found) -> None:
        if found.kind in (MISSING, FOLDER, OBSTRUCTED) or is_litter(path):
            return
        refused = self._place_refused(path) if found.kind == FILE else None
        if refused is None and self.found(path, found, None):
            self.siblings.add(path)
            self.result.edits.update({folder: None for folder in parents(path) if folder in self.replaced})
        elif refused is not None:
            self.skip(path, refused)

    def _place_refused(self, path: str) -> str | None:
        """Why a new file can't have this path in the tree, or None."""
        if path.count("/") >= objects.MAX_DEPTH:
            return UNPORTABLE
        blocked = self.siblings.blocked(path, self.replaced)
        if blocked is not None:
            entry = self.committed(blocked)
            links = {SUBMODULE: NESTED, objects.SYMLINK: SYMLINK}
            return links.get(entry.mode, UNPORTABLE) if entry is not None else UNPORTABLE
        return UNPORTABLE if not is_portable(path) or self.siblings.twin(path) is not None else None

    def _instead_of_folder(self, path: str, found: Found, folder: Entry) -> None:
        """A file where the last commit has a folder: the folder's files were deleted, if all of them may be."""
        refused = refusal(found)
        if refused is not None:
            self.skip(path, refused)
            return
        below = {f"{path}/{name}": entry for name, entry in objects.walk(self.soul.repo, folder.id)}
        free = path.startswith("notes/") or not spec.is_spec_path(path)
        if not free or not self.trust_deletions or not all(self.is_checked_out(p, e) for p, e in below.items()):
            self.skip(path, UNPORTABLE)
            self.result.warnings.append(
                tr("{path} is a file where the soul has a folder; the folder was kept.", path=shown(path))
            )
        elif self.found(path, found, None):
            self.result.edits.update(dict.fromkeys(below))
