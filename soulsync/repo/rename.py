"""The renames that Python has no call for: swap two files in one step, and move only where nothing stands.

Linux has ``renameat2`` (kernel 3.15, glibc 2.28, Android's bionic since API 30), macOS ``renameatx_np``. Elsewhere, and
on file systems that refuse the flags, hard links come closest: the old file keeps a name until it has been looked at.
"""

from __future__ import annotations

import errno
import os
import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM)
# flags of (no replace, exchange): linux/fs.h and sys/stdio.h of macOS
_FLAGS = {"linux": (1, 2), "android": (1, 2), "darwin": (4, 2)}


OLD = ".old"


@cache
def _native() -> Callable[[int, bytes, int, bytes, int], int] | None:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    call = getattr(libc, "renameatx_np" if sys.platform == "darwin" else "renameat2", None)
    if call is None or sys.platform not in _FLAGS:
        return None
    call.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    call.restype = ctypes.c_int

    def rename(old_fd: int, old: bytes, new_fd: int, new: bytes, flags: int) -> int:
        return 0 if call(old_fd, old, new_fd, new, flags) == 0 else ctypes.get_errno()

    return rename


def _call(source: Path | bytes, fd: int, name: bytes, which: int) -> bool:
    """Try the system's own call; False when this system or file system has none."""
    native = _native()
    if native is None:
        return False
    at_cwd = -2 if sys.platform == "darwin" else -100
    code = native(at_cwd, os.fsencode(source), fd, name, _FLAGS[sys.platform][which])
    if code == 0:
        return True
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), os.fsdecode(name))


def no_replace(source: Path | bytes, fd: int, name: bytes) -> None:
    """Move ``source`` to ``name`` in the open folder ``fd``; raises ``FileExistsError`` where something stands."""
    if _call(source, fd, name, 0):
        return
    try:
        os.link(source, name, dst_dir_fd=fd, follow_symlinks=False)
    except OSError as e:
        if e.errno not in _UNSUPPORTED:
            raise
        _move_if_free(source, fd, name)
    else:
        os.unlink(source)


def exchange(source: Path, fd: int, name: bytes) -> None:
    """Swap ``source`` and ``name`` in the open folder ``fd``; raises ``FileNotFoundError`` where nothing stands.

    Without a call of the system what stood there is called ``<source>.old`` for a moment; a file that somebody renames
    to ``name`` within that moment is lost. A name that is missing for a moment would be worse: a reader would take the
    memories for empty.
    """
    if _call(source, fd, name, 1):
        return
    aside = source.with_name(source.name + OLD)
    aside.unlink(missing_ok=True)
    try:
        os.link(name, aside, src_dir_fd=fd, follow_symlinks=False)
    except OSError as e:
        if e.errno not in _UNSUPPORTED:
            raise
        os.rename(name, aside, src_dir_fd=fd)  # a file system without hard links (FAT), or a folder
    os.replace(source, name, dst_dir_fd=fd)
    aside.replace(source)


def _move_if_free(source: Path | bytes, fd: int, name: bytes) -> None:
    """The same where no hard links exist: a look, then a move."""
    try:
        os.stat(name, dir_fd=fd, follow_symlinks=False)
    except FileNotFoundError:
        os.rename(source, name, dst_dir_fd=fd)
    else:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fsdecode(name))
