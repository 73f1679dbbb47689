"""OpenClaw: the files of its workspace and the soul (bridges §3)."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body.bridge import note_paths, openclaw_hook, openclaw_place
from soulsync.body.bridge.mapping import TO_NATIVE, TO_SOUL, Entries, Folder, Text, back
from soulsync.errors import UsageError
from soulsync.formats import openclaw
from soulsync.formats.openclaw_journal import day_of, journal_name
from soulsync.lang import tr
from soulsync.merge.daily import absorb

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from soulsync.body.bridge.mapping import Pairing
    from soulsync.body.bridge.record import Bridge

TITLE = "OpenClaw"


def locate(path: str | None, project: str | None, env: Mapping[str, str]) -> Path:
    """The workspace. Raises ``UsageError`` (2) for a project: a workspace has none."""
    if project is not None:
        raise UsageError(tr("A workspace of OpenClaw has no projects."), tr("Leave out `--project`."))
    return openclaw_place.workspace(env) if path is None else Path(path).expanduser().absolute()


def mappings(bridge: Bridge, body: str) -> list[Pairing]:
    """The personality, the memories, the journals of this body and of the others, and the notes."""
    workspace, memory = bridge.path, bridge.path / "memory"
    own, others = partial(_to_journal, body), partial(_from_journal, body)
    notes = partial(note_paths.to_soul, "notes")
    return [
        Text("soul", workspace / "SOUL.md", spec.SOUL_MD, is_default),
        _entries("memory", workspace / "MEMORY.md", spec.MEMORY_MD, openclaw.FILE_LIMIT),
        _entries("user", workspace / "USER.md", spec.USER_MD, openclaw.USER_LIMIT),
        Folder("journal", memory, f"journal/{body}", own, _nowhere, TO_SOUL, partial(_absorb, body)),
        Folder("bodies", memory / "bodies", "journal", _nowhere, others, TO_NATIVE),
        Folder("notes", memory / "notes", "notes", notes, back("notes", notes)),
    ]


def is_default(data: bytes) -> bool:
    """Whether a ``SOUL.md`` says nothing but what OpenClaw puts there."""
    return not openclaw.parse(data)


def install_hooks(bridge: Bridge, agent: str, words: Sequence[str]) -> None:
    """Write a hook folder. Raises ``RefusedError`` (3) where another hook lies there."""
    openclaw_hook.install(_hook_folders(bridge, agent)[0], words)


def remove_hooks(bridge: Bridge, agent: str) -> bool:
    """Remove the hook folder, wherever OpenClaw kept its state when it was written; whether there was one."""
    removed = [openclaw_hook.remove(folder) for folder in _hook_folders(bridge, agent)]
    return any(removed)


def _hook_folders(bridge: Bridge, agent: str) -> list[Path]:
    """Where the hook goes, and where else it may be: the state folder is most often the workspace's parent."""
    beside, usual = bridge.path.parent, openclaw_place.state_folder(os.environ)
    states = [beside, usual] if (beside / openclaw_place.CONFIG).exists() or beside == usual else [usual, beside]
    return [state / "hooks" / f"soulsync-{agent}-{bridge.name}" for state in dict.fromkeys(states)]


def _entries(key: str, native: Path, soul: str, limit: int) -> Entries:
    return Entries(key, native, soul, openclaw.parse, openclaw.render, partial(_project, limit))


def _project(limit: int, data: bytes, wanted: Sequence[str]) -> list[str]:
    return openclaw.project(data, wanted, limit)


def _nowhere(_path: str) -> None:
    """The other way of what is carried one way."""
    return


def _to_journal(body: str, path: str) -> str | None:
    return f"journal/{body}/{journal_name(path)}" if "/" not in path and day_of(path) else None


def _from_journal(body: str, path: str) -> str | None:
    """Where the journal of another body is shown."""
    parts = path.split("/")
    is_other = len(parts) == 3 and parts[1] != body and path.endswith(".md") and ".incoming" not in parts[2]
    return "/".join(parts[1:]) if is_other else None


def _absorb(body: str, path: str, seen: bytes | None, native: bytes, held: bytes | None) -> bytes:
    return absorb(path[:10], body, seen, native, held)
