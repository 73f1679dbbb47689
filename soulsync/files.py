"""The one place that writes files of our own: complete or not at all, also across a power cut, closed to others."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

PRIVATE = 0o600
PUBLIC = 0o644
SUFFIX = ".tmp"
_NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)
"""What systems answer where a folder can't be synced (some network and FUSE file systems)."""


def write_durably(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Put ``data`` in place of ``path`` in one step, on disk for certain; a crash leaves the old file or the new one.

    A missing folder is made, with mode 0700.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = _write_beside(path, data, mode)
    try:
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def write_new(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Create ``path`` with ``data``; it appears complete, and never replaces a file that is there.

    Raises FileExistsError when ``path`` exists.
    """
    temporary = _write_beside(path, data, mode)
    try:
        _give_name(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(path.parent)


def take_lock(path: Path | str) -> int | None:
    """Take the kernel lock of a file, which is made where it is missing; the open file, or None where it is taken.

    Who closes the file lets go. Raises ``OSError`` where the file can't be opened.
    """
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # taken, or a file system without such locks
        os.close(fd)
        return None
    if not os.fstat(fd).st_nlink:  # a program that removes its locks did so in this moment
        os.close(fd)
        return None
    return fd


def in_the_way(folder: Path) -> Path | None:
    """What keeps ``folder`` from being a folder, or from being made: a file there or above it, a link that leads
    nowhere. None where nothing does.
    """
    found = next((place for place in (folder, *folder.absolute().parents) if os.path.lexists(place)), None)
    return None if found is None or os.path.isdir(found) else found  # noqa: PTH112  Path raises for some links


def real(path: Path) -> Path:
    """``path`` without links. A link that leads to itself stays, where ``Path.resolve`` raises."""
    return type(path)(os.path.realpath(path))


def sweep(folder: Path) -> None:
    """Remove the temporary files that killed runs left in ``folder``; those of a living process stay."""
    for file in leftover(folder):
        with contextlib.suppress(OSError):
            file.unlink()


def leftover(folder: Path) -> list[Path]:
    """The temporary files in ``folder`` whose process is gone."""
    found = []
    for file in folder.glob(f".*{SUFFIX}"):
        pid = file.name.removesuffix(SUFFIX).rpartition(".")[2].partition("-")[0]
        if pid.isdigit() and not lives(int(pid)):
            found.append(file)
    return found


def _write_beside(path: Path, data: bytes, mode: int) -> Path:
    """A complete, synced temporary file in the folder of ``path``, with ``mode`` from its first moment.

    Its name tells the process that writes it, so that ``sweep`` knows a living one from a leftover.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}{SUFFIX}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), os.fstat(file.fileno()).st_mode & 0o777 | mode & 0o700)  # umask 0777 locks us out
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _give_name(temporary: Path, path: Path) -> None:
    try:
        os.link(temporary, path)  # unlike rename, a link fails when the name is taken
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links (exFAT, some network mounts)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE))
        temporary.replace(path)


def _sync_folder(folder: Path) -> None:
    """Make a new name durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(descriptor)


def lives(pid: int) -> bool:
    """Whether a process of this number is there."""
    with contextlib.suppress(PermissionError):
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
    return True
