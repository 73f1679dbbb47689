"""``forget``: entries go to the store's trash, never away; a line without content says so in the log."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

from soulsync.errors import RefusedError, SoulSyncError
from soulsync.formats import cortex
from soulsync.formats.instants import timestamp
from soulsync.lang import tr
from soulsync.repo.rename import no_replace

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from soulsync.formats.cortex import Entry

TRASH = ".trash"
LOG = ".access.jsonl"
"""The log's name is that of OxSoul stores, which a soul never commits (soul-repo-v4 §6)."""


class Going(NamedTuple):
    """An entry that is to be forgotten, and why: ``asked`` or ``expired``."""

    entry: Entry
    reason: str


def asked(entries: Iterable[Entry], ids: Iterable[str], *, force: bool = False) -> list[Going]:
    """The entries of these ids; ``force`` takes pinned ones too.

    Raises ``SoulSyncError`` (1) for an id that is not there, ``RefusedError`` (3) for a pinned entry.
    """
    by_id: dict[str, list[Entry]] = {}
    for entry in entries:
        by_id.setdefault(str(entry["memory_id"]), []).append(entry)
    wanted = list(dict.fromkeys(ids))
    missing = [name for name in wanted if name not in by_id]
    if missing:
        raise SoulSyncError(
            tr("There is no memory {ids}.", ids=", ".join(map(repr, missing))), tr("See `soulsync cortex list`.")
        )
    found = [entry for name in wanted for entry in by_id[name]]
    pinned = [str(entry["memory_id"]) for entry in found if entry.get("pinned") is True]
    if pinned and not force:
        raise RefusedError(
            tr("Pinned, so not forgotten: {ids}.", ids=", ".join(pinned)), tr("`--force` forgets them all the same.")
        )
    return [Going(entry, "asked") for entry in found]


def expired(entries: Iterable[Entry], now: int) -> list[Going]:
    """The entries that have expired at ``now`` (microseconds since the epoch) and are not pinned."""
    return [Going(entry, "expired") for entry in entries if cortex.is_expired(entry, now)]


def forget(store: Path, going: Iterable[Going], now: int) -> list[str]:
    """Move entries to the trash, one after the other, each with its line in the log; where they lie now."""
    moved = []
    for entry, reason in going:
        moved.append(_to_trash(store, entry))
        _log(store, entry, reason, now)
    return moved


def names(store: Path) -> set[str]:
    """The ids of what lies in the trash, in lower case."""
    try:
        return {file.name.removesuffix(".json").lower() for file in (store / TRASH).iterdir()}
    except OSError:
        return set()


def _to_trash(store: Path, entry: Entry) -> str:
    """Move one entry; where another one of its id lies in the trash, with ``-2``, ``-3``, … behind the id."""
    trash = store / TRASH
    if trash.is_symlink():
        raise SoulSyncError(
            tr("{path} is a link; memories are not written through links.", path=trash), tr("Nothing was moved.")
        )
    trash.mkdir(exist_ok=True)
    folder = os.open(trash, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        taken = names(store)
        while True:
            name = cortex.unique_id(str(entry["memory_id"]), taken)
            try:
                no_replace(store / cortex.path_of(entry), folder, f"{name}.json".encode())
            except FileExistsError:
                taken.add(name.lower())
                continue
            os.fsync(folder)
            return f"{TRASH}/{name}.json"
    finally:
        os.close(folder)


def _log(store: Path, entry: Entry, reason: str, now: int) -> None:
    """One line, never a word of the content."""
    said = {"ts": timestamp(now // 1000), "op": "forget", "scope": entry.get("scope") or "project"}
    line = json.dumps({**said, "name": entry["memory_id"], "type": entry["type"], "reason": reason}) + "\n"
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    with os.fdopen(os.open(store / LOG, flags, 0o600), "ab") as log:
        log.write(line.encode())
