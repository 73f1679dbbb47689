"""Programs that read a memories file before a sync replaced it and write after it (soul-repo-v4 §4 rule 13)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.formats import entries
from soulsync.repo.content import normalise, same
from soulsync.repo.foreign_lock import locked
from soulsync.repo.swap import MAX_PLACINGS, Swap, join, put
from soulsync.repo.worktree import FILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from soulsync.repo.worktree import WorkTree

SETTLE = 0.2
"""Seconds after a replacement before the file is read again."""


def is_stale(old: bytes, new: bytes, written: bytes) -> bool:
    """Whether ``written`` was made from ``old`` by somebody who had not seen that ``new`` replaced it."""
    before, after, now = (set(entries.parse(data)) for data in (old, new, written))
    added, removed = after - before, before - after
    return bool(added or removed) and not added & now and removed <= now


def nobody(_path: str, _data: bytes) -> bool:
    """Believe no content without a look."""
    return False


def settle(worktree: WorkTree, swaps: list[Swap], believed: Callable[[str, bytes], bool] = nobody) -> list[str]:
    """Read the replaced files again, and what they replaced; join what a stale writer wrote.

    ``swaps`` in the order in which they were made; ``believed`` tells which content of a path is never stale (our own
    commands hold the lock). Gives the paths that were put in place again. The staging files are gone afterwards.
    """
    repaired: set[str] = set()
    made = list(swaps)
    chains: dict[str, list[Swap]] = {}
    for swap in swaps:
        chains.setdefault(swap.path, []).append(swap)
    for _ in range(MAX_PLACINGS):
        if not chains:
            break
        time.sleep(SETTLE)
        again = [swap for swap in (_examine(worktree, chain, believed) for chain in chains.values()) if swap]
        made += again
        chains = {swap.path: [*chains[swap.path], swap] for swap in again}  # put in place again: looked at again
        repaired |= chains.keys()
    for swap in made:
        worktree.unstage(swap.staged)
    return sorted(repaired)


def _examine(worktree: WorkTree, chain: list[Swap], believed: Callable[[str, bytes], bool]) -> Swap | None:
    """Look at one file that was replaced, once or several times; the new swap where it had to be put in place again."""
    path, newest = chain[-1].path, chain[-1].new
    with locked(worktree.root, path):
        found = worktree.look(path, limit=max(spec.MAX_FILE_BYTES, 4 * len(newest)))
        if found.kind != FILE or found.data is None:
            return None
        standing = target = normalise(path, found.data)
        if spec.is_memories(path) and standing != newest and not believed(path, found.data):
            # It may have been read before any of the replacements.
            old = next((s.old for s in reversed(chain) if is_stale(s.old, newest, standing)), None)
            target = standing if old is None else join(path, old, standing, newest)
        for swap in chain:
            target = _with_late_words(worktree, swap, target)
        if same(path, target, standing):
            return None
        try:
            return put(worktree, path, found.data, target, worktree.fresh_name(), found.mode)
        except NotADirectoryError:  # a link came in its place: nothing of ours
            return None


def _with_late_words(worktree: WorkTree, swap: Swap, target: bytes) -> bytes:
    """Join what a writer that had the old file open wrote into it after it had come out."""
    late = worktree.staged(swap.staged)
    if late is None or swap.held is None or same(swap.path, late, swap.held):
        return target
    held, swap.held = swap.held, late
    return join(swap.path, normalise(swap.path, held), normalise(swap.path, late), target)
