"""A throw-away world: some machines, one remote, a memory that all of them hold."""

from __future__ import annotations

import shutil
import subprocess
import time
from typing import TYPE_CHECKING

from soulsync.access.server import SoulServer
from trial.machine import Machine, Ours, Plain, Synced, git

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MEMORY = "memories/MEMORY.md"
NOTE = "notes/trip.md"
FIRST, SECOND = "first fact", "second fact"
REPOSITORY = "kaoru.soul"


class World:
    """Machines ``a``, ``b``, … of one kind around one bare repository, by SSH or (faster) by its path.

    ``start`` is the memory that all hold when the trial begins. ``bodies`` are the names of the machines.
    """

    def __init__(
        self,
        folder: Path,
        *,
        ours: bool,
        ssh: bool = False,
        bodies: Sequence[str] = ("a", "b"),
        start: Sequence[str] = (FIRST, SECOND),
        rebase: bool = False,
    ) -> None:
        self.folder, self.ours, self.ssh = folder, ours, ssh
        folder.mkdir(parents=True)
        self.server = SoulServer(folder / "server")
        self.remote = self.server.create(REPOSITORY)
        self.server.start()
        self.url = self.server.url(REPOSITORY) if ssh else str(self.remote)
        self.port = self.server.port
        homes = [folder / f"home-{i}" for i in range(len(bodies))]
        self.machines: list[Machine] = [
            self._ours(home, body) if ours else self._plain(home, body, rebase)
            for home, body in zip(homes, bodies, strict=True)
        ]
        self._begin(start)

    @property
    def a(self) -> Machine:
        """The first machine."""
        return self.machines[0]

    @property
    def b(self) -> Machine:
        """The second machine."""
        return self.machines[1]

    def round(self, *order: Machine) -> list[Synced]:
        """Sync the machines one after the other."""
        return [machine.sync() for machine in order]

    def tip(self) -> str:
        """The remote's commit."""
        return git(self.remote, "rev-parse", "main")

    def later(self) -> None:
        """Wait until a commit made now is newer than every one there is: git counts whole seconds."""
        times = [int(machine.git("log", "-1", "--format=%ct")) for machine in self.machines]
        time.sleep(max(0.0, max(times) + 1.01 - time.time()))

    def cut_off(self) -> None:
        """Make the remote unreachable."""
        self.server.stop()

    def come_back(self) -> None:
        """Make the remote reachable again, at the old address."""
        self.server = SoulServer(self.folder / "server", port=self.port)
        self.server.start()

    def close(self) -> None:
        """End the server and remove everything."""
        self.server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _ours(self, home: Path, body: str) -> Ours:
        machine = Ours(body, home, body=body, local=not self.ssh)
        if self.ssh:
            self.server.authorize(REPOSITORY, machine.make_key(self.url))
        return machine

    def _plain(self, home: Path, name: str, rebase: bool) -> Plain:
        key = None
        if self.ssh:
            home.mkdir(parents=True)
            key = home / "key"
            argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(key)]
            subprocess.run(argv, check=True, stdin=subprocess.DEVNULL, timeout=60)
            self.server.authorize(REPOSITORY, key.with_suffix(".pub").read_text("utf-8").strip())
        return Plain(name, home, rebase=rebase, key=key)

    def _begin(self, start: Sequence[str]) -> None:
        """The same soul for both kinds: connected, filled in, with the first entries and a note."""
        first, *others = self.machines
        first.connect(self.url)
        if not self.ours:
            first.git("checkout", "-q", "-B", "main")
            for path, text in STRUCTURE.items():
                first.write(path, text)
        first.write(MEMORY, entries(*start))
        first.write(NOTE, "# trip\n\nKyoto in April\n")
        if self.ours:
            _must(first.sync())
        else:
            first.git("add", "-A")
            first.git("commit", "-qm", "begin")
            first.git("push", "-q", "-u", "origin", "main")
        for machine in others:
            machine.connect(self.url)
        for machine in self.machines:
            _must(machine.sync())


STRUCTURE = {
    "agent.json": (
        '{\n  "id": "6f1f1f0e-3c1a-4b52-9d0e-0c5a2f6f7a11",\n  "name": "kaoru",\n  "displayName": "Kaoru",\n'
        '  "pronouns": "",\n  "description": "",\n  "color": "#7C6CF2",\n  "language": "en",\n'
        '  "createdAt": "2026-01-01T00:00:00.000Z"\n}\n'
    ),
    "SOUL.md": "# Kaoru\n",
    ".gitattributes": "* text=auto eol=lf\n*.md text diff=markdown\n*.json text\n",
    "memories/USER.md": "",
}
"""What plain git starts with; soulsync fills in its own."""


def entries(*texts: str) -> str:
    """A memories file with these entries."""
    return "\n§\n".join(texts) + "\n"


def split(text: str) -> list[str]:
    """The entries of a memories file: what stands between lines that are ``§``."""
    found: list[list[str]] = [[]]
    for row in text.splitlines():
        if row.strip() == "§":
            found.append([])
        else:
            found[-1].append(row)
    return [entry for entry in ("\n".join(rows).strip() for rows in found) if entry]


def _must(synced: Synced) -> None:
    if synced.code:
        raise RuntimeError(f"the trial can't begin: a sync ended with {synced.code}: {synced.said}")
