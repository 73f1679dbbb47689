"""Where the files to check come from: a folder as it stands, or the tree of a commit."""

from __future__ import annotations

import os
import stat
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from soulsync import spec
from soulsync.repo import objects, plain
from soulsync.repo.paths import decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pygit2

FILE, LINK, NESTED, OTHER, UNREADABLE = "file", "symlink", "nested-repository", "not-a-file", "unreadable"
"""Kinds of things; but for the first they are names of rules too."""


class Item(NamedTuple):
    """One thing in a soul: its ``path``, its ``kind``, its ``size`` in bytes, and how to get at its content.

    ``read`` raises ``OSError`` where a file can't be read; it gives nothing for a file over ``limit`` bytes.
    """

    path: str
    kind: str
    size: int
    read: Callable[[], bytes]
    limit: int = spec.MAX_FILE_BYTES


def of_folder(root: Path, limit: int = spec.MAX_FILE_BYTES) -> Iterator[Item]:
    """Everything below a folder but ``.git`` and what is never committed; no link is followed, no file over ``limit``
    bytes is read."""
    pending = [(os.fsencode(root), "")]
    while pending:
        folder, prefix = pending.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name, reverse=True)
        except OSError:
            yield Item(prefix.rstrip("/") or ".", UNREADABLE, 0, bytes)
            continue
        if prefix and any(entry.name == b".git" for entry in entries):
            yield Item(prefix.rstrip("/"), NESTED, 0, bytes)
            continue
        for entry in entries:
            path = prefix + decode(entry.name)
            if entry.is_dir(follow_symlinks=False):
                if path != ".git":
                    pending.append((entry.path, path + "/"))
            elif path != ".git" and not is_litter(path):
                yield of_file(root, path, limit)


def of_file(root: Path, path: str, limit: int = spec.MAX_FILE_BYTES) -> Item:
    """One thing below a folder."""
    place = root / os.fsdecode(encode(path))
    status = place.lstat()
    kind = FILE if stat.S_ISREG(status.st_mode) else LINK if stat.S_ISLNK(status.st_mode) else OTHER
    return Item(path, kind, status.st_size, lambda: plain.read(place, limit), limit)


def of_tree(repo: pygit2.Repository, tree: str) -> Iterator[Item]:
    """Everything in a tree of commits."""
    for path, entry in sorted(objects.walk(repo, tree)):
        if not entry.is_file:
            kind = NESTED if entry.mode == objects.SUBMODULE else LINK
            yield Item(path, kind, 0, bytes)
            continue
        size = objects.blob_size(repo, entry.id)
        yield Item(path, FILE, size, _reader(repo, entry.id, size))


def _reader(repo: pygit2.Repository, blob: str, size: int) -> Callable[[], bytes]:
    return lambda: objects.read_blob(repo, blob) if size <= spec.MAX_FILE_BYTES else b""


def is_litter(path: str) -> bool:
    """Whether no body ever commits a file of this name (soul-repo-v4 §2, §6)."""
    name = path.rsplit("/", 1)[-1]
    return any(fnmatchcase(name, pattern) for pattern in (*spec.GITIGNORE_PATTERNS, *spec.LITTER_PATTERNS))
