"""Connecting a machine as a body: key, config, soul, structure, first sync. Every step can be repeated."""

from __future__ import annotations

import re
import socket
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.access.address import Remote, parse_remote
from soulsync.access.key import generate, public_line
from soulsync.access.keyfile import ready
from soulsync.body import config as config_file
from soulsync.body import fill_in, folder
from soulsync.body.config import Config
from soulsync.body.home import Home, base
from soulsync.body.remote import local_allowed
from soulsync.body.sync import SyncRun
from soulsync.errors import DeniedError, UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from soulsync.body.result import SyncResult

POLL_SECONDS = 3.0
"""Pause between two tries while a person pastes the key."""


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


def prepare(wanted: Wanted, home_option: str | None = None) -> Setup:
    """Everything that needs no network: check the wishes, make the folder, the key, the config and the repository.

    Raises ``UsageError`` (2) for names and folders that will not do, ``RefusedError`` (3) for the address.
    """
    remote = parse_remote(wanted.remote, allow_local=local_allowed()) if wanted.remote else None
    agent = _agent_name(wanted, remote)
    home = Home(base(home_option) / agent)
    config = _config(home, wanted, remote, agent)
    folder.check(config.soul, home, remote)
    home.make()
    key = _key(home, agent, config.body)
    config_file.save(home, config)  # before the repository: a run that is cut off here knows the folder as its own
    folder.make_repository(config.soul)
    identity = fill_in.new_identity(agent, wanted.display_name, wanted.language)
    if remote is None and config.remote is not None:
        remote = parse_remote(config.remote, allow_local=local_allowed())
    return Setup(home, config, remote, key, identity)


def finish(setup: Setup, *, wait: float, waiting: Callable[[DeniedError], None]) -> SyncResult:
    """Reach the soul, fill it in, send it; while the server does not know the key, try again for ``wait`` seconds.

    ``waiting`` is called once, with the refusal, before the first pause. Raises the last refusal when time is up.
    """
    deadline = time.monotonic() + wait
    told = False
    while True:
        run = SyncRun(setup.home, setup.config, identity=setup.identity)
        try:
            run.execute()
        except DeniedError as e:
            if not told:
                waiting(e)
                told = True
            if time.monotonic() + POLL_SECONDS > deadline:
                raise
            time.sleep(POLL_SECONDS)
        else:
            return run.result


def clean_name(text: str) -> str:
    """``text`` as a body or agent name: lower case, runs of anything but ``[a-z0-9]`` as one ``-``, at most 40."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40].strip("-")


def _agent_name(wanted: Wanted, remote: Remote | None) -> str:
    name = wanted.agent or (remote.repo_name if remote else "")
    if spec.is_agent_name(name):
        return name
    if not name:
        raise UsageError(tr("The agent has no name yet."), tr("Give one with --agent NAME."))
    raise UsageError(
        tr("{name!r} is no name for an agent: a-z, 0-9 and -, at most 40 characters.", name=name),
        tr("Give one with --agent NAME."),
    )


def _config(home: Home, wanted: Wanted, remote: Remote | None, agent: str) -> Config:
    if home.config_file.is_file():
        return _again(home, wanted, remote)
    body = wanted.body if wanted.body is not None else clean_name(socket.gethostname().split(".")[0]) or "body"
    if not spec.is_body_name(body):
        raise UsageError(
            tr("{body!r} is no name for a body: a-z, 0-9 and -, at most 40 characters.", body=body),
            tr("Choose another --body."),
        )
    soul = wanted.folder.expanduser().absolute() if wanted.folder else home.default_soul
    return Config(agent, body, soul, remote.url if remote else None, wanted.port_443)


def _again(home: Home, wanted: Wanted, remote: Remote | None) -> Config:
    """The config of a body that is connected already, or was cut off; what differs is refused, not overwritten."""
    config = config_file.load(home)
    if wanted.body not in (None, config.body):
        raise UsageError(
            tr("This machine is already the body {body} of {agent}.", body=config.body, agent=config.agent),
            tr("Use that name, or another --home."),
        )
    if wanted.folder is not None and wanted.folder.expanduser().absolute() != config.soul:
        raise UsageError(
            tr("The soul of {agent} already lives in {soul}.", agent=config.agent, soul=config.soul),
            tr("Leave --dir out."),
        )
    if remote is not None and config.remote is None:
        config.remote = remote.url
    elif remote is not None and remote.url != config.remote:
        raise UsageError(
            tr("This body's remote is {remote}.", remote=config.remote),
            tr("Change it with `soulsync remote set {url}`.", url=remote.url),
        )
    config.port_443 = config.port_443 or wanted.port_443
    return config


def _key(home: Home, agent: str, body: str) -> str:
    if not home.key.exists():
        return generate(home.key, f"{agent}@{body} (soulsync)")
    ready(home.key)
    return public_line(home.key)
