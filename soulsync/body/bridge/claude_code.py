"""Claude Code: what it remembers of one project, and notes of the soul (bridges §4)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.body.bridge import claude_hook, claude_place, note_paths
from soulsync.body.bridge.mapping import Folder, Index, back
from soulsync.errors import UsageError
from soulsync.formats import claude_index, note
from soulsync.lang import tr
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from soulsync.body.bridge.mapping import Pairing
    from soulsync.body.bridge.record import Bridge

TITLE = "Claude Code"
FOLDER = "notes/claude"
"""Below it, the notes of each project, by the name that the user gave: a path differs from machine to machine."""


def locate(path: str | None, project: str | None, env: Mapping[str, str]) -> Path:
    """The memory folder of the project that lies at ``path``, or in the folder that the command runs in.

    Raises ``UsageError`` (2) without a name for the project, for one that no folder can have, or without a folder.
    """
    if project is None:
        raise UsageError(
            tr("Claude Code keeps memories by project, and each machine has its own path for one."),
            tr("Name it with `--project NAME`, the same on every machine."),
        )
    if note.clean_segment(project) != project or project.startswith(".") or "/" in project:
        raise UsageError(
            tr("{name} can't be the name of a folder.", name=shown(project)),
            tr("{clean} can.", clean=note.clean_segment(project).lstrip(".") or note.UNTITLED),
        )
    folder = Path(path or ".").expanduser().absolute()
    if not folder.is_dir():
        raise UsageError(
            tr("{folder} is not a folder.", folder=shown(str(folder))), tr("Name the project's with `--path DIR`.")
        )
    projects = claude_place.config_folder(env) / "projects"
    is_memory = folder.name == "memory" and folder.parent.parent == projects
    return folder if is_memory else claude_place.memory_folder(folder, env)


def mappings(bridge: Bridge, _body: str) -> list[Pairing]:
    """The topic files; the index is made anew from them."""
    folder = f"{FOLDER}/{bridge.project}"
    to_soul = partial(_to_soul, folder)
    return [
        Folder("memory", bridge.path, folder, to_soul, back(folder, to_soul), index=Index(claude_index.INDEX, _index))
    ]


def install_hooks(bridge: Bridge, agent: str, words: Sequence[str]) -> None:
    """Put the hooks into the user's settings. Raises ``SoulSyncError`` (1) where these can't be read."""
    claude_hook.install(_settings(bridge), words, claude_hook.mark_of(agent, bridge.name))


def remove_hooks(bridge: Bridge, agent: str) -> bool:
    """Take the hooks out of the settings; whether there were any."""
    return claude_hook.remove(_settings(bridge), claude_hook.mark_of(agent, bridge.name))


def _settings(bridge: Bridge) -> Path:
    """The settings beside the folder ``projects`` that the memories lie in."""
    return bridge.path.parent.parent.parent / claude_place.SETTINGS


def _to_soul(folder: str, path: str) -> str | None:
    return None if path == claude_index.INDEX else note_paths.to_soul(folder, path)


def _index(old: bytes, files: Mapping[str, bytes], gone: set[str]) -> bytes:
    topics = [claude_index.topic_of(path, data) for path, data in sorted(files.items()) if path.endswith(".md")]
    return claude_index.rebuild(old, [topic for topic in topics if topic.path != claude_index.INDEX], gone)
