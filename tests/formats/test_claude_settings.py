from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats.claude_settings import commands, with_command, without_command
from soulsync.formats.text import Malformed

MARK = "# soulsync kaoru work"
COMMAND = f"nohup soulsync bridge sync & {MARK}"
OURS = {"hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]}
THEIRS = {"matcher": "startup", "hooks": [{"type": "command", "command": "echo hi"}]}
EVENTS = ("SessionStart", "Stop")


def put(data: bytes) -> bytes:
    return with_command(data, EVENTS, COMMAND, MARK)


def test_a_new_file() -> None:
    written = put(b"")
    assert json.loads(written) == {"hooks": {"SessionStart": [OURS], "Stop": [OURS]}}
    assert commands(written, MARK) == list(EVENTS)
    assert json.loads(without_command(written, MARK)) == {}


def test_all_else_stays_in_its_order() -> None:
    settings = {"z": 1, "hooks": {"Stop": [THEIRS], "PreToolUse": [THEIRS], "Odd": []}, "a": {"b": [True, None]}}
    data = json.dumps(settings, indent=2).encode() + b"\n"
    written = put(data)
    assert json.loads(written) == {**settings, "hooks": {**settings["hooks"], "SessionStart": [OURS], "Stop": [THEIRS, OURS]}}  # type: ignore[dict-item]  # fmt: skip  # noqa: E501
    assert list(json.loads(written)) == ["z", "hooks", "a"]
    assert json.loads(without_command(written, MARK)) == settings


def test_putting_it_in_again_leaves_one_and_the_newer() -> None:
    old = with_command(b"{}", ("Stop", "SessionEnd"), f"other {MARK}", MARK)
    assert put(put(old)) == put(b"{}")


def test_a_command_beside_ours_stays() -> None:
    group = {"hooks": [{"type": "command", "command": "mine"}, {"type": "command", "command": COMMAND}]}
    data = json.dumps({"hooks": {"Stop": [group]}}).encode()
    assert json.loads(without_command(data, MARK)) == {"hooks": {"Stop": [{"hooks": [group["hooks"][0]]}]}}


def test_what_has_none_of_ours_is_not_written_anew() -> None:
    data = b'{ "hooks": {"Stop": []},\n\t"n": 1.0e5 }'
    assert without_command(data, MARK) == data
    assert b"1.0e5" in put(data)


@pytest.mark.parametrize("data", [b"[]", b"{", b"\xff", b'{"hooks": []}', b'{"hooks": {"Stop": {}}}'])
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        put(data)


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=8,
)
GROUPS = st.lists(st.one_of(st.just(THEIRS), VALUES), max_size=3)
SETTINGS = st.dictionaries(st.text(max_size=3), VALUES, max_size=3).flatmap(
    lambda rest: st.dictionaries(st.sampled_from(["Stop", "Odd", "SessionStart"]), GROUPS, max_size=3).map(
        lambda hooks: {**rest, "hooks": hooks} if hooks else rest
    )
)


@given(SETTINGS)
def test_in_and_out_again_leaves_what_was_there(settings: dict[str, object]) -> None:
    data = json.dumps(settings).encode()
    left = json.loads(without_command(put(data), MARK))
    hooks = settings.get("hooks")
    assert isinstance(hooks, dict | None)
    # A list that was empty before can't be told from one that only held ours.
    told = {event: groups for event, groups in (hooks or {}).items() if groups or event not in EVENTS}
    assert {k: v for k, v in left.items() if k != "hooks"} == {k: v for k, v in settings.items() if k != "hooks"}
    assert {k: v for k, v in left.get("hooks", {}).items() if v or k not in EVENTS} == told
