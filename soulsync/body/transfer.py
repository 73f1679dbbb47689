"""Fetching and pushing with git's own progress passed on, when somebody wants to hear it."""

from __future__ import annotations

import re
import subprocess
import threading
from typing import IO, TYPE_CHECKING

from soulsync import progress
from soulsync.repo.git import Git, GitError, GitTimeoutError, Result, stop

if TYPE_CHECKING:
    from collections.abc import Mapping

_LINE = re.compile(rb"(?:remote: )?([A-Z][a-z]+ objects|Resolving deltas|Updating files):\s+\d+% \((\d+)/(\d+)\)")
_PARTING = re.compile(rb"[\r\n]")


def run(git: Git, argv: tuple[str, ...], timeout: float, env: Mapping[str, str]) -> Result:
    """Run a network command of git; raises like ``Git.run``."""
    if not progress.listening():
        return git.run(*argv, timeout=timeout, extra_env=env)
    words = [word for word in argv if word != "--quiet"]
    words.insert(1, "--progress")
    process = git.popen(*words, extra_env=env)
    said: list[bytes] = []
    threads = [_reader(process.stderr, said, listen=True), _reader(process.stdout, [], listen=False)]
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        stop(process)
        raise GitTimeoutError(["git", *argv], timeout) from None
    except BaseException:
        stop(process)
        raise
    finally:
        for thread in threads:
            thread.join()
    err = b"\n".join(line for line in _PARTING.split(b"".join(said)) if line and not _LINE.match(line))
    if process.returncode != 0:
        raise GitError(["git", *argv], process.returncode, err.decode("utf-8", "replace"))
    return Result(process.returncode, b"", err.decode("utf-8", "replace"))


def _reader(pipe: IO[bytes] | None, said: list[bytes], *, listen: bool) -> threading.Thread:
    """Read a pipe to its end in a thread; what a line of progress says is told from there."""
    import contextvars

    def read() -> None:
        rest = b""
        with pipe or open("/dev/null", "rb") as stream:  # noqa: PTH123 - there always is a pipe
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
    if found:
        progress.tell(found[1].decode("ascii"), int(found[2]), int(found[3]))
