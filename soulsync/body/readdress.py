"""Giving a soul another remote, and adopting a history that was rewritten there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.access.address import parse_remote
from soulsync.access.key import public_line
from soulsync.body import config as config_file
from soulsync.body import guards
from soulsync.body.connect import Setup, finish
from soulsync.body.joining import NameTakenError
from soulsync.body.remote import local_allowed
from soulsync.body.sync import SyncRun, open_soul
from soulsync.body.targets import Target, refuse_losses
from soulsync.errors import RefusedError, SoulSyncError
from soulsync.lang import tr
from soulsync.repo import commit, merge, objects
from soulsync.repo.audit import Trees
from soulsync.repo.soul import SEEN_REF, TRACKING_REF

if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.body.connect import Witness
    from soulsync.body.engine import Engine
    from soulsync.body.home import Home
    from soulsync.body.remote import Connection, Heads
    from soulsync.body.result import SyncResult


def towards(home: Home, config: Config, address: str, identity: bytes) -> Setup:
    """This body as it is to live at ``address``; nothing is changed yet. Raises ``RefusedError`` (3)."""
    remote = parse_remote(address, allow_local=local_allowed())
    old = parse_remote(config.remote, allow_local=True) if config.remote else remote
    port_443 = config.port_443 and old.host == remote.host  # the way around a blocked port is the old host's own
    return Setup(home, config.changed(remote=remote.url, port_443=port_443), remote, public_line(home.key), identity)


def set_remote(
    before: Config, setup: Setup, *, witness: Witness, wait: float = 0.0, replace_body: bool = False
) -> SyncResult:
    """Make the remote of ``setup`` the soul's, checked like in ``init``, and sync with it.

    What fails leaves a remote that was there before in place. A soul that had none keeps the new address when the
    server does not know the key yet, or can't be reached. Raises ``NameTakenError`` (3) where another machine has this
    body's name, unless ``replace_body``.
    """
    home, config = setup.home, setup.config
    soul = open_soul(home, config)
    seen = soul.ref(SEEN_REF)
    config_file.save(home, config)
    if config.remote != before.remote:
        soul.drop_ref(SEEN_REF)
        soul.drop_ref(TRACKING_REF)
    try:
        return finish(setup, wait=wait, witness=witness, replace_body=replace_body)
    except BaseException as e:
        if before.remote is not None or isinstance(e, RefusedError):
            config_file.save(home, before)
            if seen is not None:
                soul.set_ref(SEEN_REF, seen)
                soul.set_ref(TRACKING_REF, seen)
        if isinstance(e, NameTakenError):
            e.remedy = tr(
                "Rename this one: soulsync init --agent {agent} --body {free}. Or say --replace-body.",
                agent=config.agent,
                free=e.free,
            )
        raise


def accept(home: Home, config: Config, revision: str) -> SyncResult:
    """Adopt the remote's rewritten tip ``revision`` and replay on it what only this body has.

    The old tip stays under the rescue refs. Raises ``SoulSyncError`` when the remote's tip is another commit.
    """
    run = _AcceptRun(home, config, revision)
    run.execute()
    return run.result


class _AcceptRun(SyncRun):
    """A sync that takes the remote's tip as it is, instead of refusing it."""

    def __init__(self, home: Home, config: Config, revision: str) -> None:
        super().__init__(home, config)
        self.revision = revision
        self._accepted = False

    def bring_in(self, engine: Engine, connection: Connection, heads: Heads) -> None:
        """Adopt the tip once; after that, sync as always."""
        if self._accepted:
            super().bring_in(engine, connection, heads)
            return
        if heads.main is None or len(self.revision) < 7 or not heads.main.startswith(self.revision.lower()):
            there = heads.main[:12] if heads.main else "empty"
            raise SoulSyncError(
                tr("The remote is at {there}, not at {revision}.", there=there, revision=self.revision),
                tr("Look again with `soulsync sync`, then accept that."),
            )
        tip = connection.fetch()
        guards.check_content(engine.soul, tip, None)
        ours = guards.remote_id(engine.soul, engine.soul.head) if engine.soul.head else None
        guards.check_identity(engine.soul, tip, ours, yields=False)
        engine.move_to(lambda head: _replayed(engine, head, tip), "accept a rewritten remote")
        self.adopt_roots(engine, tip)
        self._accepted = True


def _replayed(engine: Engine, head: str | None, tip: str) -> Target:
    """The remote's tip with what only this body has merged in, as one commit whose only parent is that tip."""
    soul = engine.soul
    if head is None:
        return Target(tip)
    seen = soul.ref(SEEN_REF)
    base = objects.tree_of(soul.repo, seen) if seen else None
    ours, theirs = merge.sides(soul, head, tip)
    result = merge.merge_trees(soul, base, ours, theirs)
    refuse_losses(soul, Trees(base, ours.tree, theirs.tree, result.tree), result)
    if result.tree == theirs.tree:
        return Target(tip, result.outcomes, result.warnings)
    new = commit.create(soul, engine.author(result.tree), "在被改写的历史上重放本机内容", result.tree, [tip])
    return Target(new, result.outcomes, result.warnings, merged=True)
