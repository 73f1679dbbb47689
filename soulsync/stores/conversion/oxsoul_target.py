"""A folder of OxSoul memories as the target of a conversion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.formats.conversion_items import OXSOUL, OxSoul
from soulsync.formats.oxsoul_names import Names
from soulsync.spec import OXSOUL_SCOPES
from soulsync.stores.conversion import sources
from soulsync.stores.conversion.present import by_words, no_link, of_name
from soulsync.stores.oxsoul import writing
from soulsync.stores.oxsoul.places import Place

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.formats.conversion_items import Item


class OxSoulTarget:
    """A folder of OxSoul memories, there already or not."""

    user: bool | None = None

    def __init__(self, path: Path) -> None:
        self.place = _place_of(path.absolute())
        self._names = Names(writing.taken(self.place))
        self._there = by_words((name, (item.text("description"), item.body)) for name, item in self._present())
        self._new: list[OxSoul] = []

    def settle(self, item: Item) -> tuple[str, bool]:
        """Where an item goes, and whether it has to be written there."""
        if not isinstance(item, OxSoul):
            raise TypeError(item)
        name = item.text("name")
        there = of_name(name, self._there.get((item.text("description"), item.body), []))
        if there is not None:
            return f"{there}.md", False
        item.fields["name"] = self._names.claim(name)
        self._new.append(item)
        return f"{item.text('name')}.md", True

    def write(self, _now: str) -> None:
        """Write what is new, all of it or nothing; then the index, and a line for each in the log."""
        no_link(self.place.folder)
        written: list[str] = []
        with writing.locked(self.place.root):
            try:
                for item in self._new:
                    writing.create(self.place, item.text("name"), item.memory())
                    written.append(item.text("name"))
            except BaseException:
                for name in written:
                    (self.place.folder / f"{name}.md").unlink(missing_ok=True)
                raise
            writing.rebuild(self.place)
            writing.log(self.place, "import", written)

    def _present(self) -> list[tuple[str, OxSoul]]:
        """The memories of the folder, each with its file's name without ``.md``."""
        found = sources.read(self.place.folder, OXSOUL).found if self.place.folder.is_dir() else []
        return [(one.origin.removesuffix(".md"), one.item) for one in found if isinstance(one.item, OxSoul)]


def _place_of(folder: Path) -> Place:
    """The folder as a place of the store that it belongs to: one of a project, or the user's own."""
    if folder.parent.name in OXSOUL_SCOPES:
        return Place(folder.parent.parent, f"{folder.parent.name}/{folder.name}")
    return Place(folder, "")
