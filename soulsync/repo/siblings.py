"""Whether a new path can stand beside what a tree already holds: no twin by case or Unicode form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.repo import objects
from soulsync.repo.objects import TREE, Entry
from soulsync.repo.paths import decode, parents, twin_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pygit2


class Siblings:
    """The names in the folders of ``tree``, with ``edits`` made to it; only folders that are asked about are read."""

    def __init__(self, repo: pygit2.Repository, tree: str | None, edits: Mapping[str, Entry | None]) -> None:
        self._repo, self._tree, self._edits = repo, tree, edits
        self._known: dict[str, dict[str, set[str]]] = {}

    def twin(self, path: str) -> str | None:
        """What stands in the way of ``path`` on a system that folds case or normalises Unicode (syncthing#439)."""
        for place in (*parents(path), path):
            folder, _, name = place.rpartition("/")
            for other in self._names(folder).get(twin_key(name), ()):
                there = f"{folder}/{other}" if folder else other
                if other != name and self._stands(there):
                    return there
        return None

    def blocked(self, path: str, replaced: set[str]) -> str | None:
        """The committed file, link or submodule that stands where ``path`` needs a folder; ``replaced`` ones do not."""
        for folder in parents(path):
            entry = objects.lookup(self._repo, self._tree, folder)
            if entry is not None and entry.mode != TREE and folder not in replaced and folder not in self._edits:
                return folder
        return None

    def add(self, path: str) -> None:
        """Note a new path."""
        for place in (*parents(path), path):
            folder, _, name = place.rpartition("/")
            self._names(folder).setdefault(twin_key(name), set()).add(name)

    def _names(self, folder: str) -> dict[str, set[str]]:
        if folder not in self._known:
            names: dict[str, set[str]] = {}
            for name in self._listed(folder):
                names.setdefault(twin_key(name), set()).add(name)
            self._known[folder] = names
        return self._known[folder]

    def _listed(self, folder: str) -> list[str]:
        tree = self._tree
        if folder:
            entry = objects.lookup(self._repo, self._tree, folder)
            tree = entry.id if entry is not None and entry.mode == TREE else None
        return [decode(name) for name in objects.read_tree(self._repo, tree)]

    def _stands(self, path: str) -> bool:
        """Whether ``path`` is still there after the edits: a file, or a folder with a file in it."""
        entry = objects.lookup(self._repo, self._tree, path)
        if entry is None:
            return True  # new like the other one
        if entry.mode != TREE:
            return self._edits.get(path, entry) is not None
        below = (f"{path}/{name}" for name, _ in objects.walk(self._repo, entry.id))
        return any(self._edits.get(file, entry) is not None for file in below)
