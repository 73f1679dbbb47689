"""The sync with which a body first meets its soul: it takes no name that another machine has."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync.access.key import fingerprint, public_line
from soulsync.body.naming import next_free
from soulsync.body.registration import facts_at, fingerprints
from soulsync.body.sync import SyncRun
from soulsync.errors import RefusedError
from soulsync.lang import tr
from soulsync.repo import objects
from soulsync.repo.soul import SEEN_REF

if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.body.engine import Engine
    from soulsync.body.home import Home
    from soulsync.body.registration import Facts

RECENT = 7 * 86_400
"""Seconds within which a body that names no key counts as alive: its file may be another program's."""


class NameTakenError(RefusedError):
    """Another machine is this body already. ``free``: a name that nobody has."""

    def __init__(self, body: str, facts: Facts, free: str) -> None:
        super().__init__(
            tr("Another machine is the body {body} already, {seen}.", body=body, seen=_seen(facts)),
            tr(
                "Choose another, such as --body {free}; or say --replace-body: this machine takes its place.", free=free
            ),
        )
        self.body, self.free = body, free


@dataclass(frozen=True, slots=True)
class _Ours:
    body: str
    fingerprint: str | None


class JoinRun(SyncRun):
    """A sync of a body that may not have been in this soul yet. ``replace``: its name is ours, whoever has it."""

    def __init__(self, home: Home, config: Config, *, identity: bytes, replace: bool) -> None:
        super().__init__(home, config, identity=identity)
        print_ = fingerprint(public_line(home.key)) if home.key.exists() else None
        self._ours = _Ours(config.body, print_)
        self._replace = replace

    def integrate(self, engine: Engine, tip: str) -> None:
        """Merge ``tip`` where our name is free, or ours. Raises ``NameTakenError`` (3) before anything is merged."""
        if not self._replace and engine.soul.ref(SEEN_REF) is None:
            _check_name(engine, tip, self._ours)
        super().integrate(engine, tip)


def _check_name(engine: Engine, tip: str, ours: _Ours) -> None:
    tree = objects.tree_of(engine.soul.repo, tip)
    path = f"bodies/{ours.body}.json"
    if objects.lookup(engine.soul.repo, tree, path) is None:
        return
    facts = facts_at(engine.soul, tree, path)
    if facts.fingerprint is None:
        if not _is_alive(facts):
            return
    elif facts.fingerprint in (ours.fingerprint, _registered_here(engine, path)):
        return
    raise NameTakenError(ours.body, facts, next_free(ours.body, fingerprints(engine.soul, tip)))


def _registered_here(engine: Engine, path: str) -> str | None:
    """The key that our own history gives this body: the one before a rotation that the remote has not heard of."""
    head = engine.soul.head
    return facts_at(engine.soul, objects.tree_of(engine.soul.repo, head), path).fingerprint if head else None


def _is_alive(facts: Facts) -> bool:
    """Whether a file without a key is of a body at work; that of a runtime may be this machine's own (§3.5)."""
    return facts.kind != "runtime" and facts.last_seen is not None and time.time() - facts.last_seen < RECENT


def _seen(facts: Facts) -> str:
    if facts.last_seen is None:
        return tr("with another key")
    days = max(0.0, time.time() - facts.last_seen) / 86_400
    if days < 1:
        return tr("with another key, last seen {hours} hours ago", hours=round(days * 24))
    return tr("with another key, last seen {days} days ago", days=round(days))
