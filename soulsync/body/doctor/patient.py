"""The body that the doctor looks at: its files, its soul and its remote, each opened once, when first asked for."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING

from soulsync.body import config as config_file
from soulsync.body.remote import remote_of
from soulsync.body.sync import open_soul
from soulsync.repo import status

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.access.address import Remote
    from soulsync.body.config import Config
    from soulsync.body.doctor.server import Asked
    from soulsync.body.home import Home
    from soulsync.repo.soul import Soul
    from soulsync.repo.status import Status


class Patient:
    """One body on one machine; ``now`` is the time of the visit in seconds since the epoch.

    ``alone``: the doctor itself holds the sync lock, so no sync is at work.
    """

    def __init__(self, home: Home, *, alone: bool) -> None:
        self.home, self.alone = home, alone
        self.now = time.time()

    @cached_property
    def config(self) -> Config:
        """The config. Raises ``SoulSyncError`` where it can't be used."""
        return config_file.load(self.home)

    @cached_property
    def soul(self) -> Soul:
        """The soul with the engine's git directory."""
        return open_soul(self.home, self.config)

    @property
    def git_dir(self) -> Path:
        """The soul's own ``.git``."""
        return self.config.soul / ".git"

    @cached_property
    def remote(self) -> Remote | None:
        """The address of the soul, None for a local one. Raises ``RefusedError`` for one that may not be."""
        return remote_of(self.config)

    @cached_property
    def work(self) -> Status:
        """What differs between the work tree and the last commit."""
        return status.read(self.soul)

    @cached_property
    def listing(self) -> bytes:
        """Everything that the last commit holds, as ``git ls-tree -r -l -z`` prints it."""
        return self.soul.git.out("ls-tree", "-r", "-l", "-z", "--full-tree", self.soul.head or "HEAD")

    @cached_property
    def asked(self) -> Asked:
        """What the server said, on one connection."""
        from soulsync.body.doctor.server import ask

        return ask(self)

    def forget(self) -> None:
        """Look at everything anew: something was repaired."""
        for name in ("config", "soul", "remote", "work", "listing", "asked"):
            self.__dict__.pop(name, None)
