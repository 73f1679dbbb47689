"""Many files on disk for certain, by one call where the system has it."""

from __future__ import annotations

import errno
import os
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM)
"""What a system or a file system answers that has no such call."""


@cache
def _syncfs() -> Callable[[int], int] | None:
    """``syncfs`` of Linux (2.6.39), which waits and, since 5.8, tells of failures."""
    import ctypes

    call = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if call is None:
        return None
    call.argtypes = [ctypes.c_int]

    def sync(fd: int) -> int:
        return 0 if call(fd) == 0 else ctypes.get_errno()

    return sync


def at_once() -> bool:
    """Whether the system can flush a whole file system and wait for it."""
    return _syncfs() is not None


def flush(folder: Path) -> None:
    """Wait until everything below ``folder`` is on disk. Raises ``OSError`` where that fails."""
    sync = _syncfs()
    code = errno.ENOSYS if sync is None else _call(sync, folder)
    if code in _UNSUPPORTED:
        for here, _, names in os.walk(folder, topdown=False):
            for name in (*names, "."):
                _fsync(f"{here}/{name}")
    elif code:
        raise OSError(code, os.strerror(code), str(folder))


def _call(sync: Callable[[int], int], folder: Path) -> int:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return sync(fd)
    finally:
        os.close(fd)


def _fsync(path: str) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
