"""A body's name is one machine's: the check of the registry when a machine first meets a soul."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from soulsync.access.key import fingerprint, public_line
from soulsync.body.naming import next_free
from soulsync.body.registration import facts_at, fingerprints
from soulsync.errors import DeniedError, RefusedError
from soulsync.lang import tr
from soulsync.repo import objects

if TYPE_CHECKING:
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
                "Run `soulsync init` with another name, such as --body {free}; "
                "or with --replace-body: this machine takes its place.",
                free=free,
            ),
        )
        self.body, self.free = body, free


def check(engine: Engine, tip: str, home: Home) -> None:
    """Raise ``NameTakenError`` (3) where the registry of ``tip`` gives our name to another machine."""
    tree = objects.tree_of(engine.soul.repo, tip)
    body = engine.config.body
    path = f"bodies/{body}.json"
    if objects.lookup(engine.soul.repo, tree, path) is None:
        return
    facts = facts_at(engine.soul, tree, path)
    if facts.fingerprint is None:
        if not _is_alive(facts):
            return
    elif facts.fingerprint in (_own_fingerprint(home), _registered_here(engine, path)):
        return
    raise NameTakenError(body, facts, next_free(body, fingerprints(engine.soul, tip)))


def _own_fingerprint(home: Home) -> str | None:
    try:
        return fingerprint(public_line(home.key)) if home.key.exists() else None
    except DeniedError:  # a damaged key is told of by what uses it
        return None


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
    seconds = max(0.0, time.time() - facts.last_seen)
    if seconds < 3600:
        return tr("with another key, last seen within the hour")
    if seconds < 86_400:
        return tr("with another key, last seen {hours} hours ago", hours=round(seconds / 3600))
    return tr("with another key, last seen {days} days ago", days=round(seconds / 86_400))
