"""Reaching the soul's server for the first time: who it is, and what the key may do there. Nothing is sent."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Protocol

from soulsync.access.hostkeys import host_name
from soulsync.access.meeting import meet
from soulsync.access.ssh import known_detour
from soulsync.body import config as config_file
from soulsync.body.remote import connect
from soulsync.body.sync import open_soul
from soulsync.errors import DeniedError, OfflineError, RefusedError, SoulSyncError
from soulsync.repo import objects

if TYPE_CHECKING:
    from soulsync.access.address import Remote
    from soulsync.access.hostkeys import HostKey
    from soulsync.body.config import Config
    from soulsync.body.home import Home
    from soulsync.body.remote import Connection
    from soulsync.repo.soul import Soul

SCAN_SECONDS = 5
"""How long a new host is asked for its host keys; one that says nothing is told of by the connection that follows."""


class Witness(Protocol):
    """Who is told what happens on the way to the server."""

    def met(self, where: str, keys: list[HostKey]) -> None:
        """Hear that the server was met for the first time, and that these keys are pinned now."""
        ...

    def detoured(self, host: str, port: int) -> None:
        """Hear that the usual port is blocked here, and that ``host`` and ``port`` are used instead from now on."""
        ...


def reach(home: Home, config: Config, remote: Remote, witness: Witness) -> None:
    """See that the key may read and write; by way of port 443 where the usual port is blocked and the host has one.

    Raises ``DeniedError`` (4) where it may not, ``RefusedError`` (3) for a changed host key, ``OfflineError`` (5).
    """
    try:
        _meet_and_check(home, config, remote, witness)
    except OfflineError:
        if not _reached_by_detour(home, config, remote, witness):
            raise


def write_refusal(connection: Connection, soul: Soul) -> DeniedError | None:
    """Why the key may not write; None where the server would take a push. Asked by a dry run.

    A push that is rejected because another body was faster came from a server that takes pushes of this key.
    """
    failed = connection.probe_write(soul.head or _nothing(soul))
    meaning = connection.meaning(failed) if failed is not None else None
    if isinstance(meaning, OfflineError | RefusedError):
        raise meaning
    return meaning if isinstance(meaning, DeniedError) else None


def _reached_by_detour(home: Home, config: Config, remote: Remote, witness: Witness) -> bool:
    around = known_detour(remote)
    if around is None or config.port_443:
        return False
    config.port_443 = True
    refusal: SoulSyncError | None = None
    try:
        _meet_and_check(home, config, remote, witness)
    except OfflineError:
        config.port_443 = False
        return False
    except (DeniedError, RefusedError) as e:
        refusal = e  # from a server that was reached
    config_file.save(home, config)
    witness.detoured(*around)
    if refusal is not None:
        raise refusal
    return True


def _meet_and_check(home: Home, config: Config, remote: Remote, witness: Witness) -> None:
    _meet(home, config, remote, witness)
    soul = open_soul(home, config)
    with connect(soul.git, remote, home, config) as connection:
        connection.list()
        refusal = write_refusal(connection, soul)
    if refusal is not None:
        raise refusal


def _meet(home: Home, config: Config, remote: Remote, witness: Witness) -> None:
    """Pin every key that a new host shows, so that it may come to prefer another type later."""
    seconds = min(SCAN_SECONDS, config.connect_timeout)
    with contextlib.suppress(SoulSyncError):  # silent, unreachable, or no ssh-keyscan here: ssh itself will tell
        keys = meet(home.known_hosts, remote, seconds, port_443=config.port_443)
        if keys:
            witness.met(host_name(remote, port_443=config.port_443), keys)


def _nothing(soul: Soul) -> str:
    """A commit for the dry run of a soul that has none yet: always the same, and never sent."""
    import pygit2

    nobody = pygit2.Signature("soulsync", "soulsync@localhost", 0, 0)
    tree = objects.write_tree(soul.repo, {})
    return str(soul.repo.create_commit(None, nobody, nobody, "probe\n", tree, []))
