"""``soulsync`` commands in forks of one process that has its modules loaded: the same deeds in a third of the time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback
from typing import TYPE_CHECKING, Any

from tests.bodies import Body

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Forks:
    """The process that forks; ``folder`` is where the commands' output lies for a moment."""

    def __init__(self, folder: Path, umask: int = -1) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.forked"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            umask=umask,
        )

    def close(self) -> None:
        self.process.communicate(timeout=60)

    def run(self, words: tuple[str, ...], env: Mapping[str, str], cwd: Path) -> subprocess.CompletedProcess[str]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        job = {"words": words, "env": dict(env), "cwd": str(cwd), "folder": str(self.folder)}
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        code = int(self.process.stdout.readline())
        out, err = ((self.folder / name).read_text("utf-8", "replace") for name in ("out", "err"))
        return subprocess.CompletedProcess(words, code, out, err)


class ForkedBody(Body):
    """A body whose commands run in forks."""

    forks: Forks

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        return self.forks.run(words, {**self.env, **env}, self.folder)


def _serve() -> None:
    import click  # noqa: F401
    import filelock  # noqa: F401
    import pygit2  # noqa: F401

    from soulsync.body import connect, sync, undo  # noqa: F401

    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _child(json.loads(line))
        sys.stdout.write(f"{os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}\n")
        sys.stdout.flush()


def _child(job: dict[str, Any]) -> None:
    code = 99
    try:
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(os.path.join(job["folder"], name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)  # noqa: PTH118
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.environ.clear()
        os.environ.update(job["env"])
        os.chdir(job["cwd"])
        code = _command(job["words"])
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _command(words: list[str]) -> int:
    from soulsync.__main__ import run

    try:
        return run(words)
    except SystemExit as e:
        return e.code if isinstance(e.code, int) else 1


if __name__ == "__main__":
    _serve()
