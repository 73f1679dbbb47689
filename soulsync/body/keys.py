"""The deploy key over time: what it may do, and another one in its place."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync.access.key import fingerprint, generate, public_line
from soulsync.body.home import Home
from soulsync.body.locks import sync_lock
from soulsync.body.remote import connect, remote_of
from soulsync.body.sync import open_soul
from soulsync.errors import DeniedError, SoulSyncError, UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from soulsync.access.address import Remote
    from soulsync.body.config import Config

POLL_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Powers:
    """What a key may do at the remote; ``detail`` says why not, where it may not."""

    read: bool
    write: bool
    detail: str = ""


class _NextHome(Home):
    """The same folder with the key that is to come."""

    @property
    def key(self) -> Path:
        """The private key that waits to be let in."""
        return self.root / "id_ed25519.new"


def verify(home: Home, config: Config) -> Powers:
    """Ask the server what the key may do, by a listing and a push that sends nothing.

    Raises ``OfflineError`` (5) and ``RefusedError`` (3) where the server can't be asked.
    """
    remote = _remote(config)
    soul = open_soul(home, config)
    try:
        with connect(soul.git, remote, home, config) as connection:
            connection.list()
            head = soul.head
            failed = connection.probe_write(head) if head else None
            if failed is None:
                return Powers(True, True)
            meaning = connection.meaning(failed)
    except DeniedError as e:
        return Powers(False, False, str(e))
    if isinstance(meaning, DeniedError):
        return Powers(True, False, str(meaning))
    # A rejected push (another body was faster) came from a server that takes pushes of this key.
    return Powers(True, True, str(meaning))


@dataclass(frozen=True, slots=True)
class Rotated:
    """The public line of the new key, and the fingerprint of the old one, which can be deleted at the server."""

    public_key: str
    old_fingerprint: str | None


def rotate(home: Home, config: Config, *, wait: float, waiting: Callable[[str], None]) -> Rotated:
    """Make a new key, wait until the server lets it write, and put it in the place of the old one in one rename.

    ``waiting`` gets the new public line, once. The old key works until then; cut off or given up, the same new key is
    used by the next try. Raises ``DeniedError`` (4) when the server does not know the new key in time.
    """
    remote = _remote(config)
    next_home = _NextHome(home.root)
    line = public_line(next_home.key) if next_home.key.exists() else _generate(next_home, config)
    deadline = time.monotonic() + wait
    told = False
    while not verify(next_home, config).write:
        if not told:
            waiting(line)
            told = True
        if time.monotonic() + POLL_SECONDS > deadline:
            raise DeniedError(
                tr("The new key can't write to {remote} yet; the old one stays in use.", remote=remote.where),
                tr("Add it as a deploy key with write access and run this again: {line}", line=line),
            )
        time.sleep(POLL_SECONDS)
    with sync_lock(home):
        old = fingerprint(public_line(home.key)) if home.key.exists() else None
        next_home.key.replace(home.key)
        _public(next_home).replace(_public(home))
    return Rotated(line, old)


def _generate(next_home: Home, config: Config) -> str:
    return generate(next_home.key, f"{config.agent}@{config.body} (soulsync)")


def _public(home: Home) -> Path:
    return home.key.with_name(home.key.name + ".pub")


def trust_host(home: Home, config: Config, wanted: str) -> list[str]:
    """Pin the server's host keys, provided that ``wanted`` is the fingerprint of one of them; those pinned.

    Raises ``RefusedError`` (3) when the server shows others, ``OfflineError`` (5) when it shows none.
    """
    from soulsync.access import hostkeys

    remote = _remote(config)
    if remote.is_local:
        raise UsageError(tr("A local remote has no host key."), tr("Nothing to trust."))
    keys = hostkeys.trust(home.known_hosts, remote, wanted, port_443=config.port_443)
    return [f"{key.kind} {key.fingerprint}" for key in keys]


def _remote(config: Config) -> Remote:
    remote = remote_of(config)
    if remote is None:
        raise SoulSyncError(tr("This soul has no remote yet."), tr("Give it one with `soulsync remote set ADDRESS`."))
    return remote
