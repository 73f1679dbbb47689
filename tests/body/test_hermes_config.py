"""Hooks in Hermes' ``config.yaml``: put in and taken out as text, all else as it was."""

from __future__ import annotations

import shlex

import pytest
import yaml

from soulsync.body.bridge.hermes_config import commands, hooks_of, is_of, with_hooks, without_hooks
from soulsync.formats.text import Malformed

COMMAND = shlex.join(
    [
        "/usr/bin/py thon",
        "-P",
        "-m",
        "soulsync",
        "--home",
        "/h",
        "--agent",
        "kaoru",
        "bridge",
        "sync",
        "hermes",
        "--quiet",
    ]
)
CONFIGS = {
    "empty": "",
    "comments": "# mine\n\n# hooks:\n#   nothing\n",
    "no hooks": "model: x # why\nmemory:\n  memory_char_limit: 9\n",
    "no final newline": "model: x",
    "null": "hooks:\nmodel: x\n",
    "braces": "hooks: {}\nmodel: x\n",
    "another event": "hooks:\n    pre_tool_call:\n        - command: /bin/guard\n          matcher: cat\nmodel: x\n",
    "the same event": "hooks:\n  post_tool_call:\n  - command: /bin/log\n    timeout: 5 # short\n  # below\nmodel: x\n",
    "indented": "hooks:\n  post_tool_call:\n    - command: >-\n        /bin/log\n        twice\nmodel: x\n",
}


def is_ours(command: str) -> bool:
    return is_of(command, "kaoru", "hermes")


@pytest.mark.parametrize("name", CONFIGS)
def test_the_hooks_go_in_once_and_come_out_without_a_trace(name: str) -> None:
    text = CONFIGS[name]
    new = with_hooks(text, COMMAND)
    before, after = yaml.safe_load(text) or {}, yaml.safe_load(new)
    for event, hook in hooks_of(COMMAND).items():
        assert after["hooks"][event][0] == hook
    assert {**after, "hooks": None} == {**before, "hooks": None}
    assert with_hooks(new, COMMAND) == new
    assert [command for _, command in commands(new) if is_ours(command)] == [COMMAND, COMMAND]
    gone = without_hooks(new, is_ours)
    assert [command for _, command in commands(gone)] == [command for _, command in commands(text)]
    assert (yaml.safe_load(gone) or {}) == {key: value for key, value in before.items() if value}
    kept = [line for line in text.splitlines() if line not in ("hooks:", "hooks: {}")]
    assert [line for line in gone.splitlines() if line != "hooks:"] == kept


@pytest.mark.parametrize(
    "text",
    [
        "- a list\n",
        "hooks: [1]\n",
        "hooks: {post_tool_call: [{command: x}]}\n",
        "a: [\n",
        "{model: x}\n",
        "hooks: # none\n",
        "---\n...\n",
    ],
)
def test_what_it_cannot_change_safely_it_leaves(text: str) -> None:
    with pytest.raises(Malformed):
        with_hooks(text, COMMAND)


def test_hermes_may_have_written_the_file_anew() -> None:
    text = yaml.dump(yaml.safe_load(with_hooks("model: x\n", COMMAND)), sort_keys=True)
    assert yaml.safe_load(without_hooks(text, is_ours)) == {"model": "x"}


def test_which_command_is_ours() -> None:
    assert is_ours(COMMAND)
    assert not is_of(COMMAND, "kaoru", "other")
    assert not is_of(COMMAND, "other", "hermes")
    assert not is_ours("/bin/log soulsync")
    assert not is_ours("unclosed '")
