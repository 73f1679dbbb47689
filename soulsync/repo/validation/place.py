"""What a path that a person names is: a soul, a bare repository of one, a store of memories, or one file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from soulsync import spec
from soulsync.repo import plain
from soulsync.repo.paths import decode, encode

if TYPE_CHECKING:
    from pathlib import Path

SOUL, OXSOUL, CORTEX = FORMATS = ("soul", "oxsoul", "cortex")
INDEX_TITLE = "# 牛魂索引"
TYPES = ("episodic", "semantic", "procedural")


class Place(NamedTuple):
    """What is to be checked: its ``format``, its ``root``, and the one ``file`` below it that is meant (None: all)."""

    format: str
    root: Path
    file: str | None


def find(path: Path, given: str | None) -> Place:
    """Tell what lies at ``path``, which exists; ``given`` is the format that the person names."""
    path = path.absolute()
    if path.is_dir():
        return Place(given or _format_of_folder(path), path, None)
    root, file = _within(path)
    return Place(given or _format_of_file(path, file), root, file)


def is_bare(folder: Path) -> bool:
    """Whether a folder is a bare repository."""
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def _is_soul(folder: Path) -> bool:
    return (folder / spec.AGENT_JSON).is_file() or (folder / spec.SPEC_JSON).is_file()


def _within(path: Path) -> tuple[Path, str]:
    """The soul that a file lies in, with its path there; outside of one, the path that its folders make it."""
    for folder in path.parents:
        if _is_soul(folder):
            return folder, _relative(path, folder)
    inner = [folder for folder in path.parents if folder.name in spec.SPEC_DIRS]
    root = inner[0].parent if inner else path.parent
    return root, _relative(path, root)


def _relative(path: Path, folder: Path) -> str:
    return decode(encode(str(path.relative_to(folder))))


def _format_of_folder(folder: Path) -> str:
    if _is_soul(folder) or is_bare(folder):
        return SOUL
    if _starts(folder / "MEMORY.md").startswith(INDEX_TITLE):
        return OXSOUL
    try:
        names = {entry.name for entry in folder.iterdir()}
    except OSError:
        return SOUL
    if names & set(TYPES) or (folder / ".agent" / "memory").is_dir():
        return CORTEX
    if names & set(spec.SPEC_DIRS):
        return SOUL
    return OXSOUL if any(_starts(file).startswith("---") for file in sorted(folder.glob("*.md"))[:50]) else SOUL


def _format_of_file(path: Path, file: str) -> str:
    if spec.is_spec_path(file):
        return SOUL
    if spec.is_in(file, spec.CORTEX_ROOTS) or path.parent.name in TYPES:
        return CORTEX
    if spec.is_in(file, spec.OXSOUL_ROOTS):
        return OXSOUL
    text = _starts(path)
    if path.suffix == ".md" and text.startswith((INDEX_TITLE, "---")):
        return OXSOUL
    return CORTEX if path.suffix == ".json" and _is_entry(path) else SOUL


def _starts(path: Path) -> str:
    try:
        return plain.read(path).decode("utf-8", "replace").lstrip("\ufeff")
    except OSError:
        return ""


def _is_entry(path: Path) -> bool:
    try:
        fields = json.loads(plain.read(path))
    except (OSError, ValueError, RecursionError):
        return path.name.startswith("MEM-")
    return isinstance(fields, dict) and "memory_id" in fields
