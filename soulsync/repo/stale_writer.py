"""Programs that read a memories file before a sync replaced it and write after it (soul-repo-v4 §4 rule 13)."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.repo import half_written
from soulsync.repo.content import normalise, same
from soulsync.repo.foreign_lock import locked
from soulsync.repo.swap import MAX_PLACINGS, MAX_STOOD, Swap, join, put, source
from soulsync.repo.worktree import FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from soulsync.repo.worktree import WorkTree

SETTLE = 0.2
"""Seconds after a replacement before the file is read again."""


def nobody(_path: str, _data: bytes) -> bool:
    """Believe no content without a look."""
    return False


def settle(
    worktree: WorkTree,
    swaps: list[Swap],
    believed: Callable[[str, bytes], bool] = nobody,
    unsure: list[Swap] | None = None,
) -> list[str]:
    """Read the replaced files again, and what they replaced; join what a stale writer wrote.

    ``swaps`` in the order in which they were made; ``believed`` tells which content of a path is never stale (our own
    commands hold the lock). Gives the paths that were put in place again. ``unsure`` gets what was replaced where that
    was overwritten each time. The staging files are gone afterwards.
    """
    made, open_paths = list(swaps), {swap.path for swap in swaps}
    repaired: set[str] = set()
    for _ in range(MAX_PLACINGS):
        if not open_paths:
            break
        # A push that took longer than that has waited for us already.
        time.sleep(max(0.0, max(swap.placed for swap in made) + SETTLE - time.monotonic()))
        again = look_again(worktree, [swap for swap in made if swap.path in open_paths], believed)
        made += again
        open_paths = {swap.path for swap in again}  # put in place again: looked at again
        repaired |= open_paths
    for swap in made:
        for out in swap.out:
            worktree.unstage(out.staged)
        swap.out.clear()
    if unsure is not None:
        unsure += [swap for swap in made if swap.path in open_paths]
    return sorted(repaired)


def look_again(worktree: WorkTree, swaps: list[Swap], believed: Callable[[str, bytes], bool] = nobody) -> list[Swap]:
    """Look once, without waiting; the new swaps where files had to be put in place again."""
    chains: dict[str, list[Swap]] = {}
    for swap in swaps:
        chains.setdefault(swap.path, []).append(swap)
    again = [_examine(worktree, chain, believed) for chain in chains.values()]
    return [swap for swap in again if swap is not None]


def stood(swaps: Iterable[Swap]) -> dict[str, list[bytes]]:
    """What these replacements took away or put there, per path: the newest ``MAX_STOOD`` versions, oldest first."""
    found: dict[str, dict[bytes, None]] = {}
    for swap in swaps:
        known = found.setdefault(swap.path, {})
        for version in (*swap.stood, swap.new):
            known.pop(version, None)  # it stood there once more: as new as the last time
            known[version] = None
    return {path: list(known)[-MAX_STOOD:] for path, known in found.items()}


def written_late(swaps: list[Swap], path: str, data: bytes) -> bool:
    """Whether ``data`` was written at ``path`` by a program that had not seen the newest of ``swaps``."""
    newest = next((swap.new for swap in reversed(swaps) if swap.path == path), None)
    if newest is None or same(path, data, newest):
        return False
    return source(path, stood(swaps)[path], newest, normalise(path, data)) != newest


def _examine(worktree: WorkTree, chain: list[Swap], believed: Callable[[str, bytes], bool]) -> Swap | None:
    """Look at one file that was replaced, once or several times; the new swap where it had to be put in place again."""
    path, newest = chain[-1].path, chain[-1].new
    with locked(worktree.root, path):
        limit = max(spec.MAX_FILE_BYTES, 4 * len(newest))
        found = worktree.look(path, limit=limit)
        if found.kind != FILE or found.data is None:
            return None
        data = half_written.whole(path, found.data, newest, lambda: worktree.look(path, limit=limit).data)
        standing = target = normalise(path, data)
        versions = stood(chain)[path]
        if not believed(path, data):
            read = source(path, versions, newest, standing)
            target = standing if read == newest else join(path, read, standing, newest)
        for swap in chain:
            target = _with_late_words(worktree, swap, target)
        if same(path, target, standing):
            return None
        try:
            return put(worktree, path, data, target, worktree.fresh_name(), found.mode, versions)
        except NotADirectoryError:  # a link came in its place: nothing of ours
            return None


def _with_late_words(worktree: WorkTree, swap: Swap, target: bytes) -> bytes:
    """Join what a writer that had the old file open wrote into it after it had come out."""
    for out in swap.out:
        late = worktree.staged(out.staged)
        if late is None or same(swap.path, late, out.held):
            continue
        late = half_written.whole(swap.path, late, out.held, partial(worktree.staged, out.staged))
        held, out.held = out.held, late
        target = join(swap.path, normalise(swap.path, held), normalise(swap.path, late), target)
    return target
