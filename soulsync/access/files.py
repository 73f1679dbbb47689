"""Private files of the access layer: written whole or not at all, readable by their owner alone."""

from __future__ import annotations

import contextlib
import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PRIVATE = 0o600
PUBLIC = 0o644


def write_new(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Create ``path`` with ``data``; it appears complete, and never replaces a file that is there.

    Raises FileExistsError when ``path`` exists.
    """
    temporary = _write_beside(path, data, mode)
    try:
        _give_name(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(path)


def replace(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Put ``data`` in place of ``path`` in one step; a crash leaves the old file or the new one."""
    temporary = _write_beside(path, data, mode)
    try:
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path)


def _write_beside(path: Path, data: bytes, mode: int) -> Path:
    """A complete, synced temporary file in the folder of ``path``, created with ``mode`` from its first moment."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), mode)  # the umask may have taken bits away
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


def _sync_folder(path: Path) -> None:
    """Make the new name durable, where the file system lets a folder be synced."""
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
