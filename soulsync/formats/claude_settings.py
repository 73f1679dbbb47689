"""``settings.json`` of Claude Code: a command that runs on some of its events, put in and taken out (bridges §4).

``{"hooks": {EVENT: [{"matcher"?: …, "hooks": [{"type": "command", "command": …, "timeout"?: s}]}]}}``. All else that
the file says stays, in its order.
"""

from __future__ import annotations

from soulsync.formats import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

HOOKS = "hooks"
TIMEOUT = 10
"""Seconds that Claude Code gives the command, which only starts another and ends."""


def with_command(data: bytes, events: Iterable[str], command: str, mark: str) -> bytes:
    """Run ``command`` on each of ``events``, in place of every earlier command that ends with ``mark``.

    Empty ``data`` is no file yet. Raises :class:`soulsync.formats.json_text.Malformed` for what is no such file.
    """
    settings = _without(_read(data), mark)
    hooks = _hooks(settings)
    for event in events:
        ours: object = {HOOKS: [{"type": "command", "command": command, "timeout": TIMEOUT}]}
        hooks = {**hooks, event: [*_list(hooks, event), ours]}
    return json_text.render({**settings, HOOKS: hooks})


def without_command(data: bytes, mark: str) -> bytes:
    """Take out each command that ends with ``mark``, and what was there only for it; ``data`` itself where none is.

    Raises as :func:`with_command`.
    """
    settings = _read(data)
    left = _without(settings, mark)
    return data if json_text.same(left, settings) else json_text.render(left)


def commands(data: bytes, mark: str) -> list[str]:
    """The events that run a command which ends with ``mark``. Raises as :func:`with_command`."""
    hooks = _hooks(_read(data))
    return [event for event in hooks if any(_ours(group, mark) for group in _list(hooks, event))]


def _read(data: bytes) -> dict[str, object]:
    return json_text.parse_object(data) if data.strip() else {}


def _without(settings: dict[str, object], mark: str) -> dict[str, object]:
    hooks = _hooks(settings)
    left: dict[str, object] = {}
    for event in hooks:
        groups = _list(hooks, event)
        kept = [rest for group in groups for rest in _less(group, mark)]
        if kept or not groups:
            left[event] = kept
    if left or not hooks:
        return {**settings, HOOKS: left} if HOOKS in settings else settings
    return {key: value for key, value in settings.items() if key != HOOKS}


def _less(group: object, mark: str) -> list[object]:
    """A group without our commands, as a list; an empty one when it held nothing else."""
    if not isinstance(group, dict) or not _ours(group, mark):
        return [group]
    kept = [hook for hook in group[HOOKS] if not _is_ours(hook, mark)]
    return [{**group, HOOKS: kept}] if kept else []


def _ours(group: object, mark: str) -> bool:
    hooks = group.get(HOOKS) if isinstance(group, dict) else None
    return isinstance(hooks, list) and any(_is_ours(hook, mark) for hook in hooks)


def _is_ours(hook: object, mark: str) -> bool:
    command = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(command, str) and command.endswith(mark)


def _hooks(settings: dict[str, object]) -> dict[str, object]:
    hooks = settings.get(HOOKS, {})
    if not isinstance(hooks, dict):
        raise json_text.Malformed("hooks is no object")
    return hooks


def _list(hooks: dict[str, object], event: str) -> list[object]:
    groups = hooks.get(event, [])
    if not isinstance(groups, list):
        raise json_text.Malformed("an event of hooks is no list")
    return groups
