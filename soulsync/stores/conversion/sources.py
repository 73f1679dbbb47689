"""What is to be converted: the memories of a file or folder, and a finding for each that can't be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from soulsync.errors import UsageError
from soulsync.formats import entries
from soulsync.formats.conversion_items import CORTEX, OXSOUL, SOUL, USER_FILE, OxSoul, SoulEntry
from soulsync.formats.finding import Finding
from soulsync.lang import tr
from soulsync.repo.paths import shown
from soulsync.stores.cortex import reading
from soulsync.stores.cortex.place import STORE
from soulsync.stores.oxsoul import reading as stored
from soulsync.stores.oxsoul.reading import Unreadable

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.formats.conversion_items import Item


class Found(NamedTuple):
    """A memory of the source and where it was found: a path below the source, of a soul with the entry's number."""

    origin: str
    item: Item


@dataclass(slots=True)
class Source:
    """The memories that can be read, in order, and what can't."""

    found: list[Found] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def read(path: Path, kind: str) -> Source:
    """Read a source of a format. Raises ``UsageError`` (2) where nothing is there; what it holds raises nothing."""
    if not path.exists():
        raise UsageError(tr("{path} is not there.", path=path), tr("Name the file or folder to convert."))
    return _READERS[kind](path)


def soul_files(path: Path) -> list[Path]:
    """The memories files of a soul, of a folder of them, or the one file; those that may be missing are not named."""
    if not path.is_dir():
        return [path]
    folder = path / "memories" if (path / "memories").is_dir() else path
    return sorted(file for file in folder.iterdir() if file.suffix == ".md" and not file.name.startswith("."))


def cortex_store(path: Path) -> Path:
    """The store that is meant: the folder itself, or the ``.agent/memory`` in it."""
    return path / STORE if (path / STORE).is_dir() else path


def _soul(path: Path) -> Source:
    source = Source()
    for file in soul_files(path):
        user, name = file.name == USER_FILE, _below(file, path)
        try:
            texts = enumerate(entries.parse(_bytes(file)), 1)
        except Unreadable as e:
            source.findings.append(Finding(name, None, "unreadable", str(e)))
        else:
            source.found += [Found(f"{name} {number}", SoulEntry(text, user=user)) for number, text in texts]
    return source


def _oxsoul(path: Path) -> Source:
    source = Source()
    for file in [path / name for name in stored.names(path)] if path.is_dir() else [path]:
        name = _below(file, path)
        try:
            memory = stored.parse(_bytes(file))
        except Unreadable as e:
            source.findings.append(Finding(name, None, "unreadable", str(e)))
            continue
        if memory.is_valid:
            source.found.append(Found(name, OxSoul.of(memory)))
        else:
            source.findings.append(Finding(name, 1, "missing", tr("the memory has no name or no description")))
    return source


def _cortex(path: Path) -> Source:
    if path.is_dir():
        scanned = reading.scan(cortex_store(path))
        return Source([Found(f"{one['type']}/{one['memory_id']}", one) for one in scanned.entries], scanned.findings)
    entry, findings = reading.read(path.absolute().parent.parent, f"{path.absolute().parent.name}/{path.name}")
    return Source([Found(path.stem, entry)] if entry is not None else [], findings)


def _bytes(file: Path) -> bytes:
    """The content of a plain file. Raises :class:`Unreadable` for everything else, a folder among it."""
    try:
        return stored.read(file)
    except OSError as e:
        raise Unreadable(e.strerror or str(e)) from None


def _below(file: Path, root: Path) -> str:
    return shown(file.name if file == root else str(file.relative_to(root)))


_READERS = {SOUL: _soul, OXSOUL: _oxsoul, CORTEX: _cortex}
