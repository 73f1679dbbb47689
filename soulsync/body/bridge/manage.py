"""Building and removing bridges (contract §1, ``bridge add`` and ``bridge remove``)."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from soulsync.body.bridge import record
from soulsync.body.bridge.baseline import Baseline
from soulsync.body.bridge.record import Bridge
from soulsync.body.bridge.registry import MADE, MODULES, framework
from soulsync.body.locks import worktree_lock
from soulsync.errors import UsageError
from soulsync.lang import tr
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.body.config import Config
    from soulsync.body.home import Home


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person asks for: the ``framework``; a ``name`` for the bridge, a ``path``, a ``project``, ``hooks``."""

    framework: str
    name: str | None = None
    path: str | None = None
    project: str | None = None
    hooks: bool = False


def add(home: Home, config: Config, wanted: Wanted) -> Bridge:
    """Build a bridge; nothing is carried yet. Raises ``UsageError`` (2) for what makes no sense.

    With ``hooks`` the framework is told to run it; ``SoulSyncError`` says why that can't be, and nothing is built then.
    """
    module = framework(wanted.framework)
    path = module.locate(wanted.path, wanted.project, os.environ)
    name = wanted.name or wanted.framework
    bridge = Bridge(name, wanted.framework, path, wanted.project, wanted.hooks)
    with worktree_lock(home):
        bridges = record.load(home)
        _check(bridge, bridges, config)
        if bridge.hooks:
            module.install_hooks(bridge, home.agent, words(home, bridge))
        record.save(home, [*bridges, bridge])
    return bridge


def _check(bridge: Bridge, bridges: list[Bridge], config: Config) -> None:
    if not record.is_name(bridge.name):
        raise UsageError(
            tr("{name} can't name a bridge.", name=shown(bridge.name)),
            tr("Use a-z, 0-9 and -, at most 40 characters."),
        )
    for other in bridges:
        if other.name == bridge.name:
            raise UsageError(
                tr("There is a bridge {name} already.", name=bridge.name), tr("Give another one with `--name NAME`.")
            )
        if (other.framework, other.path) == (bridge.framework, bridge.path):
            raise UsageError(
                tr("The bridge {name} leads to {path} already.", name=other.name, path=shown(str(bridge.path))),
                tr("One is enough."),
            )
    _check_folder(bridge, config.soul)


def _check_folder(bridge: Bridge, soul: Path) -> None:
    path, shown_path = bridge.path, shown(str(bridge.path))
    if not path.is_dir() and (path.exists() or bridge.framework not in MADE):
        title = framework(bridge.framework).TITLE
        raise UsageError(
            tr("{title} has no folder {path} here.", title=title, path=shown_path),
            tr("Name it with `--path DIR`."),
        )
    real, ours = path.resolve(), soul.resolve()
    if real == ours or real in ours.parents or ours in real.parents:
        raise UsageError(
            tr("{path} and the soul lie in one another.", path=shown_path), tr("A bridge copies between two places.")
        )
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def remove(home: Home, name: str) -> Bridge:
    """Remove a bridge, its hooks and what it remembers; the framework's files stay as they are.

    Raises ``UsageError`` (2) where there is none of this name.
    """
    with worktree_lock(home):
        bridges = record.load(home)
        (bridge,) = record.find(bridges, (name,))
        if bridge.hooks and bridge.framework in MODULES:
            framework(bridge.framework).remove_hooks(bridge, home.agent)
        record.save(home, [other for other in bridges if other.name != name])
        Baseline(home, name).forget()
    return bridge


def unhook(home: Home) -> list[str]:
    """Take the hooks of all bridges out of their frameworks, whose files stay; one line each.

    Raises ``SoulSyncError`` where a framework's settings can't be changed.
    """
    told = []
    with worktree_lock(home):
        bridges = record.load(home)
        for at, bridge in enumerate(bridges):
            if bridge.hooks and bridge.framework in MODULES:
                if framework(bridge.framework).remove_hooks(bridge, home.agent):
                    told.append(tr("hooks of the bridge {name}", name=bridge.name))
                bridges[at] = replace(bridge, hooks=False)
        record.save(home, bridges)
    return told


def words(home: Home, bridge: Bridge) -> list[str]:
    """The command that a framework runs, word by word; nothing is left to its environment."""
    where = ["--home", str(home.root.parent), "--agent", home.agent]
    return [sys.executable, "-P", "-m", "soulsync", *where, "bridge", "sync", bridge.name, "--quiet"]
