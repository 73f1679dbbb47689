"""Files of a work tree, reached without ever following a link and replaced without ever losing what was there.

Other programs write these files at any moment, without a lock. So a file is swapped in one step for its new version,
and what came out is looked at afterwards (soul-repo-v4 §4 rule 13).
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from typing import TYPE_CHECKING, NamedTuple

from soulsync.repo import rename
from soulsync.repo.paths import decode, encode
from soulsync.repo.staging import READ, Staging, is_being_written

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 1 << 20
READS = 15
"""How often a file is read before it is taken as it is."""

MISSING, FILE, LINK, FOLDER, OTHER, OBSTRUCTED = "missing", "file", "link", "folder", "other", "obstructed"


class Found(NamedTuple):
    """What stands at a path of the work tree.

    ``kind`` is one of the names above; ``OBSTRUCTED`` when a folder on the way is a link or no folder, so that nothing
    can be said of the path. ``size`` in bytes, ``mode`` the permission bits; ``data`` the content where it was read.
    """

    kind: str
    size: int = 0
    mode: int = 0
    data: bytes | None = None


class WorkTree(Staging):
    """The work tree below ``root``; ``staging`` is a folder on the same file system for files on their way."""

    def __init__(self, root: Path, staging: Path) -> None:
        super().__init__(staging)
        self.root = root

    @contextlib.contextmanager
    def _parent(self, path: str, *, create: bool = False) -> Iterator[tuple[int, bytes]]:
        """The open folder that holds ``path`` and the last segment.

        Raises ``NotADirectoryError`` where a link or a file stands on the way, ``FileNotFoundError`` where nothing.
        """
        *folders, name = encode(path).split(b"/")
        fd = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for folder in folders:
                if create:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(folder, dir_fd=fd)
                        os.fsync(fd)  # a folder that a power cut takes back would look like files that were deleted
                try:
                    below = os.open(folder, _FOLDER, dir_fd=fd)
                except OSError as e:
                    # Linux says ELOOP or ENOTDIR for a link, by version
                    if e.errno in (errno.ELOOP, errno.EMLINK):
                        raise NotADirectoryError(e.errno, "a link stands in the way", path) from None
                    raise
                os.close(fd)
                fd = below
            yield fd, name
        finally:
            os.close(fd)

    def look(self, path: str, *, limit: int | None = None) -> Found:
        """What stands at ``path``; a plain file is read when it is at most ``limit`` bytes.

        A file that changes while it is read, or that a program has open for writing, is read again for a moment: a
        text that is written in place may be there by half.
        """
        try:
            with self._parent(path) as (fd, name):
                return _look(fd, name, limit)
        except FileNotFoundError:
            return Found(MISSING)
        except NotADirectoryError:
            return Found(OBSTRUCTED)
        except PermissionError:
            return Found(OTHER)
        except OSError as e:
            if e.errno == errno.ENAMETOOLONG:
                return Found(MISSING)
            raise

    def is_spelled_so(self, path: str) -> bool:
        """Whether the file at ``path`` has just that name: where case or Unicode form is folded it may be a twin's."""
        try:
            with self._parent(path) as (fd, name):
                return name in map(os.fsencode, os.listdir(fd))
        except OSError:
            return False

    def create(self, path: str, name: str) -> None:
        """Move the staging file ``name`` to ``path``, where nothing may stand; raises ``FileExistsError``."""
        self.move_in(path, os.fsencode(self.staging / name))

    def move_in(self, path: str, source: bytes) -> None:
        """Move ``source``, a file or a folder, to ``path``, where nothing may stand; raises ``FileExistsError``."""
        with self._parent(path, create=True) as (fd, last):
            rename.no_replace(source, fd, last)
            os.fsync(fd)

    def exchange(self, path: str, name: str) -> None:
        """Swap ``path`` with the staging file ``name``: afterwards that one holds what was there."""
        with self._parent(path) as (fd, last):
            rename.exchange(self.staging / name, fd, last)
            os.fsync(fd)
        self.wait_for_writers(name)

    def take(self, path: str, name: str) -> None:
        """Move ``path`` away to the staging file ``name``; folders that become empty are removed."""
        self.make_staging()
        with self._parent(path) as (fd, last):
            os.rename(last, self.staging / name, src_dir_fd=fd)
            os.fsync(fd)
        self.wait_for_writers(name)
        self.prune(path)

    def prune(self, path: str) -> None:
        """Remove the folders above ``path`` that are empty, innermost first."""
        parts = path.split("/")[:-1]
        while parts:
            try:
                with self._parent("/".join(parts)) as (fd, last):
                    os.rmdir(last, dir_fd=fd)
            except OSError:
                return
            parts.pop()

    def remove_empty(self, folder: str) -> bool:
        """Remove ``folder`` if it is an empty one; whether it was."""
        try:
            with self._parent(folder) as (fd, last):
                os.rmdir(last, dir_fd=fd)
        except OSError:
            return False
        return True

    def files_below(self, folder: str) -> Iterator[str]:
        """The paths of everything below ``folder`` that is no folder; links are not followed.

        A repository of its own is not entered; it is given as one path that ends with ``/``, like git does.
        """
        folder = folder.rstrip("/")
        try:
            with self._parent(folder) as (fd, last):
                yield from _walk(fd, last, folder)
        except (FileNotFoundError, NotADirectoryError):
            return

    def holds_repository(self, path: str) -> bool:
        """Whether the folder ``path`` is a git repository of its own."""
        return self.look(f"{path.rstrip('/')}/.git").kind not in (MISSING, OBSTRUCTED)


