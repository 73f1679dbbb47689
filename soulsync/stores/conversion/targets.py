"""Where converted memories go: what is there already stays as it is, a name that is taken gets a number behind it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.errors import SoulSyncError
from soulsync.files import PUBLIC, write_durably, write_new
from soulsync.formats import cortex, entries, oxsoul, oxsoul_index
from soulsync.formats.conversion_items import MEMORY_FILE, OXSOUL, USER_FILE, OxSoul, SoulEntry
from soulsync.formats.oxsoul_names import Names
from soulsync.lang import tr
from soulsync.repo import plain
from soulsync.repo.foreign_lock import locked
from soulsync.stores.conversion import sources
from soulsync.stores.cortex import reading, writing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from soulsync.formats.conversion_items import Item
    from soulsync.formats.cortex import Entry

LOG = ".access.jsonl"


class CortexTarget:
    """An ``.agent/memory`` store, there already or not."""

    user: bool | None = None

    def __init__(self, path: Path) -> None:
        self.store = sources.cortex_store(path)
        present = reading.scan(self.store, thorough=False).entries if self.store.is_dir() else []
        self._there = _by_words((str(entry["memory_id"]), _text_of(entry)) for entry in present)
        self._taken = {str(entry["memory_id"]).lower() for entry in present}
        self._new: list[Entry] = []

    def settle(self, item: Item) -> tuple[str, bool]:
        """Where an item goes, and whether it has to be written there."""
        if not isinstance(item, dict):
            raise TypeError(item)
        wanted = str(item["memory_id"])
        there = _of_name(wanted, self._there.get(_text_of(item), []))
        if there is not None:
            return f"{item['type']}/{there}", False
        item["memory_id"] = cortex.unique_id(wanted, self._taken)
        self._taken.add(str(item["memory_id"]).lower())
        self._new.append(item)
        return f"{item['type']}/{item['memory_id']}", True

    def write(self, _now: str) -> None:
        """Write what is new, all of it or nothing."""
        writing.write_all(self.store, self._new)


class OxSoulTarget:
    """A folder of OxSoul memories, there already or not."""

    user: bool | None = None

    def __init__(self, path: Path) -> None:
        self.folder = path
        files = sources.oxsoul_files(path) if path.is_dir() else []
        self._names = Names({file.stem for file in files})
        self._there = _by_words((name, (item.text("description"), item.body)) for name, item in self._present())
        self._new: list[OxSoul] = []

    def settle(self, item: Item) -> tuple[str, bool]:
        """Where an item goes, and whether it has to be written there."""
        if not isinstance(item, OxSoul):
            raise TypeError(item)
        name = item.text("name")
        there = _of_name(name, self._there.get((item.text("description"), item.body), []))
        if there is not None:
            return f"{there}.md", False
        item.fields["name"] = self._names.claim(name)
        self._new.append(item)
        return f"{item.text('name')}.md", True

    def write(self, now: str) -> None:
        """Write what is new, all of it or nothing; then the index, and a line for each in the log."""
        _no_link(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        written: list[Path] = []
        try:
            for item in self._new:
                file = self.folder / f"{item.text('name')}.md"
                write_new(file, oxsoul.render(item.memory()), PUBLIC)
                written.append(file)
        except BaseException:
            for file in written:
                file.unlink(missing_ok=True)
            raise
        self._index()
        self._log(now)

    def _present(self) -> list[tuple[str, OxSoul]]:
        """The memories of the folder, each with its file's name without ``.md``."""
        found = sources.read(self.folder, OXSOUL).found if self.folder.is_dir() else []
        return [(one.origin.removesuffix(".md"), one.item) for one in found if isinstance(one.item, OxSoul)]

    def _index(self) -> None:
        """What a rebuild gives (SOULSPEC §6)."""
        file = self.folder / oxsoul_index.INDEX
        named = [(name, item.memory()) for name, item in self._present()]
        old = plain.read(file, reading.MAX_BYTES) if file.exists() else None
        write_durably(file, oxsoul_index.build(named, oxsoul_index.label_of(self._place()), old), PUBLIC)

    def _place(self) -> str:
        """The folder relative to the store it belongs to: ``projects/0a58b444``, nothing for the user's own."""
        parent = self.folder.absolute().parent.name
        return f"{parent}/{self.folder.absolute().name}" if parent in ("projects", "employees", "engines") else ""

    def _log(self, now: str) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        lines = [
            {"ts": now, "op": "import", "scope": self._place() or "user", "name": i.text("name")} for i in self._new
        ]
        with os.fdopen(os.open(self.folder / LOG, flags, 0o600), "ab") as log:
            log.write("".join(json.dumps(line) + "\n" for line in lines).encode())


