"""Putting one file in the place of another beside programs that write it at any moment, without a lock.

The new version is swapped in, in one step, and what came out is looked at: when somebody wrote in between, both are
merged and that goes in again (soul-repo-v4 §4 rule 13).
"""

from __future__ import annotations

import errno
import time
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.errors import BusyError
from soulsync.formats import entries
from soulsync.lang import tr
from soulsync.merge.result import Sides
from soulsync.merge.rules import merge_file, rule_for
from soulsync.repo import half_written
from soulsync.repo.content import normalise, same
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from soulsync.repo.worktree import WorkTree

MAX_PLACINGS = 5
"""How often a file is put in place again when a writer keeps getting in between (§4 rule 13)."""
MAX_STOOD = 12
"""Versions of a file that a program may have read, the newest: in a tenth of a second, not many more come and go."""


@dataclass(slots=True)
class Out:
    """A file that came out of a swap: its name in the staging folder, and what of it the new version accounts for.

    A program that still has it open may write more.
    """

    staged: str
    held: bytes


@dataclass(slots=True)
class Swap:
    """A file that was replaced by ``new``.

    ``stood``: everything that stood there before, oldest first; a program may have read any of it and write later.
    ``out``: the files that came out. ``placed``: when, by the steady clock in seconds.
    """

    path: str
    stood: list[bytes]
    new: bytes
    out: list[Out] = field(default_factory=list)
    settled: bool = True
    placed: float = field(default_factory=time.monotonic)


def is_stale(old: bytes, new: bytes, written: bytes) -> bool:
    """Whether memories were ``written`` from ``old`` by somebody who had not seen that ``new`` replaced it."""
    return bool(_stale([old], new, written))


def _stale(stood: Iterable[bytes], new: bytes, written: bytes) -> list[bytes]:
    """Those of ``stood`` from which ``written`` is stale: it has nothing that ``new`` added, all that it removed.

    As subsets: what is in both comes from ``old``, and what was in ``old`` is still in either. Thousands of entries are
    compared with each version that stood there, and a subset test stops at the first entry that tells.
    """
    after, now = _entries(new), _entries(written)
    both, either = after & now, after | now
    return [old for old in stood if both <= _entries(old) <= either and _entries(old) != after]


def source(path: str, stood: Sequence[bytes], new: bytes, written: bytes) -> bytes:
    """What a program had read before it wrote: ``new``, or of what ``stood`` there what explains its text best."""
    if not spec.is_memories(path):
        return new
    now = _entries(written)
    # The one of which the least is missing; what is missing was deleted by that program.
    return min(_stale(stood, new, written), key=lambda old: len(_entries(old) - now), default=new)


@lru_cache(maxsize=4 * MAX_STOOD)
def _entries(data: bytes) -> frozenset[str]:
    return frozenset(entries.parse(data))


def join(path: str, old: bytes | None, written: bytes, arrived: bytes) -> bytes:
    """What somebody wrote on top of ``old``, and what ``arrived`` to replace it, as one; the writer is the newer."""
    merged = merge_file(rule_for(path), path, old, written, arrived, Sides(1, 0))
    return written if merged.data is None else merged.data


def put(
    worktree: WorkTree,
    path: str,
    standing: bytes,
    target: bytes,
    name: str,
    permissions: int,
    known: Sequence[bytes] = (),
) -> Swap:
    """Swap ``target`` in where ``standing`` is expected; whatever else comes out is merged, and that goes in again.

    ``known``: what stood there before in this run, which a writer may have read. After ``MAX_PLACINGS`` the result is
    not ``settled``: what came out last still has to be joined. Each file that comes out keeps a name of its own: a
    program may still be writing into it. Raises ``NotADirectoryError`` where no plain file came out; it is back in its
    place then.
    """
    stood, held, swap = [*known[-MAX_STOOD:], standing], standing, Swap(path, [], target)
    for staged in staging_names(name):
        worktree.stage(staged, target, permissions)
        try:
            came_out = _exchange(worktree, path, staged)
        except FileNotFoundError:  # its writer is between "remove" and "create", or removed it for good
            try:
                worktree.create(path, staged)
            except FileExistsError:
                worktree.unstage(staged)
                continue
            return _done(swap, stood, target)
        # Emptied by a program that opened it before the swap, and fills it in a moment.
        came_out = half_written.whole(path, came_out, stood[-1], partial(worktree.staged, staged))
        swap.out.append(Out(staged, came_out))
        if same(path, came_out, stood[-1]):
            return _done(swap, stood, target)
        written = normalise(path, came_out)
        held = source(path, stood, stood[-1], written)
        joined = join(path, normalise(path, held), written, target)
        stood += [written, target]
        if same(path, joined, target):
            return _done(swap, stood[:-1], target)
        target = joined
    swap.settled = False
    if spec.is_memories(path):
        # As if the last join stood there for no time at all: what is written from the one before it is stale then, and
        # every version in ``stood`` is accounted for by ``new``. Else its removals would be taken for ours.
        return _done(swap, stood, target)
    if swap.out:
        swap.out[-1].held = held
    return _done(swap, stood[:-1], stood[-1])


def _done(swap: Swap, stood: list[bytes], new: bytes) -> Swap:
    swap.stood, swap.new, swap.placed = stood, new, time.monotonic()
    return swap


def staging_names(name: str) -> list[str]:
    """The staging files that a swap which began with ``name`` may use, one after the other."""
    return [name, *(f"{name}.{number}" for number in range(1, MAX_PLACINGS))]


def swap_in(worktree: WorkTree, path: str, standing: bytes, target: bytes, name: str, permissions: int) -> bytes:
    """Like ``put``, for whoever does not look again later; gives what was put in place last.

    Raises ``BusyError`` where another program writes the file over and over: its last version stands then.
    """
    swap = put(worktree, path, standing, target, name, permissions)
    if not swap.settled:
        _exchange(worktree, path, swap.out[-1].staged)
    for out in swap.out:
        worktree.unstage(out.staged)
    if not swap.settled:
        raise BusyError(tr("Another program keeps writing {path}.", path=shown(path)), tr("Try again in a moment."))
    return swap.new


def _exchange(worktree: WorkTree, path: str, name: str) -> bytes:
    """Swap, and read what came out; a link or a folder goes back and is never read."""
    worktree.exchange(path, name)
    came_out = worktree.staged(name)
    if came_out is None:
        worktree.exchange(path, name)
        raise NotADirectoryError(errno.ENOTDIR, "no plain file", path)
    return came_out


def permissions(before: int | None, *, executable: bool) -> int:
    """The permission bits of a file: those it had ``before``, or what the umask allows; executable as asked."""
    if before is None:
        import os

        umask = os.umask(0o077)
        os.umask(umask)
        before = 0o666 & ~umask
    return before | 0o100 if executable else before & ~0o111
