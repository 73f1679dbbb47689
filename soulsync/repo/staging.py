"""The staging folder: files on their way into the work tree, and what came out until somebody has looked at it."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import stat
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
"""How a file is opened that may be a link or a pipe by now."""
PATIENCE = 0.3
"""Seconds to wait for a program that is writing into a file which came out."""
BULK = ".bulk"
"""What the name of a folder ends with in which many files are written at once."""
PART = ".part"
"""What the name of a staging file ends with while it is being written."""


class Staging:
    """The folder ``staging``, made when first used."""

    def __init__(self, staging: Path) -> None:
        self.staging = staging
        self._names = 0

    def fresh_name(self) -> str:
        """A name for a staging file that no run before us and no file before it has used."""
        self._names += 1
        return f"{time.time_ns():x}-{self._names}"

    def stage(self, name: str, data: bytes, mode: int) -> None:
        """Write ``data`` to the staging file ``name``, on disk for certain before this returns."""
        self.make_staging()
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
        part.rename(self.staging / name)

    def staged(self, name: str) -> bytes | None:
        """The content of a staging file, or None where none or no plain file has that name."""
        try:
            file = os.open(self.staging / name, READ)
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

    def wait_for_writers(self, name: str) -> None:
        """Wait until no program has the staging file open for writing, at most ``PATIENCE`` seconds.

        A program that opened a file in its place, before it came out, writes on into what is a staging file by now.
        """
        try:
            fd = os.open(self.staging / name, READ)
        except OSError:
            return
        try:
            until = time.monotonic() + PATIENCE
            while is_being_written(fd) and time.monotonic() < until:
                time.sleep(0.002)
        finally:
            os.close(fd)

    def unstage(self, name: str) -> None:
        """Remove a staging file."""
        self._discard(self.staging / name)

    def sweep(self, *, older: float) -> None:
        """Remove staging files that a killed run left: those cut short, and all of over ``older`` seconds ago."""
        if self.staging.is_symlink():
            return  # what lies behind a link is not ours
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(self.staging) as found:
            for entry in found:
                age = time.time() - entry.stat(follow_symlinks=False).st_ctime
                if entry.name.endswith(BULK):
                    shutil.rmtree(entry.path, ignore_errors=True)
                elif entry.name.endswith(PART) or age > older:
                    self._discard(self.staging / entry.name)

    @staticmethod
    def _discard(file: Path) -> None:
        with contextlib.suppress(FileNotFoundError, IsADirectoryError):
            file.unlink()

    def make_staging(self) -> None:
        """Make the staging folder; a link in its place is not followed."""
        try:
            self.staging.mkdir(mode=0o700)
        except FileExistsError:
            if self.staging.is_symlink():
                self.staging.unlink()
                self.staging.mkdir(mode=0o700)


def is_being_written(fd: int) -> bool:
    """Whether some program has the file open for writing: then the system gives no read lease (Linux, fcntl(2)).

    Other systems can't tell; there the file is looked at again later.
    """
    import fcntl

    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)  # who breaks the lease signals us; SIGIO would end the process
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except BlockingIOError:
        return True
    except OSError:  # another user's file, a file system without leases
        return False
    return False
