"""Writing entries: new files only, each whole or not at all, and all of a batch or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.errors import SoulSyncError
from soulsync.files import PUBLIC, write_new
from soulsync.formats import cortex
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from soulsync.formats.cortex import Entry


def write_all(store: Path, entries: Iterable[Entry]) -> list[str]:
    """Write valid entries that are new; their paths below the store. The folders are made where they are missing.

    Raises ``SoulSyncError`` (1) where a file is there already or a link stands in the way, ``OSError`` where the disk
    refuses; then none of them is there.
    """
    written: list[Path] = []
    try:
        for entry in entries:
            file = store / cortex.path_of(entry)
            _make_folder(file.parent)
            write_new(file, cortex.render(entry), PUBLIC)
            written.append(file)
    except FileExistsError as e:
        _take_back(written)
        raise SoulSyncError(
            tr("{path} is there already.", path=e.filename2 or e.filename), tr("Nothing was written; try again.")
        ) from e
    except BaseException:
        _take_back(written)
        raise
    return [str(file.relative_to(store)) for file in written]


def _take_back(written: list[Path]) -> None:
    for file in written:
        file.unlink(missing_ok=True)


def _make_folder(folder: Path) -> None:
    if folder.is_symlink():
        raise SoulSyncError(
            tr("{path} is a link; memories are not written through links.", path=folder), tr("Nothing was written.")
        )
    folder.mkdir(parents=True, exist_ok=True)
