"""Connecting a machine as a body: key, config, soul, structure, first sync. Every step can be repeated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from soulsync.access.address import Remote, parse_remote
from soulsync.access.key import generate, with_comment
from soulsync.access.keyfile import ready
from soulsync.body import config as config_file
from soulsync.body import fill_in, folder, naming, probe, waiting
from soulsync.body.config import Config
from soulsync.body.home import Home, agents, base, find
from soulsync.body.joining import JoinRun
from soulsync.body.registration import sharing
from soulsync.body.remote import local_allowed
from soulsync.body.state import Known
from soulsync.body.sync import open_soul
from soulsync.errors import UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from soulsync.body.result import SyncResult


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the person asks of ``init``; None means "choose for me"."""

    remote: str | None = None
    body: str | None = None
    agent: str | None = None
    display_name: str | None = None
    language: str | None = None
    folder: Path | None = None
    port_443: bool = False


@dataclass(frozen=True, slots=True)
class Setup:
    """A body that has its folder, key and config; its soul may not have been reached yet."""

    home: Home
    config: Config
    remote: Remote | None
    public_key: str
    identity: bytes


class Witness(probe.Witness, waiting.Waiter, Protocol):
    """Who is told what happens on the way to the soul."""


def prepare(wanted: Wanted, home_option: str | None = None, ask: Callable[[str], str] | None = None) -> Setup:
    """Everything that needs no network: check the wishes, make the folder, the key, the config and the repository.

    ``ask`` gets a proposal for the body's name, where none is wanted and none is known, and gives the name.
    Raises ``UsageError`` (2) for names and folders that will not do, ``RefusedError`` (3) for the address.
    """
    remote = parse_remote(wanted.remote, allow_local=local_allowed()) if wanted.remote else None
    agent = _agent(wanted, home_option, remote)
    home = Home(base(home_option) / agent)
    config = _config(home, wanted, remote, agent, ask)
    folder.check(config.soul, home, remote)
    home.make()
    key = _key(home, config)
    config_file.save(home, config)  # before the repository: a run that is cut off here knows the folder as its own
    folder.make_repository(config.soul)
    identity = fill_in.new_identity(agent, wanted.display_name, wanted.language)
    if remote is None and config.remote is not None:
        remote = parse_remote(config.remote, allow_local=local_allowed())
    return Setup(home, config, remote, key, identity)


def renamed(setup: Setup, body: str) -> Setup:
    """The same setup under another name; only for a body that never met its soul. Raises ``UsageError`` (2)."""
    config = setup.config.changed(body=naming.check_body(body))
    config_file.save(setup.home, config)
    return replace(setup, config=config, public_key=_key(setup.home, config))


def finish(setup: Setup, *, wait: float, witness: Witness, replace_body: bool = False) -> SyncResult:
    """Reach the soul, fill it in, send it; while the server does not know the key, try again for ``wait`` seconds.

    Raises the last refusal (4) when time is up, ``NameTakenError`` (3) where another machine has this body's name and
    ``replace_body`` does not say that this one takes its place.
    """

    def attempt() -> SyncResult:
        if setup.remote is not None and not setup.remote.is_local:
            probe.reach(setup.home, setup.config, setup.remote, witness)
        run = JoinRun(setup.home, setup.config, identity=setup.identity, replace=replace_body)
        run.execute()
        # Once more, after the sync: now this body is registered too, perhaps with a key that was copied here.
        shared = sharing(open_soul(setup.home, setup.config))
        run.result.warnings += [text for text in shared if text not in run.result.warnings]
        return run.result

    return waiting.until(attempt, wait, witness)


def _agent(wanted: Wanted, home_option: str | None, remote: Remote | None) -> str:
    """The agent's name; with neither name nor address it is the one that lives here, and ``init`` goes on with it."""
    if wanted.agent is None and remote is None and agents(base(home_option)):
        return find(home_option).agent
    return naming.agent_name(wanted.agent, remote)


def _config(home: Home, wanted: Wanted, remote: Remote | None, agent: str, ask: Callable[[str], str] | None) -> Config:
    if home.config_file.is_file():
        return _again(home, wanted, remote)
    body = naming.body_name(wanted.body, ask)
    soul = wanted.folder.expanduser().absolute() if wanted.folder else home.default_soul
    return Config(agent, body, soul, remote.url if remote else None, wanted.port_443)


def _again(home: Home, wanted: Wanted, remote: Remote | None) -> Config:
    """The config of a body that is connected already, or was cut off; what differs is refused, not overwritten."""
    config = config_file.load(home)
    met = Known.load(home).agent_id is not None  # before that no soul knows its name, and its address may be a slip
    if wanted.body not in (None, config.body) and not met:
        config.body = naming.check_body(wanted.body or "")
    elif wanted.body not in (None, config.body):
        raise UsageError(
            tr("This machine is already the body {body} of {agent}.", body=config.body, agent=config.agent),
            tr("Use that name, or another --home."),
        )
    if wanted.folder is not None and wanted.folder.expanduser().absolute() != config.soul:
        raise UsageError(
            tr("The soul of {agent} already lives in {soul}.", agent=config.agent, soul=config.soul),
            tr("Leave --dir out."),
        )
    if remote is not None and config.remote != remote.url and not met:
        config.remote, config.port_443 = remote.url, False  # the way around a blocked port is the old host's own
    elif remote is not None and remote.url != config.remote:
        raise UsageError(
            tr("This body's remote is {remote}.", remote=config.remote),
            tr("Change it with `soulsync remote set {url}`.", url=remote.url),
        )
    config.port_443 = config.port_443 or wanted.port_443
    return config


def _key(home: Home, config: Config) -> str:
    """The public line of the body's key, which is made where there is none; its comment names agent and body."""
    comment = f"{config.agent}@{config.body} (soulsync)"
    if not home.key.exists():
        return generate(home.key, comment)
    ready(home.key)
    return with_comment(home.key, comment)
