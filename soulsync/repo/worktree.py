"""Files of a work tree, reached without ever following a link and replaced without ever losing what was there.

Other programs write these files at any moment, without a lock. So a file is swapped in one step for its new version,
and what came out is looked at afterwards (soul-repo-v4 §4 rule 13).
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from soulsync.repo import rename
from soulsync.repo.paths import encode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_CHUNK = 1 << 20

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


class WorkTree:
    """The work tree below ``root``; ``staging`` is a folder on the same file system for files on their way."""

    def __init__(self, root: Path, staging: Path) -> None:
        self.root = root
        self.staging = staging

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

        A file that changes while it is read is read again, up to three times.
        """
        try:
            with self._parent(path) as (fd, name):
                return _look(fd, name, limit)
        except FileNotFoundError:
            return Found(MISSING)
        except NotADirectoryError:
            return Found(OBSTRUCTED)

    def stage(self, name: str, data: bytes, mode: int) -> None:
        """Write ``data`` to the staging file ``name``, on disk for certain before this returns."""
        self.staging.mkdir(mode=0o700, exist_ok=True)
        fd = os.open(self.staging / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view) :]
            os.fchmod(fd, mode)
            os.fsync(fd)
        finally:
            os.close(fd)

    def staged(self, name: str) -> bytes | None:
        """The content of a staging file, or None."""
        try:
            return (self.staging / name).read_bytes()
        except FileNotFoundError:
            return None

    def unstage(self, name: str) -> None:
        """Remove a staging file."""
        with contextlib.suppress(FileNotFoundError):
            (self.staging / name).unlink()

    def create(self, path: str, name: str) -> None:
        """Move the staging file ``name`` to ``path``, where nothing may stand; raises ``FileExistsError``."""
        with self._parent(path, create=True) as (fd, last):
            rename.no_replace(self.staging / name, fd, last)
            os.fsync(fd)

    def exchange(self, path: str, name: str) -> None:
        """Swap ``path`` with the staging file ``name``: afterwards that one holds what was there."""
        with self._parent(path) as (fd, last):
            rename.exchange(self.staging / name, fd, last)
            os.fsync(fd)

    def take(self, path: str, name: str) -> None:
        """Move ``path`` away to the staging file ``name``; folders that become empty are removed."""
        self.staging.mkdir(mode=0o700, exist_ok=True)
        with self._parent(path) as (fd, last):
            os.rename(last, self.staging / name, src_dir_fd=fd)
            os.fsync(fd)
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

    def files_below(self, folder: str) -> Iterator[str]:
        """The paths of everything below ``folder`` that is no folder; links are not followed."""
        top = os.path.join(os.fsencode(self.root), encode(folder.rstrip("/")))
        for here, folders, files in os.walk(top):
            prefix = os.path.relpath(here, os.fsencode(self.root))
            links = [f for f in folders if os.path.islink(os.path.join(here, f))]
            folders[:] = [f for f in folders if f != b".git"]
            for name in [*files, *links]:
                yield os.path.join(prefix, name).decode("utf-8", "surrogateescape")

    def holds_repository(self, path: str) -> bool:
        """Whether the folder ``path`` is a git repository of its own."""
        return os.path.lexists(os.path.join(os.fsencode(self.root), encode(path.rstrip("/")), b".git"))


def _look(fd: int, name: bytes, limit: int | None) -> Found:
    status = os.stat(name, dir_fd=fd, follow_symlinks=False)
    kind = _kind(status.st_mode)
    if kind != FILE or limit is None or status.st_size > limit:
        return Found(kind, status.st_size, stat.S_IMODE(status.st_mode))
    found = Found(MISSING)
    for _ in range(3):
        found, steady = _read(fd, name, limit)
        if steady:
            break
    return found


def _read(fd: int, name: bytes, limit: int) -> tuple[Found, bool]:
    try:
        file = os.open(name, _READ, dir_fd=fd)
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
        after = os.fstat(file)
    finally:
        os.close(file)
    steady = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns) and size == after.st_size
    data = b"".join(chunks) if size <= limit else None
    return Found(FILE, size, stat.S_IMODE(after.st_mode), data), steady


def _kind(mode: int) -> str:
    if stat.S_ISREG(mode):
        return FILE
    if stat.S_ISLNK(mode):
        return LINK
    return FOLDER if stat.S_ISDIR(mode) else OTHER
