"""Reading a file of a work tree for showing it: no link is followed, no pipe is waited for, nothing huge is loaded."""

from __future__ import annotations

import os
import stat

from soulsync import spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def read(path: Path, limit: int = spec.MAX_FILE_BYTES) -> bytes:
    """The content of the plain file ``path``; empty for one over ``limit`` bytes and for what is no plain file.

    Raises ``OSError`` where nothing is there, or a link.
    """
    fd = os.open(path, _READ)
    with os.fdopen(fd, "rb", buffering=0) as file:  # reading n bytes takes room for n at once, reading all for the file
        status = os.fstat(fd)
        return file.readall()[:limit] if stat.S_ISREG(status.st_mode) and status.st_size <= limit else b""
