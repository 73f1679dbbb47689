"""What each bridge showed its framework last: ``state/bridges/<name>/``, never committed (bridges §1).

A baseline that is lost or damaged is the first contact again: then nothing is removed anywhere.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from hashlib import sha256
from typing import TYPE_CHECKING

from soulsync import files
from soulsync.merge.bridge import Shown

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.body.home import Home

FOLDER = "bridges"
TEXTS = "texts"


def _texts(value: object) -> list[str] | None:
    return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else None


class Baseline:
    """The baselines of one bridge, by the key of a mapping."""

    def __init__(self, home: Home, name: str) -> None:
        self.folder = home.state / FOLDER / name

    def entries(self, key: str) -> Shown:
        """What entries were shown."""
        values = self._load(key)
        return Shown(_texts(values.get("shown")), _texts(values.get("next")))

    def save_entries(self, key: str, shown: Shown) -> None:
        """Remember them."""
        self._save(key, {"shown": shown.entries, "next": shown.next})

    def files(self, key: str) -> dict[str, bytes]:
        """What each file held when both sides were alike, by its path in the soul."""
        known = {}
        for path, digest in self._names(key).items():
            with contextlib.suppress(OSError):
                data = (self.folder / TEXTS / digest).read_bytes()
                if sha256(data).hexdigest() == digest:
                    known[path] = data
        return known

    def save_files(self, key: str, known: dict[str, bytes]) -> None:
        """Remember them; the texts first, so that nothing is named that is not there."""
        names = {path: sha256(data).hexdigest() for path, data in known.items()}
        for path, data in known.items():
            file = self.folder / TEXTS / names[path]
            if not file.exists():
                files.write_durably(file, data)
        self._save(key, {"files": names})

    def tidy(self) -> None:
        """Drop the texts that nothing names any more, and what killed runs left."""
        if not self.folder.is_dir():
            return
        files.sweep(self.folder)
        files.sweep(self.folder / TEXTS)
        named = {name for file in self.folder.glob("*.json") for name in self._names(file.stem).values()}
        for file in (self.folder / TEXTS).glob("[0-9a-f]*"):
            if file.name not in named:
                file.unlink(missing_ok=True)

    def forget(self) -> None:
        """Remove all: the bridge is gone."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _names(self, key: str) -> dict[str, str]:
        """The name of the text of each file."""
        names = self._load(key).get("files")
        items = names.items() if isinstance(names, dict) else ()
        return {path: name for path, name in items if isinstance(name, str) and name.isalnum()}

    def _load(self, key: str) -> dict[str, object]:
        try:
            values = json.loads(self._file(key).read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return values if isinstance(values, dict) else {}

    def _save(self, key: str, values: object) -> None:
        data = (json.dumps(values, indent=1, sort_keys=True) + "\n").encode("ascii")
        with contextlib.suppress(FileNotFoundError):
            if self._file(key).read_bytes() == data:
                return
        files.write_durably(self._file(key), data)
