"""Hooks by which Hermes Agent runs the bridge: in ``config.yaml``, and approved in a list beside it (bridges §2)."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from soulsync.body.bridge import hermes_config, settings
from soulsync.body.present import now
from soulsync.errors import SoulSyncError
from soulsync.files import PRIVATE, write_durably
from soulsync.formats.text import Malformed
from soulsync.lang import tr
from soulsync.repo.faults import told
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

CONFIG = "config.yaml"
ALLOWED = "shell-hooks-allowlist.json"


def install(home: Path, words: Sequence[str]) -> None:
    """Let Hermes run ``words``: the exact command is approved first, so that it never stands there unapproved.

    Raises ``SoulSyncError`` (1) where the config can't be changed; it is as it was then, and nothing is approved.
    """
    command = shlex.join(words)
    _change(home / CONFIG, lambda text: hermes_config.with_hooks(text, command), dry=True)
    _approve(home, command)
    _change(home / CONFIG, lambda text: hermes_config.with_hooks(text, command))


def remove(home: Path, agent: str, bridge: str) -> bool:
    """Take the hooks and their approval out again; whether there were any. Raises ``SoulSyncError`` (1) likewise."""
    is_ours = partial(hermes_config.is_of, agent=agent, bridge=bridge)
    removed = (home / CONFIG).exists() and _change(
        home / CONFIG, lambda text: hermes_config.without_hooks(text, is_ours)
    )
    if (home / ALLOWED).exists():
        with _approvals(home) as approvals:
            approvals[:] = [one for one in approvals if not is_ours(_command(one))]
    return removed


def _change(file: Path, change: Callable[[str], str], *, dry: bool = False) -> bool:
    """Write the config anew where it changes; whether it does."""
    try:
        return settings.rewrite(file, lambda data: change(data.decode("utf-8")).encode("utf-8"), dry=dry)
    except (UnicodeDecodeError, Malformed) as e:
        reason = told(str(e)) if isinstance(e, Malformed) else tr("not UTF-8")
        raise SoulSyncError(
            tr("{path} can't be changed: {reason}.", path=shown(str(file.resolve())), reason=reason),
            tr("Nothing was written. Do without `--hooks`, or change it by hand."),
        ) from e


def _approve(home: Path, command: str) -> None:
    with _approvals(home) as approvals:
        for event in hermes_config.EVENTS:
            approvals[:] = [one for one in approvals if (one.get("event"), _command(one)) != (event, command)]
            approved = {"event": event, "command": command, "approved_at": now()}
            approvals.append({**approved, "script_mtime_at_approval": None})


@contextmanager
def _approvals(home: Path) -> Iterator[list[dict[str, Any]]]:
    """The approved commands, under the lock that Hermes takes for them; what changed is written at the end."""
    file = home / ALLOWED
    fd = os.open(home / f"{ALLOWED}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        values = _read(file)
        listed = values.get("approvals")
        approvals = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        before = list(approvals)
        yield approvals
        if approvals != before:
            text = json.dumps({**values, "approvals": approvals}, indent=2, sort_keys=True)
            write_durably(file.resolve(), text.encode("utf-8"))
    finally:
        os.close(fd)


def _read(file: Path) -> dict[str, Any]:
    try:
        values = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}  # as Hermes takes it
    return values if isinstance(values, dict) else {}


def _command(approval: dict[str, Any]) -> str:
    command = approval.get("command")
    return command if isinstance(command, str) else ""
