"""Putting one file in the place of another beside programs that write it at any moment, without a lock.

The new version is swapped in, in one step, and what came out is looked at: when somebody wrote in between, both are
merged and that goes in again (soul-repo-v4 §4 rule 13).
"""

from __future__ import annotations

import errno
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.errors import BusyError
from soulsync.formats import entries
from soulsync.lang import tr
from soulsync.merge.result import Sides
from soulsync.merge.rules import merge_file, rule_for
from soulsync.repo.content import normalise, same
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soulsync.repo.worktree import WorkTree

MAX_PLACINGS = 5
"""How often a file is put in place again when a writer keeps getting in between (§4 rule 13)."""


@dataclass(slots=True)
class Swap:
    """A file that was replaced by ``new``.

    ``stood``: everything that stood there before, oldest first; a program may have read any of it and write later.
    ``staged`` names the staging file with what came out last, and ``held`` is as much of it as ``new`` accounts for: a
    program that still had the file open may have written more. None: nothing came out. ``placed``: when, by the steady
    clock in seconds.
    """

    path: str
    stood: list[bytes]
    new: bytes
    staged: str
    held: bytes | None
    settled: bool = True
    placed: float = field(default_factory=time.monotonic)


def is_stale(old: bytes, new: bytes, written: bytes) -> bool:
    """Whether memories were ``written`` from ``old`` by somebody who had not seen that ``new`` replaced it."""
    before, after, now = (set(entries.parse(data)) for data in (old, new, written))
    added, removed = after - before, before - after
    return bool(added or removed) and not added & now and removed <= now


def source(path: str, stood: list[bytes], new: bytes, written: bytes) -> bytes:
    """What a program had read before it wrote: ``new``, or of what ``stood`` there what explains its text best."""
    if not spec.is_memories(path):
        return new
    now = set(entries.parse(written))
    stale = [old for old in stood if is_stale(old, new, written)]
    # The one of which the least is missing; what is missing was deleted by that program.
    return min(stale, key=lambda old: len(set(entries.parse(old)) - now), default=new)


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
    not ``settled``: what came out last is in the staging file ``name`` and still has to be joined. Raises
    ``NotADirectoryError`` where no plain file came out; it is back in its place then.
    """
    stood, held = [*known, standing], standing
    for _ in range(MAX_PLACINGS):
        worktree.stage(name, target, permissions)
        try:
            came_out = _exchange(worktree, path, name)
        except FileNotFoundError:  # its writer is between "remove" and "create", or removed it for good
            try:
                worktree.create(path, name)
            except FileExistsError:
                continue
            return Swap(path, stood, target, name, None)
        if same(path, came_out, stood[-1]):
            return Swap(path, stood, target, name, came_out)
        written = normalise(path, came_out)
        held = source(path, stood, stood[-1], written)
        joined = join(path, normalise(path, held), written, target)
        stood += [written, target]
        if same(path, joined, target):
            return Swap(path, stood[:-1], target, name, came_out)
        target = joined
    return Swap(path, stood[:-1], stood[-1], name, held, settled=False)


def swap_in(worktree: WorkTree, path: str, standing: bytes, target: bytes, name: str, permissions: int) -> bytes:
    """Like ``put``, for whoever does not look again later; gives what was put in place last.

    Raises ``BusyError`` where another program writes the file over and over: its last version stands then.
    """
    swap = put(worktree, path, standing, target, name, permissions)
    if not swap.settled:
        _exchange(worktree, path, name)
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
