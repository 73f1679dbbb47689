"""The lock that Hermes Agent takes beside a memories file while it reads, changes and writes it (soul-repo-v4 §3.2)."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING

from soulsync import spec

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
        fd = os.open(root / f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError:  # a link or a folder stands there: not Hermes' lock
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
