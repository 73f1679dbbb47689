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

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_CHUNK = 1 << 20
PART = ".part"
"""What the name of a staging file ends with while it is being written."""

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
        self._names = 0

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
        except PermissionError:
            return Found(OTHER)
        except OSError as e:
            if e.errno == errno.ENAMETOOLONG:
                return Found(MISSING)
            raise

    def fresh_name(self) -> str:
        """A name for a staging file that no run before us and no file before it has used."""
        self._names += 1
        return f"{time.time_ns():x}-{self._names}"

    def stage(self, name: str, data: bytes, mode: int) -> None:
        """Write ``data`` to the staging file ``name``, on disk for certain before this returns."""
        self._make_staging()
        # Under another name until it is whole: a file cut short must never be taken for something that came out.
        part = self.staging / (name + PART)
        self._discard(part)
        fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view) :]
            os.fchmod(fd, mode)
            os.fsync(fd)
        finally:
            os.close(fd)
        os.rename(part, self.staging / name)

    def staged(self, name: str) -> bytes | None:
        """The content of a staging file, or None where none or no plain file has that name."""
        try:
            file = os.open(self.staging / name, _READ)
        except FileNotFoundError:
            return None
        except OSError as e:
            if e.errno in (errno.ELOOP, errno.EMLINK, errno.ENXIO):
                return None
            raise
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            return None
        with os.fdopen(file, "rb") as opened:
            return opened.read()

    def unstage(self, name: str) -> None:
        """Remove a staging file."""
        self._discard(self.staging / name)

    def sweep(self, *, older: float) -> None:
        """Remove staging files that a killed run left: those cut short, and all of over ``older`` seconds ago."""
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(self.staging) as found:
            for entry in found:
                age = time.time() - entry.stat(follow_symlinks=False).st_ctime
                if entry.name.endswith(PART) or age > older:
                    self._discard(self.staging / entry.name)

    @staticmethod
    def _discard(file: Path) -> None:
        with contextlib.suppress(FileNotFoundError, IsADirectoryError):
            file.unlink()

    def _make_staging(self) -> None:
        """Make the staging folder; a link in its place is not followed."""
        try:
            self.staging.mkdir(mode=0o700)
        except FileExistsError:
            if self.staging.is_symlink():
                self.staging.unlink()
                self.staging.mkdir(mode=0o700)

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
        self._make_staging()
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
