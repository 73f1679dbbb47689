"""Hooks in Claude Code's ``settings.json`` that start the bridge when a session begins and when a turn ends (§4)."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from soulsync.body.bridge import settings
from soulsync.errors import SoulSyncError
from soulsync.formats import claude_settings
from soulsync.formats.json_text import Malformed
from soulsync.lang import tr
from soulsync.repo.faults import told
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

EVENTS = ("SessionStart", "Stop")


def mark_of(agent: str, bridge: str) -> str:
    """The comment by which a command is known as that of one bridge of one agent."""
    return f"# soulsync bridge {agent} {bridge}"


def install(file: Path, words: Sequence[str], mark: str) -> None:
    """Let Claude Code run ``words`` in the background, silently; what it said would be taken for context.

    Raises ``SoulSyncError`` (1) where the settings can't be read; nothing is written then.
    """
    command = f"nohup {shlex.join(words)} </dev/null >/dev/null 2>&1 & {mark}"
    _change(file, lambda data: claude_settings.with_command(data, EVENTS, command, mark))


def remove(file: Path, mark: str) -> bool:
    """Take the command out again; whether it was there. Raises ``SoulSyncError`` as :func:`install`."""
    return _change(file, lambda data: claude_settings.without_command(data, mark) if data else data)


def is_installed(file: Path, mark: str) -> bool:
    """Whether the settings run the command; False where they can't be read."""
    try:
        return bool(claude_settings.commands(file.read_bytes(), mark))
    except (OSError, Malformed):
        return False


def _change(file: Path, change: Callable[[bytes], bytes]) -> bool:
    try:
        return settings.rewrite(file, change)
    except Malformed as e:
        raise SoulSyncError(
            tr("{path} can't be read: {reason}.", path=shown(str(file.resolve())), reason=told(str(e))),
            tr("Correct it; nothing was written."),
        ) from e