def _walk(fd: int, top: bytes, folder: str) -> Iterator[str]:
    for here, folders, files, here_fd in os.fwalk(top, dir_fd=fd, follow_symlinks=False):
        below = os.path.relpath(here, top)
        prefix = folder if below == b"." else f"{folder}/{decode(below)}"
        if b".git" in files or b".git" in folders:
            folders.clear()
            yield prefix + "/"
            continue
        links = [f for f in folders if stat.S_ISLNK(os.stat(f, dir_fd=here_fd, follow_symlinks=False).st_mode)]
        for name in sorted([*files, *links]):
            yield f"{prefix}/{decode(name)}"


def _look(fd: int, name: bytes, limit: int | None) -> Found:
    status = os.stat(name, dir_fd=fd, follow_symlinks=False)
    kind = _kind(status.st_mode)
    if kind != FILE or limit is None or status.st_size > limit:
        return Found(kind, status.st_size, stat.S_IMODE(status.st_mode))
    found = Found(MISSING)
    for _ in range(READS):
        found, steady = _read(fd, name, limit)
        if steady:
            break
        time.sleep(0.002)
    return found


def _read(fd: int, name: bytes, limit: int) -> tuple[Found, bool]:
    try:
        file = os.open(name, READ, dir_fd=fd)
    except OSError as e:
        if e.errno == errno.ELOOP:
            return Found(LINK), True
        raise
    try:
        before = os.fstat(file)
        if not stat.S_ISREG(before.st_mode):
            return Found(OTHER), True
        chunks = []
        size = 0
        while size <= limit and (chunk := os.read(file, _CHUNK)):
            chunks.append(chunk)
            size += len(chunk)
        after, written = os.fstat(file), is_being_written(file)
    finally:
        os.close(file)
    same_stamp = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    steady = same_stamp and size == after.st_size and not written
    data = b"".join(chunks) if size <= limit else None
    return Found(FILE, size, stat.S_IMODE(after.st_mode), data), steady


def _kind(mode: int) -> str:
    if stat.S_ISREG(mode):
        return FILE
    if stat.S_ISLNK(mode):
        return LINK
    return FOLDER if stat.S_ISDIR(mode) else OTHER
