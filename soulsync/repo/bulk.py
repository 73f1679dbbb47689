"""Many new files at once: git writes them beside the work tree, and whole folders move into place.

One by one a file takes two ``fsync`` and a dozen calls, which a first clone or a body that was away for a year feels.
Here nothing is placed that is not whole and on disk, and nothing is replaced: where something stands already, the
folder is entered, and what can't be placed is left to :mod:`soulsync.repo.checkout`, which looks at each file.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from soulsync.repo import durable
from soulsync.repo.git import GitError
from soulsync.repo.paths import decode, encode
from soulsync.repo.staging import BULK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from soulsync.repo.soul import Soul
    from soulsync.repo.worktree import WorkTree

WORTHWHILE = 64
"""From how many new files on this is the shorter way: two more processes of git, and a flush of the file system."""
SECONDS = 3600.0


def place(soul: Soul, worktree: WorkTree, tree: str, paths: Sequence[str]) -> set[str]:
    """Put plain files of ``tree`` in place where nothing stands; those of ``paths`` that are, on disk for certain."""
    worktree.make_staging()
    folder = worktree.staging / (worktree.fresh_name() + BULK)
    try:
        folder.mkdir(mode=0o700)
        if not _write(soul, tree, paths, str(folder)):
            return set()
        durable.flush(folder)
        moved = set(_move(worktree, os.fsencode(folder), ""))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return {path for path in paths if not moved.isdisjoint(_prefixes(path))}


def _write(soul: Soul, tree: str, paths: Sequence[str], folder: str) -> bool:
    """Let git write the files below ``folder``; whether it wrote all of them."""
    index = {"GIT_INDEX_FILE": f"{folder}/index"}
    names = b"".join(encode(path) + b"\0" for path in paths)
    written = ("checkout-index", "-z", "--stdin", f"--prefix={folder}/files/")
    try:
        soul.git.run("read-tree", tree, extra_env=index, timeout=SECONDS)
        # It goes on behind a file that it can't write, and says so: a name that is taken, where case is folded.
        return not soul.git.run(*written, input=names, extra_env=index, timeout=SECONDS).err
    except GitError:
        return False


def _move(worktree: WorkTree, folder: bytes, inside: str) -> Iterator[str]:
    """Move what lies in ``inside`` into place; the paths of the files and folders that are."""
    with os.scandir(b"/".join((folder, b"files", encode(inside)))) as found:
        entries = list(found)
    for entry in entries:
        path = f"{inside}/{decode(entry.name)}" if inside else decode(entry.name)
        try:
            worktree.move_in(path, entry.path)
        except FileExistsError:
            if entry.is_dir(follow_symlinks=False):
                yield from _move(worktree, folder, path)
        except NotADirectoryError:
            pass  # a link or a file stands where a folder should
        else:
            yield path


def _prefixes(path: str) -> Iterator[str]:
    """``a``, ``a/b`` and ``a/b/c`` of ``a/b/c``."""
    parts = path.split("/")
    return ("/".join(parts[: number + 1]) for number in range(len(parts)))
