"""Where converted memories go: what is there already stays as it is, a name that is taken gets a number behind it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.errors import SoulSyncError
from soulsync.files import PUBLIC, write_durably
from soulsync.formats import cortex, entries
from soulsync.formats.conversion_items import MEMORY_FILE, USER_FILE, SoulEntry
from soulsync.lang import tr
from soulsync.repo import plain
from soulsync.repo.foreign_lock import locked
from soulsync.stores.conversion import sources
from soulsync.stores.conversion.present import by_words, no_link, of_name
from soulsync.stores.cortex import reading, writing

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.formats.conversion_items import Item
    from soulsync.formats.cortex import Entry


class CortexTarget:
    """An ``.agent/memory`` store, there already or not."""

    user: bool | None = None

    def __init__(self, path: Path) -> None:
        self.store = sources.cortex_store(path)
        present = reading.scan(self.store, thorough=False).entries if self.store.is_dir() else []
        self._there = by_words((str(entry["memory_id"]), _text_of(entry)) for entry in present)
        self._taken = {str(entry["memory_id"]).lower() for entry in present}
        self._new: list[Entry] = []

    def settle(self, item: Item) -> tuple[str, bool]:
        """Where an item goes, and whether it has to be written there."""
        if not isinstance(item, dict):
            raise TypeError(item)
        wanted = str(item["memory_id"])
        there = of_name(wanted, self._there.get(_text_of(item), []))
        if there is not None:
            return f"{item['type']}/{there}", False
        item["memory_id"] = cortex.unique_id(wanted, self._taken)
        self._taken.add(str(item["memory_id"]).lower())
        self._new.append(item)
        return f"{item['type']}/{item['memory_id']}", True

    def write(self, _now: str) -> None:
        """Write what is new, all of it or nothing."""
        writing.write_all(self.store, self._new)


class SoulTarget:
    """The memories files of a soul, or one file of entries; what is new goes behind what is there."""

    def __init__(self, path: Path) -> None:
        self.root, self.names = _root_and_names(path)
        self.user = (path.name == USER_FILE) if len(self.names) == 1 else None
        self._there = {name: set(self._read(name)) for name in self.names}
        self._new: dict[str, list[str]] = {name: [] for name in self.names}

    def settle(self, item: Item) -> tuple[str, bool]:
        """Where an item goes, and whether it has to be written there."""
        if not isinstance(item, SoulEntry):
            raise TypeError(item)
        name = self.names[-1] if item.user else self.names[0]
        if item.text in self._there[name]:
            return name, False
        self._there[name].add(item.text)
        self._new[name].append(item.text)
        return name, True

    def write(self, _now: str) -> None:
        """Append what is new to each file, in one step each, under the locks that Hermes Agent takes."""
        with contextlib.ExitStack() as locks:
            for name in self._touched():
                no_link((self.root / name).parent)
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                locks.enter_context(locked(self.root, name))
            contents = [(self.root / name, self._content(name)) for name in self._touched()]
            for file, data in contents:
                write_durably(file, data, file.stat().st_mode & 0o777 if file.exists() else PUBLIC)

    def _touched(self) -> list[str]:
        return [name for name, new in self._new.items() if new]

    def _content(self, name: str) -> bytes:
        """The file with what is new. Raises ``SoulSyncError`` (1) where no commit would take it."""
        have = self._read(name)
        known = set(have)
        data = entries.render([*have, *(text for text in self._new[name] if text not in known)])
        if len(data) > spec.MAX_FILE_BYTES:
            raise SoulSyncError(
                tr("{path} would be {size} bytes, over the limit of 1 MiB.", path=self.root / name, size=len(data)),
                tr("Make it shorter; nothing was written."),
            )
        return data

    def _read(self, name: str) -> list[str]:
        file = self.root / name
        no_link(file)
        return entries.parse(plain.read(file, 16 * spec.MAX_FILE_BYTES)) if file.exists() else []


def _root_and_names(path: Path) -> tuple[Path, tuple[str, ...]]:
    if path.suffix == ".md" and not path.is_dir():
        folder = path.absolute().parent
        return (folder.parent, (f"{folder.name}/{path.name}",)) if folder.name == "memories" else (folder, (path.name,))
    if path.name == "memories":
        return path.absolute().parent, (f"memories/{MEMORY_FILE}", f"memories/{USER_FILE}")
    return path, (f"memories/{MEMORY_FILE}", f"memories/{USER_FILE}")


def _text_of(entry: Entry) -> tuple[str, str]:
    return str(entry.get("type")), str(entry.get("content"))
