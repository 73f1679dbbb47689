"""The locks of a soul (contract §4): one sync at a time, and one writer of the work tree at a time.

A third one tells that it is the weekly upkeep that keeps a sync away: that ends by itself, and a sync waits for it.

Kernel locks on files that are never deleted: a killed holder lets go by dying, and nothing is ever stolen by age or pid
(vivekchand/clawmetry#5745: a recycled pid locked a daemon out of its own lock for 12 hours).
"""

from __future__ import annotations

import contextlib
import os

from soulsync.body import early
from soulsync.errors import BusyError
from soulsync.files import take_lock
from soulsync.lang import tr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from soulsync.body.home import Home

WRITER_PATIENCE = 10.0
"""Seconds that a writing command waits for the work-tree lock."""
UPKEEP_PATIENCE = 60.0
"""Seconds that a sync waits for the upkeep."""
SYNC, WORKTREE, UPKEEP = "sync.lock", "worktree.lock", "upkeep.lock"


@contextlib.contextmanager
def sync_lock(home: Home) -> Iterator[None]:
    """One sync at a time; taken: ``BusyError`` (75) at once, or after a minute where it is the upkeep that has it."""
    early.let_go()
    if (home.state / UPKEEP).exists():
        with _held(home, UPKEEP, UPKEEP_PATIENCE):
            pass
    with _held(home, SYNC, 0):
        yield


@contextlib.contextmanager
def worktree_lock(home: Home) -> Iterator[None]:
    """Held while files of the work tree are read as a whole or changed, never across the network."""
    with _held(home, WORKTREE, WRITER_PATIENCE):
        yield


@contextlib.contextmanager
def _held(home: Home, name: str, patience: float) -> Iterator[None]:
    home.state.mkdir(mode=0o700, parents=True, exist_ok=True)
    fd = take_lock(home.state / name)
    # It is free, as nearly always; filelock, which takes 18 ms to load, waits for one that is taken.
    if fd is None:
        with _awaited(home.state / name, patience):
            yield
        return
    try:
        yield
    finally:
        os.close(fd)


@contextlib.contextmanager
def _awaited(file: Path, patience: float) -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = FileLock(file, timeout=patience, mode=0o600, poll_interval=0.02)
    try:
        lock.acquire()
    except Timeout:
        raise BusyError(tr("Another soulsync is at work on this soul."), tr("Try again in a moment.")) from None
    try:
        yield
    finally:
        lock.release()
