"""What another body, or somebody with a stolen deploy key, can push: raw objects, written past every check of git."""

from __future__ import annotations

import json
import os
import resource
import stat
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pygit2
from pygit2.enums import ObjectType

from soulsync.repo import objects
from soulsync.repo.objects import BLOB, TREE, Entry

if TYPE_CHECKING:
    from tests.bodies import Body, Remote

MIB = 1 << 20
MEMORY_LIMIT = 3072 * MIB
"""Address space that one ``soulsync`` may have; Python with libgit2 alone maps a few hundred MiB of it."""
TIME_LIMIT = 60


class Attacker:
    """Somebody who writes objects straight into the bare repository and moves its refs."""

    def __init__(self, remote: Remote) -> None:
        self.remote = remote
        self.repo = pygit2.Repository(str(remote.path))

    @property
    def tip(self) -> str:
        return str(self.repo.references["refs/heads/main"].target)

    def blob(self, data: bytes, mode: int = BLOB) -> Entry:
        return Entry(mode, objects.write_blob(self.repo, data))

    def huge(self, size: int) -> Entry:
        """A blob of ``size`` bytes, one line of one letter; it packs to a thousandth."""
        line = "head -c $0 /dev/zero | tr '\\0' x | git -c core.bigFileThreshold=1m hash-object -w -t blob --stdin"
        argv = ["sh", "-c", line, str(size)]
        made = subprocess.run(argv, cwd=self.remote.path, capture_output=True, check=True, timeout=TIME_LIMIT)
        return Entry(BLOB, made.stdout.decode().strip())

    def tree(self, entries: dict[bytes, Entry], on: str | None = None) -> Entry:
        """One tree object with exactly these names, whatever they are."""
        return Entry(TREE, objects.write_tree(self.repo, {**objects.read_tree(self.repo, on), **entries}))

    def raw_tree(self, data: bytes) -> Entry:
        return Entry(TREE, str(self.repo.write(ObjectType.TREE, data)))

    def at_top(self, entries: dict[bytes, Entry]) -> str:
        """A commit on ``main`` whose top folder has these entries as well; moves ``main``."""
        return self.commit(self.tree(entries, objects.tree_of(self.repo, self.tip)).id)

    def put(self, files: dict[str, bytes | Entry | None]) -> str:
        """A commit on ``main`` with these paths set, as any body may make it; moves ``main``."""
        edits = {path: self.blob(data) if isinstance(data, bytes) else data for path, data in files.items()}
        return self.commit(objects.edit(self.repo, objects.tree_of(self.repo, self.tip), edits))

    def commit(self, tree: str, *, name: str = "Kaoru (mallory)", at: int | None = None) -> str:
        who = pygit2.Signature(name, "kaoru@mallory.local", int(time.time()) if at is None else at, 0)
        # libgit2 would look at the tree; git's plumbing must be told not to
        text = f"tree {tree}\nparent {self.tip}\nauthor {_line(who)}\ncommitter {_line(who)}\n\nfrom elsewhere\n"
        new = str(self.repo.write(ObjectType.COMMIT, text.encode()))
        self.move_to(new)
        return new

    def move_to(self, commit: str) -> None:
        (self.remote.path / "refs/heads/main").write_text(commit + "\n")


def _line(who: pygit2.Signature) -> str:
    return f"{who.name} <{who.email}> {who.time} +0000"


class Measured(NamedTuple):
    """How a ``soulsync`` with limits ended; ``peak``: MiB of the largest process among it and its children."""

    code: int
    out: str
    err: str
    peak: float
    seconds: float

    @property
    def result(self) -> dict[str, object]:
        return dict(json.loads(self.out))


def bounded(body: Body, *words: str, memory: int = MEMORY_LIMIT) -> Measured:
    """Run ``soulsync`` with a limit on the memory of every process and on the time of all; it must end by itself."""

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    started = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            body.argv(*words), env=body.env, cwd=body.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            preexec_fn=limits, start_new_session=True,
        )  # fmt: skip
        status, used = _await(process, started + TIME_LIMIT, words)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    said = texts[1]
    assert "inside soulsync" not in said, said
    assert "Traceback" not in said, said
    return Measured(process.returncode, texts[0], said, used.ru_maxrss / 1024, time.monotonic() - started)


def _await(
    process: subprocess.Popen[bytes], deadline: float, words: tuple[str, ...]
) -> tuple[int, resource.struct_rusage]:
    """Wait by ``wait4``, which tells what this child and its own children used."""
    while time.monotonic() < deadline:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            return status, used
        time.sleep(0.01)
    os.killpg(process.pid, 9)
    process.wait()
    raise AssertionError(f"soulsync {words} did not end")


class Watched:
    """A folder around a soul: everything outside the soul and its home must stay as it is."""

    def __init__(self, folder: Path, *own: Path) -> None:
        self.folder, self.own = folder, own
        self.before = self._look()

    def _look(self) -> dict[str, tuple[int, bytes]]:
        found = {}
        for here, folders, files in os.walk(self.folder):
            folders[:] = [name for name in folders if Path(here, name) not in self.own]
            for name in files:
                path = Path(here, name)
                status = path.lstat()
                plain = stat.S_ISREG(status.st_mode) and status.st_size <= MIB
                found[str(path)] = (status.st_mode, path.read_bytes() if plain else b"")
        return found

    def assert_untouched(self) -> None:
        assert self._look() == self.before
