"""A program that reads a memories file, thinks, and writes it back, while syncs replace the file (§4 rule 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.body import config, replaced
from soulsync.body.engine import Engine
from soulsync.body.home import Home
from soulsync.body.sync import SyncRun
from tests.busy import MODES, beside

if TYPE_CHECKING:
    from tests.bodies import Body

SYNCS = 5


@pytest.mark.parametrize("mode", MODES)
def test_nothing_is_lost_beside_a_busy_writer(mode: str, one: Body, two: Body) -> None:
    """``scripts/soak writer`` does the same for 100 syncs."""
    figures = beside(one, two, mode, SYNCS, seed=1)
    assert figures.written > 0
    assert (figures.failed, figures.lost, figures.doubled, figures.back) == ([], [], [], [])


@pytest.mark.parametrize("written", [["base", "mine"], ["base"]])
def test_a_stale_text_after_a_sync_that_never_looked_again_deletes_nothing(
    written: list[str], one: Body, two: Body, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sync that is killed between the replacement and the second look."""
    monkeypatch.setenv("SOUL_ALLOW_LOCAL_REMOTE", "1")
    one.set_entries(["base"])
    one.sync()
    two.sync()
    two.remember("incoming")
    two.sync()
    home = Home(one.home)
    with monkeypatch.context() as patched:
        patched.setattr(Engine, "settle", lambda _: False)
        SyncRun(home, config.load(home)).execute()
    assert one.entries() == ["base", "incoming"]
    one.set_entries(written)
    result = one.sync()
    assert set(one.entries()) == {*written, "incoming"}
    two.sync()
    assert two.entries() == one.entries()
    assert replaced.load(home) == []
    one.set_entries(written)
    assert one.sync()["outcome"] == "pushed", result  # by then it is a deletion
    assert one.entries() == written


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"a": 1}', b'{"a": []}', b'{"a": [1]}', b"[" * 100_000])
def test_a_damaged_record_of_replacements_is_none(data: bytes, one: Body) -> None:
    home = Home(one.home)
    (home.state / "replaced.json").write_bytes(data)
    assert replaced.load(home) == []
