"""Which installation a repository gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from soulsync import spec
from soulsync.errors import UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from soulsync.body.config import Config
    from soulsync.body.home import Home
    from soulsync.repo.install_stores import Stores


class Done(NamedTuple):
    """What an installation ``found`` to install for, and what it ``changed``, one line each."""

    found: list[str]
    changed: list[str]


def checked(repo: Path) -> Path:
    """``repo``, which is the top of a repository. Raises ``UsageError`` (2) where it is not."""
    if not (repo / ".git").exists():
        raise UsageError(
            tr("{root} is not the top of a git repository.", root=repo.absolute()),
            tr("Name the folder that holds .git."),
        )
    return repo


def in_own_soul(home: Home, config: Config) -> Done:
    """Drivers, hooks, identity, deploy key and remote for the soul of this body."""
    from soulsync.body import outfit

    return Done([], outfit.put_on(home, config))


def in_repository(repo: Path) -> Done:
    """Drivers and hooks for another clone of a soul; for the memory stores of any other repository their drivers.

    Raises ``UsageError`` (2) for a repository that holds neither.
    """
    from soulsync.formats import agent
    from soulsync.repo import install

    identity = repo / spec.AGENT_JSON
    if not identity.is_file():
        return _for_stores(repo)
    return Done([], install.install(repo, body=None, agent_id=agent.agent_id(identity.read_bytes())))


def _for_stores(repo: Path) -> Done:
    from soulsync.repo import install, install_stores

    stores = install_stores.find(repo)
    if not stores.lines:
        raise UsageError(
            tr("{repo} holds no soul (no {agent_json}) and no memory store.", repo=repo, agent_json=spec.AGENT_JSON),
            tr("Give the top folder of a clone."),
        )
    done = install.install(repo, body=None, attributes=stores.lines, hooks=("post-merge",), stores_only=True)
    return Done(list(_assigned(stores)), done)


def _assigned(stores: Stores) -> Iterator[str]:
    """What each store that was found is merged by, one line each."""
    for root in stores.oxsoul:
        yield tr("OxSoul store in {folder}: soul-oxsoul, soul-oxsoul-index", folder=f"{root or '.'}/")
    for root in stores.cortex:
        yield tr("cortex store in {folder}: soul-cortex", folder=f"{root or '.'}/")
