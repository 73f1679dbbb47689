"""Stores of other memory formats in a merged tree: second memories of one name, indexes as a rebuild gives them."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from soulsync.merge.rules import rule_for
from soulsync.merge.second import INDEX, OXSOUL, Settled, settle
from soulsync.repo import objects
from soulsync.repo.paths import decode
from soulsync.spec import INDEX_MD

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pygit2

    from soulsync.merge.second import Both
    from soulsync.repo.objects import Entry


def settled(repo: pygit2.Repository, tree: str, both: Iterable[Both], touched: Iterable[str]) -> Settled:
    """What has to be written into the merged ``tree``; ``touched`` are the paths that either side changed."""
    view = _View(repo, tree)
    folders = {path.rpartition("/")[0] for path in touched if rule_for(path) in (OXSOUL, INDEX)}
    indexed = [
        folder for folder in folders if rule_for(f"{folder}/{INDEX_MD}") == INDEX and view.may_hold_index(folder)
    ]
    return settle(both, indexed, view.read, view.names)


def indexes(repo: pygit2.Repository, tree: str, touched: Iterable[str]) -> dict[str, Entry]:
    """The indexes beside ``touched`` paths as a rebuild gives them, where ``tree`` does not hold them so."""
    files = settled(repo, tree, [], touched).files
    return {path: objects.Entry(objects.BLOB, objects.write_blob(repo, data)) for path, data in files.items()}


class _View:
    """The plain files of a tree; each folder is read once, since one may hold 10,000 memories."""

    def __init__(self, repo: pygit2.Repository, tree: str) -> None:
        self._repo = repo
        self._files = cache(partial(_files, repo, tree))

    def read(self, path: str) -> bytes | None:
        folder, _, name = path.rpartition("/")
        entry = self._files(folder).get(name)
        return objects.read_blob(self._repo, entry.id) if entry is not None and entry.is_file else None

    def names(self, folder: str) -> list[str]:
        return [name for name, entry in self._files(folder).items() if entry.is_file]

    def may_hold_index(self, folder: str) -> bool:
        """Whether nothing else, such as a link, stands where the index belongs."""
        entry = self._files(folder).get(INDEX_MD)
        return entry is None or entry.is_file


def _files(repo: pygit2.Repository, tree: str, folder: str) -> dict[str, Entry]:
    entry = objects.lookup(repo, tree, folder)
    if entry is None or entry.mode != objects.TREE:
        return {}
    return {decode(name): inner for name, inner in objects.read_tree(repo, entry.id).items()}
