"""Where an import reads from: a file, a folder, an inbox of the store, or standard input."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from soulsync.errors import SoulSyncError, UsageError
from soulsync.lang import tr
from soulsync.stores.oxsoul import places, reading
from soulsync.stores.oxsoul.reading import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from soulsync.formats.oxsoul import Memory

STDIN = "-"


class Candidate(NamedTuple):
    """What an import found: the ``name`` of the file, ``origin`` for ``x_import_from``, and the memory or the fault."""

    name: str
    origin: str
    memory: Memory | None
    fault: str


def read(root: Path, source: str, stdin: bytes = b"") -> list[Candidate]:
    """The candidates of a source, by name. ``-`` is ``stdin``; a bare word may name a folder of the store's inbox.

    Raises ``UsageError`` (2) where there is no such source, ``SoulSyncError`` (1) where a folder holds no memory.
    """
    if source == STDIN:
        return [_candidate("stdin", "stdin", stdin)]
    path = Path(source).expanduser()
    if not path.exists() and not path.is_symlink():
        path = _inbox(root, source)
    if not path.is_dir():
        return [_of_file(path)]
    names = reading.names(path)
    if not names:
        raise SoulSyncError(tr("{path} holds no memory.", path=path), tr("Name a file or a folder with *.md files."))
    return [_of_file(path / name) for name in names]


def inboxes(root: Path) -> list[str]:
    """The folders of the inbox, by name."""
    folder = root / places.INBOX
    try:
        return sorted(one.name for one in folder.iterdir() if places.is_part(one.name) and one.is_dir())
    except OSError:
        return []


def _inbox(root: Path, source: str) -> Path:
    slug = source.removeprefix("inbox/").rstrip("/")
    folder = root / places.INBOX / slug
    if not places.is_part(slug) or not folder.is_dir() or folder.is_symlink():
        raise UsageError(tr("There is no file, folder or inbox {source}.", source=source), _known(inboxes(root)))
    return folder


def _known(slugs: Iterable[str]) -> str:
    listed = ", ".join(slugs)
    return tr("The inbox has: {known}.", known=listed) if listed else tr("Give a path, or - for standard input.")


def _of_file(path: Path) -> Candidate:
    origin = os.fsencode(path).decode("utf-8", "replace")  # a memory is UTF-8, a path need not be
    try:
        return _candidate(path.name.removesuffix(".md"), origin, reading.read(path))
    except Unreadable as e:
        return Candidate(path.name.removesuffix(".md"), origin, None, str(e))


def _candidate(name: str, origin: str, data: bytes) -> Candidate:
    try:
        memory = reading.parse(data)
    except Unreadable as e:
        return Candidate(name, origin, None, str(e))
    missing = [key for key in ("name", "description") if not getattr(memory, key)]
    if missing:
        return Candidate(name, origin, None, tr("{key} is missing or empty", key=missing[0]))
    return Candidate(name, origin, memory, "")
