"""The lock that Hermes Agent takes beside a memories file while it reads, changes and writes it (soul-repo-v4 §3.2)."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.repo.paths import encode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 2.0
"""Seconds to wait for a holder, who needs milliseconds; after that we go on: the swap is safe without the lock."""


@contextlib.contextmanager
def locked(root: Path, path: str) -> Iterator[None]:
    """Hold ``<path>.lock`` (flock, exclusive, 0600) when ``path`` is a memories file; nothing otherwise."""
    if not spec.is_memories(path):
        yield
        return
    try:
        import fcntl
    except ImportError:  # Windows: Hermes locks otherwise there
        yield
        return
    try:
        fd = _open(root, path)
    except OSError:  # a link or a folder stands there or on the way: not Hermes' lock
        yield
        return
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if time.monotonic() > deadline:
                    break
                time.sleep(0.01)
        yield
    finally:
        os.close(fd)


def _open(root: Path, path: str) -> int:
    folder, _, name = path.rpartition("/")
    above = os.open(root / folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        return os.open(encode(f"{name}.lock"), flags, 0o600, dir_fd=above)
    finally:
        os.close(above)
