"""A whole store against SOULSPEC v0: what the validation of its files finds, and what only a disk shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.formats import oxsoul_index
from soulsync.formats.finding import Finding
from soulsync.formats.oxsoul_index import INDEX
from soulsync.formats.text import plain
from soulsync.lang import tr
from soulsync.repo.validation import oxsoul, source
from soulsync.stores.oxsoul import places, reading
from soulsync.stores.oxsoul.reading import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from soulsync.stores.oxsoul.places import Place


def check(root: Path, only: Place | None = None) -> list[Finding]:
    """Name everything that deviates, by path and line; ``only`` one place of the store when that is given."""
    found = list(oxsoul.check(source.of_folder(root, reading.LARGEST)))
    for place in places.every(root):
        found += _folders(place)
        found += _links(place)
    found += _inboxes(root)
    if only is not None:
        found = [one for one in found if one.path.rpartition("/")[0] == only.below]
    return sorted(found, key=lambda one: (one.path, one.line or 0, one.rule))


def _folders(place: Place) -> Iterator[Finding]:
    """Folders where a memory should be: nobody looks into them."""
    for name in [*reading.names(place.folder), INDEX]:
        path = place.folder / name
        if path.is_dir() and not path.is_symlink():
            yield Finding(_below(place, name), None, "not-a-file", tr("is a folder"))


def _links(place: Place) -> Iterator[Finding]:
    """Lines of an index that lead elsewhere than to the memory that they name."""
    try:
        text = plain(reading.read(place.index_file))
    except Unreadable:
        return
    for number, line in enumerate(text.split("\n"), 1):
        target = oxsoul_index.target_of(line)
        if target is None:
            continue
        row = oxsoul_index.row_in(line)
        if row is None or target != f"{row.name}.md" or "/" in target or "\\" in target:
            yield Finding(_below(place, INDEX), number, "index-link", tr("the link leads to {path}", path=target))


def _inboxes(root: Path) -> Iterator[Finding]:
    try:
        inside = sorted((root / places.INBOX).iterdir())
    except OSError:
        return
    for one in inside:
        if not places.is_part(one.name) or one.is_symlink():
            path = f"{places.INBOX}/{one.name}"
            yield Finding(path, None, "inbox", tr("is no folder of an inbox that an import can name"))


def _below(place: Place, name: str) -> str:
    return f"{place.below}/{name}" if place.below else name
