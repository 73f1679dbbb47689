"""This body's own registry file: when it was last seen, and with which key (soul-repo-v4 §3.5)."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body import fill_in
from soulsync.body.shared_keys import shared_keys as shared_keys
from soulsync.errors import DeniedError
from soulsync.formats import body as registry
from soulsync.formats.text import Malformed
from soulsync.lang import tr
from soulsync.repo import objects
from soulsync.repo.paths import decode, shown
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


def fingerprints(soul: Soul, commit: str | None = None) -> dict[str, str | None]:
    """The key fingerprint that each registered body gives, by its name; None where the file gives none.

    As it stands in ``commit``, else in our ``main``; reads ``bodies/`` alone, no history.
    """
    return {name: facts.fingerprint for name, facts in registered(soul, commit).items()}


def registered(soul: Soul, commit: str | None = None) -> dict[str, Facts]:
    """What the registry of ``commit``, else of our ``main``, tells of each body, by its name."""
    commit = commit or soul.head
    if commit is None:
        return {}
    tree = objects.tree_of(soul.repo, commit)
    return {name_in(path): facts_at(soul, tree, path) for path in files_in(soul, tree)}


def files_in(soul: Soul, tree: str) -> list[str]:
    """The registry files of ``tree``."""
    folder = objects.lookup(soul.repo, tree, "bodies")
    names = objects.read_tree(soul.repo, folder.id if folder and folder.mode == objects.TREE else None)
    return [path for path in (f"bodies/{decode(name)}" for name in names) if spec.is_registry(path)]


def sharing(soul: Soul) -> list[str]:
    """What a person should know of bodies that share a key, as sentences; none where every body has its own."""
    return [
        tr("{bodies} use one and the same key: run `soulsync key rotate` on all but one.", bodies=" + ".join(names))
        for names in shared_keys(fingerprints(soul))
    ]


@dataclass(frozen=True, slots=True)
class Facts:
    """What a registry file tells of its body; ``last_seen`` in seconds since the epoch. None: it does not say."""

    kind: str | None = None
    fingerprint: str | None = None
    last_seen: float | None = None


def facts_at(soul: Soul, tree: str, path: str) -> Facts:
    """The facts in the registry file ``path`` of ``tree``; none in one that is missing or can't be read."""
    entry = objects.lookup(soul.repo, tree, path)
    if entry is None or not entry.is_file or objects.blob_size(soul.repo, entry.id) > spec.MAX_FILE_BYTES:
        return Facts()
    try:
        values = registry.parse(objects.read_blob(soul.repo, entry.id))
    except Malformed:
        return Facts()
    seen = registry.last_seen(values)
    kind, print_ = values.get("kind"), values.get("keyFingerprint")
    return Facts(
        kind if isinstance(kind, str) else None,
        print_ if isinstance(print_, str) else None,
        seen / 1e6 if seen is not None else None,
    )


def name_in(path: str) -> str:
    """The body that the registry file ``bodies/<body>.json`` is of, as people read it."""
    return shown(path.removeprefix("bodies/").removesuffix(".json"))


class Registration:
    """``bodies/<body>.json`` of this body."""

    def __init__(self, home: Home, config: Config, soul: Soul, worktree: WorkTree) -> None:
        self.home, self.config, self.soul, self.worktree = home, config, soul, worktree
        self.path = f"bodies/{config.body}.json"
        self._fingerprint: str | None = None

    def is_due(self, *, anyway: bool) -> bool:
        """Whether ``lastSeen`` must be renewed; ``anyway``: something else is committed and pushed with it.

        Also when it is unreadable, or from the future: a clock that once ran ahead. Another key, after a rotation, is
        told by itself after an hour too; not at once, or two bodies of one name would answer each other for ever.
        """
        if self.config.remote is None or self.soul.head is None:
            return False
        values: dict[str, object] = {}
        with contextlib.suppress(Malformed):
            values = registry.parse(self._standing() or b"")
        seen = registry.last_seen(values)
        mine = self._key_fingerprint()
        other_key = mine is not None and values.get("keyFingerprint") != mine
        oldest = WITH_A_PUSH if anyway or other_key else BY_ITSELF
        return seen is None or not -AHEAD <= time.time() - seen / 1e6 <= oldest

    def is_ours(self, tree: str | None) -> bool:
        """Whether ``tree`` registers this body, with the key that it has."""
        if objects.lookup(self.soul.repo, tree, self.path) is None or tree is None:
            return False
        return self._key_fingerprint() in (None, facts_at(self.soul, tree, self.path).fingerprint)

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

            with contextlib.suppress(DeniedError):  # a damaged key is told of by what uses it
                self._fingerprint = fingerprint(public_line(self.home.key))
        return self._fingerprint
