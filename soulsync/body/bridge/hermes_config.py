"""Shell hooks in Hermes Agent's ``config.yaml``, put in and taken out as text, so that all else stays as it is (§2).

What comes out is read again: where it does not say just what it shall, nothing is written.
"""

from __future__ import annotations

import copy
import json
import shlex
from typing import TYPE_CHECKING, Any

import yaml

from soulsync.formats.text import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

EVENTS = {"post_tool_call": "^memory$", "on_session_finalize": None}
"""Each event with the tools that it is about: after a change of memories, and when a session ends."""
TIMEOUT = 60
"""Seconds after which Hermes stops the command."""

Hook = dict[str, Any]
_NO_HOOKS = ("hooks:", "hooks: {}", "hooks: null", "hooks: ~")


def hooks_of(command: str) -> dict[str, Hook]:
    """What Hermes reads for each event."""
    return {
        event: {**({"matcher": matcher} if matcher else {}), "command": command, "timeout": TIMEOUT}
        for event, matcher in EVENTS.items()
    }


def commands(text: str) -> list[tuple[str, str]]:
    """Every hook, as event and command. Raises ``Malformed`` for a config that can't be read."""
    return [(event, command) for event, _, command in _found(_loaded(text))]


def with_hooks(text: str, command: str) -> str:
    """The config with the command in it, once for each event. Raises ``Malformed`` where no place for it is found."""
    wanted = copy.deepcopy(_loaded(text))
    missing = {event: hook for event, hook in hooks_of(command).items() if (event, command) not in commands(text)}
    if not missing:
        return text
    hooks = wanted.get("hooks")
    if hooks is not None and not isinstance(hooks, dict):
        raise Malformed("hooks is no mapping")
    wanted["hooks"] = {**(hooks or {})}
    for event, hook in missing.items():
        wanted["hooks"][event] = [hook, *(wanted["hooks"].get(event) or [])]
        text = _put_in(text, event, hook)
    return _checked(text, wanted)


def without_hooks(text: str, is_ours: Callable[[str], bool]) -> str:
    """The config without the hooks whose command is ours. Raises ``Malformed`` where they can't be taken out."""
    wanted = copy.deepcopy(_loaded(text))
    ours = [(event, at) for event, at, command in _found(wanted) if is_ours(command)]
    for event, at in reversed(ours):
        text = _take_out(text, event, at)
        del wanted["hooks"][event][at]
        if not wanted["hooks"][event]:
            del wanted["hooks"][event]
    if ours and not wanted["hooks"]:
        del wanted["hooks"]
    return _checked(text, wanted) if ours else text


def _by_hand() -> Malformed:
    return Malformed("its hooks are written in a way that only a person can change")


def _loaded(text: str) -> dict[str, Any]:
    try:
        values = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as e:
        raise Malformed("not YAML") from e
    if values is not None and not isinstance(values, dict):
        raise Malformed("no mapping")
    return values or {}


def _found(values: dict[str, Any]) -> Iterator[tuple[str, int, str]]:
    hooks = values.get("hooks")
    for event, items in hooks.items() if isinstance(hooks, dict) else ():
        for at, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, dict) and isinstance(item.get("command"), str):
                yield event, at, item["command"]


def _checked(text: str, wanted: dict[str, Any]) -> str:
    try:
        if _loaded(text) == wanted:
            return text
    except Malformed:
        pass
    raise _by_hand()


def _put_in(text: str, event: str, hook: Hook) -> str:
    """Put a hook before the others of its event; the places are those of the parsed text."""
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    hooks = _value(_root(text), "hooks")
    if hooks is None:
        return "".join([*lines, "hooks:\n", f"  {event}:\n", *_item(hook, 2)])
    key, node = hooks
    if not isinstance(node, yaml.MappingNode) or not node.value:
        if lines[key.start_mark.line].rstrip() not in _NO_HOOKS:
            raise _by_hand()
        lines[key.start_mark.line] = "hooks:\n"
        return "".join(_inserted(lines, key.start_mark.line + 1, [f"  {event}:\n", *_item(hook, 2)]))
    indent = node.value[0][0].start_mark.column
    at = _value(node, event)
    if at is None:
        block = [f"{' ' * indent}{event}:\n", *_item(hook, indent)]
        return "".join(_inserted(lines, node.value[0][0].start_mark.line, block))
    _, items = at
    if not isinstance(items, yaml.SequenceNode) or not items.value or items.flow_style:
        raise _by_hand()
    return "".join(_inserted(lines, items.start_mark.line, _item(hook, items.start_mark.column)))


def _inserted(lines: list[str], at: int, block: Sequence[str]) -> list[str]:
    return [*lines[:at], *block, *lines[at:]]


def _item(hook: Hook, indent: int) -> list[str]:
    """An item of a list; JSON strings and numbers are YAML too."""
    fields = [f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in hook.items()]
    return [f"{' ' * indent}{'- ' if number == 0 else '  '}{field}" for number, field in enumerate(fields)]


def _take_out(text: str, event: str, at: int) -> str:
    lines = text.splitlines(keepends=True)
    hooks = _value(_root(text), "hooks")
    found = _value(hooks[1], event) if hooks is not None else None
    if hooks is None or found is None or not isinstance(found[1], yaml.SequenceNode):
        raise _by_hand()
    begin, end = found[1].value[at].start_mark.line, _last_line(found[1].value[at])
    if len(found[1].value) == 1:
        begin = found[0].start_mark.line
        if len(hooks[1].value) == 1:
            begin = hooks[0].start_mark.line
    return "".join([*lines[:begin], *lines[end + 1 :]])


def _last_line(node: yaml.Node) -> int:
    """The last line of a node; the end of a block lies where the next one begins."""
    if isinstance(node, yaml.MappingNode) and node.value and not node.flow_style:
        return _last_line(node.value[-1][1])
    if isinstance(node, yaml.SequenceNode) and node.value and not node.flow_style:
        return _last_line(node.value[-1])
    return int(node.end_mark.line)


def _root(text: str) -> yaml.Node | None:
    try:
        node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as e:  # what was put in made it so
        raise _by_hand() from e
    return node


def _value(node: yaml.Node | None, name: str) -> tuple[yaml.Node, yaml.Node] | None:
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return next(((key, value) for key, value in pairs if key.value == name), None)


def is_of(command: str, agent: str, bridge: str) -> bool:
    """Whether a command is that of one bridge of one agent, whichever interpreter runs it."""
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    own = ["bridge", "sync", bridge, "--quiet"]
    return "soulsync" in words and words[-4:] == own and words[-6:-4] == ["--agent", agent]