class SoulTarget:
    """The memories files of a soul, or one file of entries; what is new goes behind what is there."""

    def __init__(self, path: Path) -> None:
        self.root, self.names = _root_and_names(path)
        self.user = (path.name == USER_FILE) if len(self.names) == 1 else None
        self._have = {name: self._read(name) for name in self.names}
        self._new: dict[str, list[str]] = {name: [] for name in self.names}

    def settle(self, item: Item) -> tuple[str, bool]:
        """Where an item goes, and whether it has to be written there."""
        if not isinstance(item, SoulEntry):
            raise TypeError(item)
        name = self.names[-1] if item.user else self.names[0]
        if item.text in self._have[name] or item.text in self._new[name]:
            return name, False
        self._new[name].append(item.text)
        return name, True

    def write(self, _now: str) -> None:
        """Append what is new to each file, in one step each, under the lock that Hermes Agent takes."""
        for name, new in self._new.items():
            if not new:
                continue
            file = self.root / name
            _no_link(file.parent)
            file.parent.mkdir(parents=True, exist_ok=True)
            with locked(self.root, name):
                have = self._read(name)
                data = entries.render([*have, *(text for text in new if text not in have)])
                if len(data) > spec.MAX_FILE_BYTES:
                    raise SoulSyncError(
                        tr("{path} would be {size} bytes, over the limit of 1 MiB.", path=file, size=len(data)),
                        tr("Make it shorter; nothing was written."),
                    )
                write_durably(file, data, file.stat().st_mode & 0o777 if file.exists() else PUBLIC)

    def _read(self, name: str) -> list[str]:
        file = self.root / name
        _no_link(file)
        return entries.parse(plain.read(file, 16 * spec.MAX_FILE_BYTES)) if file.exists() else []


def _root_and_names(path: Path) -> tuple[Path, tuple[str, ...]]:
    if path.suffix == ".md" and not path.is_dir():
        folder = path.absolute().parent
        return (folder.parent, (f"{folder.name}/{path.name}",)) if folder.name == "memories" else (folder, (path.name,))
    if path.name == "memories":
        return path.absolute().parent, (f"memories/{MEMORY_FILE}", f"memories/{USER_FILE}")
    return path, (f"memories/{MEMORY_FILE}", f"memories/{USER_FILE}")


def _no_link(path: Path) -> None:
    if path.is_symlink():
        raise SoulSyncError(
            tr("{path} is a link; memories are not written through links.", path=path), tr("Nothing was written.")
        )


def _text_of(entry: Entry) -> tuple[str, str]:
    return str(entry.get("type")), str(entry.get("content"))


def _by_words(named: Iterable[tuple[str, tuple[str, str]]]) -> dict[tuple[str, str], list[str]]:
    """The names under which each text is there."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, words in named:
        found.setdefault(words, []).append(name)
    return found


def _of_name(wanted: str, names: list[str]) -> str | None:
    """The first of ``names`` that is ``wanted``, or ``wanted`` with a number that an earlier conversion gave it."""
    return next((n for n in names if n == wanted or n.removeprefix(f"{wanted}-").isdigit()), None)
