"""A folder of OxSoul memories as the target of a conversion."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from soulsync.files import PUBLIC, write_durably, write_new
from soulsync.formats import oxsoul, oxsoul_index
from soulsync.formats.conversion_items import OXSOUL, OxSoul
from soulsync.formats.oxsoul_names import Names
from soulsync.repo import plain
from soulsync.stores.conversion import sources
from soulsync.stores.conversion.present import by_words, no_link, of_name
from soulsync.stores.cortex import reading

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.formats.conversion_items import Item

LOG = ".access.jsonl"


class OxSoulTarget:
    """A folder of OxSoul memories, there already or not."""

    user: bool | None = None

    def __init__(self, path: Path) -> None:
        self.folder = path
        files = sources.oxsoul_files(path) if path.is_dir() else []
        self._names = Names({file.stem for file in files})
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

    def write(self, now: str) -> None:
        """Write what is new, all of it or nothing; then the index, and a line for each in the log."""
        no_link(self.folder)
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
