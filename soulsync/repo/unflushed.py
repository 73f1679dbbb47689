"""Notes in the engine's folder that say who writes objects which are not on disk for certain yet.

Each writer has a note of its own and holds a lock on it. A note without a holder is that of a killed run: what it wrote
is found by the next run, and would not be written again.
"""

from __future__ import annotations

import contextlib
import fcntl
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PREFIX = "unflushed."


@contextlib.contextmanager
def writing(engine: Path, flush: Callable[[], None]) -> Iterator[None]:
    """Leave a note for as long as the block lasts; ``flush`` is called at its end, whatever happened to the note."""
    file, fd = _begin(engine)
    try:
        yield
    finally:
        try:
            flush()
            file.unlink(missing_ok=True)
        finally:
            os.close(fd)


def _begin(engine: Path) -> tuple[Path, int]:
    while True:
        file = engine / f"{PREFIX}{os.getpid()}-{os.urandom(4).hex()}"
        fd = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        fcntl.flock(fd, fcntl.LOCK_EX)
        if os.fstat(fd).st_nlink:
            return file, fd
        os.close(fd)  # another command took it for a killed run's before it was locked


def take_up(engine: Path, flush: Callable[[], None]) -> None:
    """Do for killed runs what they could not: call ``flush`` where they left a note, and drop that."""
    with os.scandir(engine) as found:
        names = [entry.name for entry in found if entry.name.startswith(PREFIX)]
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            _take_up(engine / name, flush)


def _take_up(file: Path, flush: Callable[[], None]) -> None:
    fd = os.open(file, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return  # its writer is at work
    else:
        flush()
        file.unlink(missing_ok=True)
    finally:
        os.close(fd)
