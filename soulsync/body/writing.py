"""Writing into the soul from a command: under the work-tree lock, atomic, never waiting for a network."""

from __future__ import annotations

import contextlib
import os
from shlex import quote
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body import believed
from soulsync.body.locks import worktree_lock
from soulsync.errors import BusyError, SoulSyncError
from soulsync.lang import tr
from soulsync.repo.content import is_binary, normalise
from soulsync.repo.foreign_lock import locked
from soulsync.repo.intent import KEEP_STAGED
from soulsync.repo.paths import shown
from soulsync.repo.staging import PART
from soulsync.repo.swap import permissions, swap_in
from soulsync.repo.worktree import FILE, MISSING, OTHER, WorkTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from soulsync.body.config import Config
    from soulsync.body.home import Home

MAX_TRIES = 5
"""How often a new file is tried again when another program creates it at the same moment."""


class Writer:
    """The work tree while the lock is held."""

    def __init__(self, home: Home, config: Config) -> None:
        self.home, self.config = home, config
        # A folder of its own: a sync that begins sweeps its own staging folder before it takes the work-tree lock.
        self.worktree = WorkTree(config.soul, config.soul / ".git" / "soulsync-writing")

    def read(self, path: str) -> bytes | None:
        """The content of a file, None where there is none. Raises ``SoulSyncError`` where it can't be read as one."""
        found = self.worktree.look(path, limit=16 * spec.MAX_FILE_BYTES)
        if found.kind == MISSING:
            return None
        if found.kind == OTHER and not os.access(self.worktree.root / path, os.R_OK):
            raise SoulSyncError(
                tr("{path} is closed to you.", path=shown(path)),
                tr("Give yourself the rights again: chmod -R u+rwX {root}.", root=quote(str(self.worktree.root))),
            )
        if found.kind != FILE or found.data is None:
            raise SoulSyncError(
                tr("{path} is no plain file, or too large.", path=shown(path)),
                tr("Look at it by hand; nothing was written."),
            )
        return normalise(path, found.data)  # CRLF as a commit has it: what we write has one kind of line end

    def change(self, path: str, change: Callable[[bytes | None], bytes | None]) -> bool:
        """Read, change and write one file; whether it changed. ``change`` gives None to leave it.

        What a program without a lock writes meanwhile is merged in, not overwritten.
        """
        with locked(self.worktree.root, path):
            for _ in range(MAX_TRIES):
                old = self.read(path)
                new = change(old)
                if new is None or new == old:
                    return False
                _check(path, old, new)
                with contextlib.suppress(FileExistsError):
                    believed.remember(self.home, path, self._put(path, old, new))
                    return True
        raise BusyError(
            tr("Another program keeps writing {path}.", path=shown(path)), tr("Nothing was written; try again.")
        )

    def _put(self, path: str, old: bytes | None, new: bytes) -> bytes:
        """Put ``new`` in place of ``old``; raises ``FileExistsError`` where ``old`` is None and something stands."""
        name = self.worktree.fresh_name()
        try:
            if old is None:
                self.worktree.stage(name, new, permissions(None, executable=False))
                self.worktree.create(path, name)
                return new
            mode = self.worktree.look(path).mode
            return swap_in(self.worktree, path, old, new, name, mode)
        except NotADirectoryError as e:
            raise _obstructed(path) from e
        finally:
            self._clear(name)

    def _clear(self, name: str) -> None:
        """Leave nothing in the staging folder, not even what a full disk cut short."""
        self.worktree.unstage(name)
        self.worktree.unstage(name + PART)

    def move(self, old: str, new: str) -> None:
        """Rename a file; raises ``FileExistsError`` where something stands at ``new``.

        The new place is filled before the old one is emptied: killed in between, we leave the text twice, not nowhere.
        """
        data, mode, name = self.read(old), self.worktree.look(old).mode, self.worktree.fresh_name()
        if data is None:
            raise FileNotFoundError(old)
        try:
            self.worktree.stage(name, data, mode)
            self.worktree.create(new, name)
            self.worktree.take(old, name)
            late = normalise(old, self.worktree.staged(name) or b"")
            if late != data:  # somebody wrote to the old place meanwhile
                swap_in(self.worktree, new, data, late, name, mode)
        except NotADirectoryError as e:
            raise _obstructed(new) from e
        finally:
            self._clear(name)


@contextlib.contextmanager
def writing(home: Home, config: Config) -> Iterator[Writer]:
    """The work tree, locked against sync and other writing commands; after 10 seconds ``BusyError`` (75)."""
    with worktree_lock(home):
        writer = Writer(home, config)
        writer.worktree.sweep(older=KEEP_STAGED)
        yield writer


def _check(path: str, old: bytes | None, new: bytes) -> None:
    """Refuse what no commit would take (soul-repo-v4 §6): written, it would never reach another body."""
    if len(new) > spec.MAX_FILE_BYTES and len(new) > len(old or b""):
        raise SoulSyncError(
            tr("{path} would be {size} bytes, over the limit of 1 MiB.", path=shown(path), size=len(new)),
            tr("Make it shorter; nothing was written."),
        )
    if is_binary(new) and not is_binary(old or b""):
        raise SoulSyncError(
            tr("The text holds a NUL byte, so {path} would count as binary.", path=shown(path)),
            tr("Nothing was written."),
        )


def _obstructed(path: str) -> SoulSyncError:
    return SoulSyncError(
        tr("A link or a file stands on the way to {path}.", path=shown(path)), tr("Nothing was written.")
    )
