"""Keeping a soul fast that grew for years: now and then, after a sync, its loose objects and small packs become one.

``git repack --geometric`` (git 2.32) puts together what is small and leaves the large packs alone, so its work grows
with what is new and not with the soul. Nothing is ever pruned: also what no ref names any more stays, so a rescue ref,
a reflog or a person finds it. No commit-graph is written: the engine reads none, since any program may write one that
lies.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from soulsync.body.locks import SYNC, UPKEEP
from soulsync.files import take_lock
from soulsync.repo import light
from soulsync.repo.environment import clean_env

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.body.home import Home
    from soulsync.repo.soul import Soul

WEEK = 7 * 86_400
MANY_LOOSE = 2_000
"""Loose objects; a body that syncs every five minutes makes about as many in a week."""
MANY_PACKS = 20
_REPACK = ("git", "repack", "-q", "-d", "--geometric=2", "--no-write-bitmap-index")
_LOCK_FDS = (8, 9)


def begin(home: Home, soul: Soul) -> int | None:
    """Begin it in the background where it is due, at most once a week; the process id.

    The process holds the sync lock until it is done, so it is never in the middle of a sync; and a lock that says that
    it is the upkeep.
    """
    stamp = home.state / "upkeep"
    if not _is_over_a_week_ago(stamp) or not _is_worth_it(soul.git_dir / "objects"):
        return None
    held: list[int] = []
    try:
        for name in (SYNC, UPKEEP):
            lock = take_lock(home.state / name)
            if lock is None:
                return None  # another sync has begun
            held.append(lock)
        stamp.touch(mode=0o600)
        os.utime(stamp)
        files = dict(zip(_LOCK_FDS, held, strict=True))
        return light.start(list(_REPACK), {**clean_env(os.environ), **soul.git.added}, files)
    except OSError:  # the disk is full: there is another week
        return None
    finally:
        for lock in held:
            os.close(lock)


def _is_over_a_week_ago(stamp: Path) -> bool:
    try:
        return not 0 <= time.time() - stamp.stat().st_mtime < WEEK  # also where a clock once ran ahead
    except FileNotFoundError:
        return True


def _is_worth_it(objects: Path) -> bool:
    """Whether there is much to put together; by one of the 256 folders, as ``git gc --auto`` estimates it."""
    loose = len(list((objects / "17").iterdir())) if (objects / "17").is_dir() else 0
    packs = len(list((objects / "pack").glob("*.pack")))
    return loose * 256 >= MANY_LOOSE or packs >= MANY_PACKS
