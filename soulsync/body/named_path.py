"""Paths in the soul as people write them: with the soul's folder before them, ``./`` or a slash at the end."""

from __future__ import annotations

from pathlib import Path

from soulsync.errors import SoulSyncError
from soulsync.files import real
from soulsync.lang import tr
from soulsync.repo.paths import shown


def inside(soul: Path, path: str) -> str:
    """``path`` relative to the folder ``soul``, with single slashes between its parts; empty for the soul itself.

    Raises ``SoulSyncError`` (1) for a path that is, or may be, outside.
    """
    parts = [part for part in _below(soul, path).split("/") if part not in ("", ".")]
    if ".." in parts:
        raise _outside(path)
    return "/".join(parts)


def _below(soul: Path, path: str) -> str:
    if not path.startswith("/"):
        return path
    full = Path(path)
    places = [full, real(full.parent) / full.name, real(full)]  # a link in the soul is meant, not what it leads to
    for place in places if ".." not in full.parts else places[1:]:
        for top in (soul, real(soul)):
            if place.is_relative_to(top):
                return str(place.relative_to(top))
    raise _outside(path)


def _outside(path: str) -> SoulSyncError:
    return SoulSyncError(
        tr("{path!r} is no path inside the soul.", path=shown(path)), tr("Give one such as notes/x.md.")
    )
