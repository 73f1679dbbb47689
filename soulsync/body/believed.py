"""Which memories our own commands wrote, under the lock: those are always believed (soul-repo-v4 §4 rule 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.files import write_durably
from soulsync.repo.objects import blob_id

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.body.home import Home


def remember(home: Home, path: str, data: bytes) -> None:
    """Note the version of ``path`` that one of our commands wrote."""
    write_durably(_note(home, path), blob_id(data).encode("ascii"))


def is_believed(home: Home, path: str, data: bytes) -> bool:
    """Whether ``data`` is what one of our commands wrote last to ``path``."""
    try:
        return _note(home, path).read_text("ascii") == blob_id(data)
    except (FileNotFoundError, UnicodeDecodeError):
        return False


def folder(home: Home) -> Path:
    """Where the notes are kept, a file for each path."""
    return home.state / "believed"


def _note(home: Home, path: str) -> Path:
    return folder(home) / blob_id(path.encode("utf-8", "surrogateescape"))
