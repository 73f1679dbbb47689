"""The short way to read a config says what ``tomllib`` says."""

from __future__ import annotations

import sys
import tomllib
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from soulsync.body import plain_toml

if TYPE_CHECKING:
    import pytest

WRITTEN = st.one_of(
    st.sampled_from(
        ["true", "false", "0", "7", "007", "-1", "1.5", "1_000", "[1]", '"""x"""', "'x'", '""', '"', "x", ""]
    ),
    st.text(max_size=8).map(lambda text: f'"{text}"'),
    st.integers().map(str),
)
KEYS = st.sampled_from(["a", "soul", "port_443", "A", "a.b", '"q"', ""])
LINES = st.one_of(
    st.tuples(KEYS, st.sampled_from([" = ", "=", " "]), WRITTEN).map("".join),
    st.sampled_from(["", "# a comment", "[table]", " ", "\t", "\r"]),
    st.text(max_size=6),
)  # fmt: skip


def read(loads: Any, text: str) -> Any:
    try:
        return loads(text)
    except ValueError:
        return ValueError


@given(st.lists(LINES, max_size=5).map("\n".join))
def test_the_same_as_tomllib(text: str) -> None:
    assert read(plain_toml.loads, text) == read(tomllib.loads, text)


def test_what_we_write_is_read_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tomllib", None)
    text = 'agent = "kaoru"\nsoul = "/home/a b/灵"\nport_443 = true\nconnect_timeout = 30\n'
    assert plain_toml.loads(text) == {
        "agent": "kaoru", "soul": "/home/a b/灵", "port_443": True, "connect_timeout": 30
    }  # fmt: skip
