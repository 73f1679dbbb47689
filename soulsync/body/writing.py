"""Writing into the soul from a command: under the work-tree lock, atomic, never waiting for a network."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body import believed
from soulsync.body.locks import worktree_lock
from soulsync.errors import SoulSyncError
from soulsync.lang import tr
from soulsync.repo.foreign_lock import locked
from soulsync.repo.paths import shown
from soulsync.repo.swap import swap_in
from soulsync.repo.worktree import FILE, MISSING, WorkTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from soulsync.body.config import Config
    from soulsync.body.home import Home

NEW_FILE = 0o644


class Writer:
    """The work tree while the lock is held."""

    def __init__(self, home: Home, config: Config) -> None:
        self.home, self.config = home, config
        self.worktree = WorkTree(config.soul, config.soul / ".git" / "soulsync")

    def read(self, path: str) -> bytes | None:
        """The content of a file, None where there is none. Raises ``SoulSyncError`` where it can't be read as one."""
        found = self.worktree.look(path, limit=16 * spec.MAX_FILE_BYTES)
        if found.kind == MISSING:
            return None
        if found.kind != FILE or found.data is None:
            raise SoulSyncError(
                tr("{path} is no plain file, or too large.", path=shown(path)),
                tr("Look at it by hand; nothing was written."),
            )
        return found.data

    def change(self, path: str, change: Callable[[bytes | None], bytes | None]) -> bool:
        """Read, change and write one file; whether it changed. ``change`` gives None to leave it.

        What a program without a lock writes meanwhile is merged in, not overwritten.
        """
        with locked(self.worktree.root, path):
            old = self.read(path)
            new = change(old)
            if new is None or new == old:
                return False
            if len(new) > spec.MAX_FILE_BYTES and len(new) > len(old or b""):
                raise SoulSyncError(
                    tr("{path} would be {size} bytes, over the limit of 1 MiB.", path=shown(path), size=len(new)),
                    tr("Make it shorter; nothing was written."),
                )
            final = self._put(path, old, new)
            believed.remember(self.home, path, final)
        return True

    def _put(self, path: str, old: bytes | None, new: bytes) -> bytes:
        name = f"write-{os.getpid()}"
        try:
            if old is None:
                self.worktree.stage(name, new, NEW_FILE)
                self.worktree.create(path, name)
                return new
            mode = self.worktree.look(path).mode
            return swap_in(self.worktree, path, old, new, name, mode)
        except NotADirectoryError as e:
            raise SoulSyncError(
                tr("A link or a file stands on the way to {path}.", path=shown(path)), tr("Nothing was written.")
            ) from e
        finally:
            self.worktree.unstage(name)

    def move(self, old: str, new: str) -> None:
        """Rename a file; raises ``FileExistsError`` where something stands at ``new``."""
        name = f"move-{os.getpid()}"
        self.worktree.take(old, name)
        try:
            self.worktree.create(new, name)
        except BaseException:
            self.worktree.create(old, name)
            raise


@contextlib.contextmanager
def writing(home: Home, config: Config) -> Iterator[Writer]:
    """The work tree, locked against sync and other writing commands; after 10 seconds ``BusyError`` (75)."""
    with worktree_lock(home):
        yield Writer(home, config)
