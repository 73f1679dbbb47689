"""Fetching and pushing: bounded in time, with git's own progress passed on to whoever wants to hear it."""

from __future__ import annotations

import contextvars
import re
import subprocess
import threading
import time
from typing import IO, TYPE_CHECKING

from soulsync import progress
from soulsync.repo.git import Git, GitError, GitTimeoutError, stop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soulsync.body.early import Begun

    Process = subprocess.Popen[bytes] | Begun

_LINE = re.compile(rb"(?:remote: )?([A-Z][a-z]+ objects|Resolving deltas|Updating files):\s+\d+(?:% \((\d+)/(\d+)\))?")
_PARTING = re.compile(rb"[\r\n]")


def run(git: Git, argv: tuple[str, ...], timeout: float, env: Mapping[str, str]) -> None:
    """Run a network command of git to its end; raises like ``Git.run``."""
    finish(git.popen(*argv, extra_env=env), argv, timeout, timeout)


def finish(process: Process, argv: tuple[str, ...], silence: float, timeout: float) -> None:
    """Wait for a network command that was begun with ``--progress``.

    Raises ``GitError`` with what it said, or ``GitTimeoutError`` when it is not done after ``timeout`` seconds or said
    nothing at all for ``silence``.
    """
    end = time.monotonic() + timeout
    said: list[bytes] = []
    readers = [_reader(process.stderr, said, listen=True), _reader(process.stdout, [], listen=False)]
    try:
        readers[0].join(min(silence, timeout))
        if said:
            readers[0].join(max(0.0, end - time.monotonic()))
        if readers[0].is_alive():
            raise GitTimeoutError(["git", *argv], timeout if said else silence)
        code = process.wait(max(1.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        stop(process)
        raise GitTimeoutError(["git", *argv], timeout) from None
    except BaseException:
        stop(process)
        raise
    finally:
        for reader in readers:
            reader.join()
    if code != 0:
        lines = (line for line in _PARTING.split(b"".join(said)) if line and not _LINE.match(line))
        raise GitError(["git", *argv], code, b"\n".join(lines).decode("utf-8", "replace"))


def _reader(pipe: IO[bytes] | None, said: list[bytes], *, listen: bool) -> threading.Thread:
    """Read a pipe to its end in a thread; what a line of progress says is told from there."""

    def read() -> None:
        rest = b""
        with pipe or open("/dev/null", "rb") as stream:  # noqa: PTH123 - a command may have no output
            while chunk := stream.read1(65536) if hasattr(stream, "read1") else stream.read(65536):
                said.append(chunk)
                *lines, rest = _PARTING.split(rest + chunk)
                for line in lines if listen else ():
                    _tell(line)

    thread = threading.Thread(target=contextvars.copy_context().run, args=(read,), daemon=True)
    thread.start()
    return thread


def _tell(line: bytes) -> None:
    found = _LINE.match(line)
    if found and found[2]:
        progress.tell(found[1].decode("ascii"), int(found[2]), int(found[3]))
