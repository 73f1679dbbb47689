"""Soft deletion: a memory goes to ``.trash`` with the folder it came from in ``x_origin``, and can come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.errors import SoulSyncError, UsageError
from soulsync.files import PUBLIC, write_new
from soulsync.formats import oxsoul
from soulsync.formats.oxsoul_index import INDEX
from soulsync.formats.oxsoul_names import Names, clean_name, is_name
from soulsync.lang import tr
from soulsync.stores.oxsoul import places, reading, writing
from soulsync.stores.oxsoul.places import Place
from soulsync.stores.oxsoul.reading import Unreadable

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.formats.oxsoul import Memory

TRASH = ".trash"
ORIGIN = "x_origin"


def put(place: Place, name: str) -> str:
    """Move a memory into the trash; its name there. Raises ``SoulSyncError`` (1) where there is none of this name."""
    bin_ = Place(place.root, TRASH)
    with writing.locked(place.root):
        memory = _memory(place.folder / f"{_checked(name)}.md", name)
        writing.make_folder(bin_)
        there = Names(writing.taken(bin_)).claim(name)
        marked = oxsoul.edit(memory, {ORIGIN: place.below or "."})
        write_new(bin_.folder / f"{there}.md", oxsoul.render(marked), PUBLIC)
        (place.folder / f"{name}.md").unlink()
        writing.rebuild(place)
        writing.log(place, "trash", [name])
    return there


def restore(root: Path, name: str, *, rename: bool = False) -> tuple[Place, str]:
    """Bring a memory back to where it came from; the place and its name there.

    Raises ``SoulSyncError`` (1) where the trash has none of this name, or where its old place is taken and ``rename``
    does not allow another one.
    """
    file = root / TRASH / f"{_checked(name)}.md"
    with writing.locked(root):
        memory = _memory(file, name)
        place = Place(root, _origin(memory))
        old = memory.name if memory.name and is_name(memory.name) else name
        taken = writing.taken(place)
        if old in taken and not rename:
            raise SoulSyncError(
                tr("There is a memory {name} already.", name=old), tr("Restore it under another name with --rename.")
            )
        fresh = Names(taken).claim(clean_name(old) if rename else old)
        changes: dict[str, str | float | list[str] | None] = {ORIGIN: None}
        if fresh != old:
            changes |= {"name": fresh, "updated": writing.now()}
        writing.create(place, fresh, oxsoul.edit(memory, changes))
        file.unlink()
        writing.rebuild(place)
        writing.log(place, "restore", [fresh])
    return place, fresh


def _checked(name: str) -> str:
    """A name as a file has it: no path, no dot file, not the index. Raises ``UsageError`` (2)."""
    if not name or "/" in name or "\\" in name or "\0" in name or name.startswith(".") or f"{name}.md" == INDEX:
        raise UsageError(tr("{name} names no memory.", name=name), tr("See `soulsync oxsoul list`."))
    return name


def _memory(file: Path, name: str) -> Memory:
    try:
        return reading.parse(reading.read(file))
    except Unreadable as e:
        if not file.exists() and not file.is_symlink():
            raise SoulSyncError(
                tr("There is no memory {name}.", name=name), tr("See `soulsync oxsoul list`.")
            ) from None
        raise SoulSyncError(
            tr("{name} is left where it is: {reason}.", name=name, reason=e), tr("Look at it by hand.")
        ) from None


def _origin(memory: Memory) -> str:
    """The folder that a memory came from. Raises ``SoulSyncError`` (1) for one that is no place of memories."""
    below = memory.extra.get(ORIGIN, ".").strip("\"'").removeprefix("./")
    below = "" if below == "." else below
    if not places.is_place(below):
        raise SoulSyncError(
            tr("It came from {path}, which is no place of memories.", path=below),
            tr("Correct x_origin in the trash, then try again."),
        )
    return below
