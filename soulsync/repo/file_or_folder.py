"""A path that is a file on one side of a merge and a folder on the other: both stay, one under a name of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.repo import objects
from soulsync.repo.objects import TREE, Entry
from soulsync.repo.paths import parents

if TYPE_CHECKING:
    import pygit2


def separate(repo: pygit2.Repository, tree: str | None, edits: dict[str, Entry | None]) -> dict[str, str]:
    """Change ``edits`` of ``tree`` so that no path is a file and a folder; new name to old name of what moved.

    The file moves aside, or the folder, where the file is one that the spec requires. The new name has no sides.
    """
    added = [path for path, entry in edits.items() if entry is not None]
    if not any(_is_both(repo, tree, path) for path in added):
        return {}
    removed = {path for path, entry in edits.items() if entry is None}
    paths = {path for path, _ in objects.walk(repo, tree)} - removed | set(added)
    folders = {folder for path in paths for folder in parents(path)}
    moved: dict[str, str] = {}
    for path in sorted(paths & folders):
        entry = _entry(repo, tree, edits, path)
        if entry is None:
            continue
        beside = _beside(path, entry.id, paths | folders)
        for old, new in _moves(path, beside, paths):
            edits[new], edits[old] = _entry(repo, tree, edits, old), None
        moved[beside] = path
    return moved


def _moves(path: str, beside: str, paths: set[str]) -> list[tuple[str, str]]:
    if not spec.never_vanishes(path):
        return [(path, beside)]
    return [(below, beside + below[len(path) :]) for below in sorted(paths) if below.startswith(path + "/")]


def _entry(repo: pygit2.Repository, tree: str | None, edits: dict[str, Entry | None], path: str) -> Entry | None:
    entry = edits.get(path) or objects.lookup(repo, tree, path)
    return None if entry is None or entry.mode == TREE else entry


def _is_both(repo: pygit2.Repository, tree: str | None, path: str) -> bool:
    """Whether adding ``path`` meets a folder of that name, or a file where a folder must be."""
    here = objects.lookup(repo, tree, path)
    if here is not None and here.mode == TREE:
        return True
    above = (objects.lookup(repo, tree, folder) for folder in parents(path))
    return any(entry is not None and entry.mode != TREE for entry in above)


def _beside(path: str, blob: str, taken: set[str]) -> str:
    """``x-<blob>.md`` for ``x.md``, with as many digits of the file's blob id as make it a new name."""
    stem, dot, ending = path.rpartition(".")
    if not dot or "/" in ending or not stem or stem.endswith("/"):
        stem, dot, ending = path, "", ""
    names = [f"{stem}-{blob[:digits]}{dot}{ending}" for digits in (8, 40)]
    return names[0] if names[0] not in taken else names[1]
