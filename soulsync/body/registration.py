"""This body's own registry file: when it was last seen, and with which key (soul-repo-v4 §3.5)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body import fill_in
from soulsync.formats import body as registry
from soulsync.formats.text import Malformed
from soulsync.repo import objects
from soulsync.repo.worktree import FILE, MISSING

if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.body.home import Home
    from soulsync.repo.soul import Soul
    from soulsync.repo.worktree import WorkTree

HOUR = 3600
WITH_A_PUSH = 1 * HOUR
BY_ITSELF = 24 * HOUR
AHEAD = 600
"""In seconds: the age of ``lastSeen`` at which a push that happens anyway renews it, the age at which it is a push of
its own, and how far ahead of our clock it may be."""


class Registration:
    """``bodies/<body>.json`` of this body."""

    def __init__(self, home: Home, config: Config, soul: Soul, worktree: WorkTree) -> None:
        self.home, self.config, self.soul, self.worktree = home, config, soul, worktree
        self.path = f"bodies/{config.body}.json"
        self._fingerprint: str | None = None

    def is_due(self, *, anyway: bool) -> bool:
        """Whether ``lastSeen`` must be renewed; ``anyway``: something else is committed and pushed with it.

        Also when it is unreadable, or from the future: a clock that once ran ahead.
        """
        if self.config.remote is None or self.soul.head is None:
            return False
        try:
            seen = registry.last_seen(registry.parse(self._standing() or b""))
        except Malformed:
            seen = None
        oldest = WITH_A_PUSH if anyway else BY_ITSELF
        return seen is None or not -AHEAD <= time.time() - seen / 1e6 <= oldest

    def renewed(self) -> bytes:
        """The file with a fresh ``lastSeen``."""
        return fill_in.registry(self._standing(), self.config.body, self._key_fingerprint())

    def _standing(self) -> bytes | None:
        """The file as it stands; as it is committed where something else than a file stands there."""
        found = self.worktree.look(self.path, limit=spec.MAX_FILE_BYTES)
        if found.kind in (FILE, MISSING) and found.size <= spec.MAX_FILE_BYTES:
            return found.data
        head = self.soul.head
        return objects.file_at(self.soul.repo, objects.tree_of(self.soul.repo, head), self.path) if head else None

    def _key_fingerprint(self) -> str | None:
        if self._fingerprint is None and self.home.key.exists():
            from soulsync.access.key import fingerprint, public_line

            self._fingerprint = fingerprint(public_line(self.home.key))
        return self._fingerprint
