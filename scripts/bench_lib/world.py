"""A throw-away world: OpenSSH's own server on loopback, bodies of soulsync, clones of plain git with the same key."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from trial.machine import Machine, Ours, Plain

from bench_lib.clock import FailedError, Sample, timed

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from tests.servers import OpenSSHServer  # noqa: E402 - the folder is no package of ours, so its parent is named first

AGENT = "kaoru"
MEMORY = "memories/MEMORY.md"


class World:
    """Everything below one folder, with one server for all repositories. A context manager."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = OpenSSHServer(folder / "server")
        self._souls: dict[str, Soul] = {}

    def soul(self, name: str = "small") -> Soul:
        """The soul of this name, begun when it is first asked for."""
        if name not in self._souls:
            self._souls[name] = Soul(self, name)
        return self._souls[name]

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Soul:
    """One repository on the server, the body ``ours`` that syncs with it, and a second repository that is its copy.

    ``plain`` is a clone of the copy, used by plain git with the key of the body: so neither waits for the other's
    commits.
    """

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.remote = world.server.create(name)
        self.url = world.server.url(name)
        self.ours = self.body("laptop")
        self.ours.write(MEMORY, "".join(f"fact {number}\n§\n" for number in range(40)) + "last\n")
        self.ours.write("notes/trip.md", "# trip\n\nKyoto in April\n")
        self.sync()
        self.sync()  # the second one has nothing left to do but to settle
        self.copy = world.server.root / f"{name}-copy.git"
        self._plain: Plain | None = None
        self._counter = itertools.count()

    def body(self, body: str) -> Ours:
        """Connect one more body; its key may do everything on this server, like a person's own."""
        machine = self.known_body(body)
        machine.connect(self.url)
        return machine

    def known_body(self, body: str) -> Ours:
        """A body whose key the server knows, and which is not connected yet."""
        machine = Ours(body, self.world.folder / f"{self.name}-{body}", body=body, local=False)
        self.world.server.authorize_freely(machine.make_key(self.url))
        return machine

    @property
    def plain(self) -> Plain:
        """The clone of plain git."""
        if self._plain is None:
            shutil.copytree(self.remote, self.copy)
            home = self.world.folder / f"{self.name}-plain"
            home.mkdir()
            self._plain = Plain("plain", home, key=self.ours.folder / "id_ed25519")
            self._plain.connect(self.world.server.url(self.copy.name))
        return self._plain

    def sync(self) -> Sample:
        """One ``soulsync sync`` of the body."""
        return run(self.ours, self.ours.PROGRAM, "sync", "--quiet")

    def fresh(self) -> int:
        """A number that was not used before."""
        return next(self._counter)

    def elsewhere(self, repository: Path, changes: Mapping[str, str]) -> None:
        """Let another clone change files and send them, straight into the repository on the disk."""
        clone = self.world.folder / f"{repository.name}-elsewhere"
        if not clone.exists():
            git(self.world.folder, "clone", "-q", str(repository), str(clone))
        git(clone, "pull", "-q")
        commit(clone, changes)
        git(clone, "push", "-q")


def run(machine: Machine, *argv: str) -> Sample:
    """Time a program on a machine."""
    return timed(argv, cwd=machine.tree if machine.tree.exists() else machine.home, env=machine.env)


def commit(clone: Path, changes: Mapping[str, str]) -> None:
    """Write files of a clone and commit them with plain git."""
    for path, text in changes.items():
        file = clone / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    git(clone, "add", "-A")
    git(clone, "-c", "user.name=bench", "-c", "user.email=bench@example.org", "commit", "-qm", "change")


def git(folder: Path, *argv: str, stdin: bytes | None = None) -> str:
    """Run plain git, which must succeed, without the settings of whoever runs the bench; what it prints."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    done = subprocess.run(["git", *argv], cwd=folder, env=env, input=stdin, capture_output=True, check=False)
    if done.returncode:
        raise FailedError(f"git {' '.join(argv)}: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout.decode("utf-8", "replace").strip()
