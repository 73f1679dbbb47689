"""Programs that read a memories file before a sync replaced it and write after it (soul-repo-v4 §4 rule 13)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.formats import entries
from soulsync.repo.checkout import MAX_PLACINGS, Swap, join, swap_in
from soulsync.repo.content import normalise
from soulsync.repo.foreign_lock import locked
from soulsync.repo.worktree import FILE

if TYPE_CHECKING:
    from soulsync.repo.worktree import WorkTree

SETTLE = 0.2
"""Seconds after a replacement before the file is read again."""


def is_stale(old: bytes, new: bytes, written: bytes) -> bool:
    """Whether ``written`` was made from ``old`` by somebody who had not seen that ``new`` replaced it."""
    before, after, now = (set(entries.parse(data)) for data in (old, new, written))
    added, removed = after - before, before - after
    return bool(added or removed) and not added & now and removed <= now


def settle(worktree: WorkTree, swaps: list[Swap]) -> list[str]:
    """Read the replaced memories files again, and what they replaced; join what a stale writer wrote.

    Gives the paths that were put in place again. The staging files of ``swaps`` are gone afterwards.
    """
    repaired: list[str] = []
    open_swaps = list(swaps)
    for _ in range(MAX_PLACINGS):
        if not open_swaps:
            break
        time.sleep(SETTLE)
        again = [swap for swap in (_examine(worktree, swap) for swap in open_swaps) if swap is not None]
        repaired.extend(swap.path for swap in again)
        open_swaps = again
    for swap in swaps:
        worktree.unstage(swap.staged)
    return sorted(set(repaired))


def _examine(worktree: WorkTree, swap: Swap) -> Swap | None:
    """Look at one replaced file; the new swap where it had to be put in place again."""
    with locked(worktree.root, swap.path):
        found = worktree.look(swap.path, limit=max(spec.MAX_FILE_BYTES, 4 * len(swap.new)))
        if found.kind != FILE or found.data is None:
            return None
        standing = target = normalise(swap.path, found.data)
        if standing != swap.new and is_stale(swap.old, swap.new, standing):
            target = join(swap.path, swap.old, standing, swap.new)
        late = worktree.staged(swap.staged)  # a writer that had the old file open wrote into what came out
        if late is not None and normalise(swap.path, late) != swap.old:
            target = join(swap.path, swap.old, normalise(swap.path, late), target)
        if target == standing:
            return None
        final = swap_in(worktree, swap.path, standing, target, swap.staged, found.mode)
        return Swap(swap.path, standing, final, swap.staged)
