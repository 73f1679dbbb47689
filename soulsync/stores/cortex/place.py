"""Where a store is: named by the person, or the nearest ``.agent/memory`` upward."""

from __future__ import annotations

from pathlib import Path

from soulsync.errors import UsageError
from soulsync.lang import tr

STORE = Path(".agent", "memory")


def find(named: str | None, start: Path) -> Path:
    """The store that a command works on, which must be there. Raises ``UsageError`` (2) where there is none."""
    store = Path(named) if named is not None else nearest(start)
    if store is None:
        raise UsageError(
            tr("There is no .agent/memory here or in a folder above."),
            tr("Name the store with `--store DIR`."),
        )
    if not store.is_dir():
        raise UsageError(tr("{path} is no folder.", path=store), tr("Name the store with `--store DIR`."))
    return store


def nearest(start: Path) -> Path | None:
    """The ``.agent/memory`` of ``start`` or of the closest folder above it that has one."""
    here = start.absolute()
    return next((folder / STORE for folder in (here, *here.parents) if (folder / STORE).is_dir()), None)
