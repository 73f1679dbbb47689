"""Which installation a repository gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.errors import UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.body.config import Config
    from soulsync.body.home import Home


def in_own_soul(home: Home, config: Config) -> list[str]:
    """Drivers, hooks, identity, deploy key and remote for the soul of this body."""
    from soulsync.body import outfit

    return outfit.put_on(home, config)


def in_repository(repo: Path) -> list[str]:
    """Drivers and hooks for another clone of a soul. Raises ``UsageError`` (2) for a repository that holds none."""
    from soulsync.formats import agent
    from soulsync.repo import install

    identity = repo / spec.AGENT_JSON
    if not identity.is_file():
        raise UsageError(
            tr("{repo} holds no soul (no {agent_json}).", repo=repo, agent_json=spec.AGENT_JSON),
            tr("Give the top folder of a clone."),
        )
    return install.install(repo, body=None, agent_id=agent.agent_id(identity.read_bytes()))
