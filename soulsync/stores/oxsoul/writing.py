"""Writing into a store: one writer at a time, whole files, the index rebuilt, and a line in the access log."""

from __future__ import annotations

import contextlib
import json
import os
import time
from typing import TYPE_CHECKING

from soulsync.errors import BusyError, SoulSyncError
from soulsync.files import PUBLIC, write_durably, write_new
from soulsync.formats import oxsoul, oxsoul_index
from soulsync.formats.instants import timestamp
from soulsync.lang import tr
from soulsync.stores.oxsoul import reading
from soulsync.stores.oxsoul.reading import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from soulsync.formats.oxsoul import Memory
    from soulsync.stores.oxsoul.places import Place

LOG = ".access.jsonl"
LOCK = ".soulsync.lock"
PATIENCE = 10.0
"""Seconds that a writing command waits for another one."""


@contextlib.contextmanager
def locked(root: Path) -> Iterator[None]:
    """One writer of a store at a time; after 10 seconds ``BusyError`` (75). The store is made where it is missing."""
    from filelock import FileLock, Timeout

    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(root / LOCK, timeout=PATIENCE, mode=0o600, poll_interval=0.02)
    try:
        lock.acquire()
    except Timeout:
        raise BusyError(tr("Another program writes into {path}.", path=root), tr("Try again in a moment.")) from None
    try:
        yield
    finally:
        lock.release()


def now() -> str:
    """The present as a memory writes it."""
    return timestamp(time.time_ns() // 1_000_000)


def create(place: Place, name: str, memory: Memory) -> None:
    """Write a memory that is new. Raises ``SoulSyncError`` (1) where a file of this name is there, or a link above."""
    make_folder(place)
    try:
        write_new(place.folder / f"{name}.md", oxsoul.render(memory), PUBLIC)
    except FileExistsError:
        raise SoulSyncError(
            tr("There is a memory {name} already.", name=name), tr("Choose another name; nothing was written.")
        ) from None


def make_folder(place: Place) -> None:
    """Make the folder of a place; a link on the way would lead out of the store, and is refused."""
    folder = place.root
    for part in place.below.split("/") if place.below else ():
        folder /= part
        if folder.is_symlink():
            raise SoulSyncError(tr("{path} is a link.", path=folder), tr("Nothing was written."))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def rebuild(place: Place) -> int:
    """Write the index of a folder from its memories, if that changes it; how many there are."""
    found = reading.scan(place).memories
    rebuild_from(place, ((one.name, one.memory) for one in found))
    return len(found)


def rebuild_from(place: Place, named: Iterable[tuple[str, Memory]]) -> None:
    """The same from memories that were read already."""
    old = _index(place)
    fresh = oxsoul_index.build(named, place.label, old)
    if fresh != old:
        write_durably(place.index_file, fresh, PUBLIC)


def _index(place: Place) -> bytes | None:
    try:
        return reading.read(place.index_file)
    except Unreadable:
        if place.index_file.exists() or place.index_file.is_symlink():
            raise SoulSyncError(
                tr("{path} is no plain file, so the index can't be written.", path=place.index_file),
                tr("Move it away, then run `soulsync oxsoul index`."),
            ) from None
        return None


def log(place: Place, op: str, names: Iterable[str]) -> None:
    """Add a line for each memory to the access log: when, what, where, which; never what it says."""
    lines = [json.dumps({"ts": now(), "op": op, "scope": place.scope, "name": name}) + "\n" for name in names]
    _keep_out_of_git(place.root)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
    with contextlib.suppress(OSError):  # what was done is done, whether or not it can be noted
        fd = os.open(place.root / LOG, flags, 0o600)
        with os.fdopen(fd, "wb") as file:
            file.write("".join(lines).encode())


def _keep_out_of_git(root: Path) -> None:
    """Tell git to leave the log and the lock alone: two machines' logs would conflict in every merge."""
    ignore = root / ".gitignore"
    if any((folder / ".git").exists() for folder in (root, *root.parents)) and not os.path.lexists(ignore):
        with contextlib.suppress(OSError):
            write_new(ignore, f"/{LOG}\n/{LOCK}\n".encode(), PUBLIC)


def taken(place: Place) -> set[str]:
    """The names of the files of a folder, which a new memory can't have."""
    return {name.removesuffix(".md") for name in reading.names(place.folder)}
