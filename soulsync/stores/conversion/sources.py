"""What is to be converted: the memories of a file or folder, and a finding for each that can't be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from soulsync.errors import UsageError, system_problem
from soulsync.formats import entries, oxsoul
from soulsync.formats.conversion_items import CORTEX, OXSOUL, SOUL, USER_FILE, OxSoul, SoulEntry
from soulsync.formats.finding import Finding
from soulsync.formats.oxsoul_index import INDEX
from soulsync.formats.text import Malformed
from soulsync.lang import tr
from soulsync.repo import plain
from soulsync.repo.faults import told as malformed
from soulsync.repo.paths import shown
from soulsync.stores.cortex import reading
from soulsync.stores.cortex.place import STORE

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


def oxsoul_files(path: Path) -> list[Path]:
    """The memories of a folder of OxSoul by name, without its index and hidden files; or the one file."""
    if not path.is_dir():
        return [path]
    names = (file for file in path.iterdir() if file.suffix == ".md" and not file.name.startswith("."))
    return sorted(file for file in names if file.name != INDEX)


def _soul(path: Path) -> Source:
    source = Source()
    for file in soul_files(path):
        data = _bytes(source, file, path)
        if data is not None:
            user = file.name == USER_FILE
            texts = enumerate(entries.parse(data), 1)
            name = _below(file, path)
            source.found += [Found(f"{name} {number}", SoulEntry(text, user=user)) for number, text in texts]
    return source


def _oxsoul(path: Path) -> Source:
    source = Source()
    for file in oxsoul_files(path):
        data = _bytes(source, file, path)
        if data is None:
            continue
        name = _below(file, path)
        try:
            memory = oxsoul.parse(data)
        except Malformed as e:
            source.findings.append(Finding(name, 1, "malformed", malformed(str(e))))
            continue
        if not memory.is_of_this_version:
            source.findings.append(Finding(name, 1, "version", tr("the memory is of a later version of its format")))
        elif not memory.is_valid:
            source.findings.append(Finding(name, 1, "missing", tr("the memory has no name or no description")))
        else:
            source.found.append(Found(name, OxSoul.of(memory)))
    return source


def _cortex(path: Path) -> Source:
    if path.is_dir():
        scanned = reading.scan(cortex_store(path))
        return Source([Found(f"{one['type']}/{one['memory_id']}", one) for one in scanned.entries], scanned.findings)
    entry, findings = reading.read(path.absolute().parent.parent, f"{path.absolute().parent.name}/{path.name}")
    return Source([Found(path.stem, entry)] if entry is not None else [], findings)


def _bytes(source: Source, file: Path, root: Path) -> bytes | None:
    """The content of a plain file; what is none becomes a finding."""
    name = _below(file, root)
    try:
        if file.is_symlink():
            source.findings.append(Finding(name, None, "symlink", tr("a link stands here; links are not followed")))
        elif not file.is_file():
            source.findings.append(Finding(name, None, "not-a-file", tr("it is a folder or a device, not a file")))
        elif file.stat().st_size > reading.MAX_BYTES:
            source.findings.append(Finding(name, None, "too-large", tr("the file is over 16 MiB and is not read")))
        else:
            return plain.read(file, reading.MAX_BYTES)
    except OSError as e:
        source.findings.append(Finding(name, None, "unreadable", system_problem(e)))
    return None


def _below(file: Path, root: Path) -> str:
    return shown(file.name if file == root else str(file.relative_to(root)))


_READERS = {SOUL: _soul, OXSOUL: _oxsoul, CORTEX: _cortex}
