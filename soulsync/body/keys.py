"""The deploy key over time: what it may do, and another one in its place."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync.access.key import fingerprint, generate, public_line
from soulsync.body import waiting
from soulsync.body.home import Home
from soulsync.body.locks import sync_lock
from soulsync.body.probe import write_refusal
from soulsync.body.remote import connect, remote_of
from soulsync.body.sync import open_soul
from soulsync.errors import DeniedError, SoulSyncError, UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.access.address import Remote
    from soulsync.body.config import Config


@dataclass(frozen=True, slots=True)
class Powers:
    """What a key may do at the remote; ``refusal`` says why not, where it may not."""

    read: bool
    write: bool
    refusal: DeniedError | None = None

    @property
    def detail(self) -> str:
        """The refusal as one sentence, with its remedy; empty where there is none."""
        return str(self.refusal) if self.refusal is not None else ""


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
            refusal = write_refusal(connection, soul)
    except DeniedError as e:
        return Powers(False, False, e)
    return Powers(True, refusal is None, refusal)


@dataclass(frozen=True, slots=True)
class Rotated:
    """The public line of the new key, and the fingerprint of the old one, which can be deleted at the server."""

    public_key: str
    old_fingerprint: str | None


@dataclass(frozen=True, slots=True)
class Rotation:
    """A key that is to take the place of the body's own: its home, its public line, the remote that shall know it."""

    home: Home
    config: Config
    remote: Remote
    public_key: str


def begin_rotation(home: Home, config: Config) -> Rotation:
    """Make the new key, or take the one that an earlier try made. Raises ``SoulSyncError`` for a local soul."""
    remote = _remote(config)
    next_home = _NextHome(home.root)
    line = public_line(next_home.key) if next_home.key.exists() else _generate(next_home, config)
    return Rotation(home, config, remote, line)


def finish_rotation(rotation: Rotation, *, wait: float, waiter: waiting.Waiter) -> Rotated:
    """Wait until the server lets the new key write, and put it in the place of the old one in one rename.

    The old key works until then; cut off or given up, the same new key is used by the next try. Raises the server's
    refusal (4) when it does not know the new key in time.
    """
    home, next_home = rotation.home, _NextHome(rotation.home.root)

    def attempt() -> None:
        refusal = verify(next_home, rotation.config).refusal
        if refusal is not None:
            raise refusal

    try:
        waiting.until(attempt, wait, waiter)
    except DeniedError as e:
        raise DeniedError(
            tr("The new key can't be used yet, the old one stays: {why}", why=e.problem),
            tr("Add it with write access, then run `soulsync key rotate` again; it keeps this new key."),
        ) from e
    with sync_lock(home):
        old = None
        with contextlib.suppress(DeniedError):  # missing or damaged: that may be why it is replaced
            old = fingerprint(public_line(home.key))
        next_home.key.replace(home.key)
        _public(next_home).replace(_public(home))
    return Rotated(rotation.public_key, old)


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
