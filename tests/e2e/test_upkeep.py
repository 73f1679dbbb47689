"""The work that is done on a soul once a week, after a sync."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from soulsync.body import config, upkeep
from soulsync.body.home import Home
from soulsync.body.locks import sync_lock
from soulsync.body.opened import open_soul

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.bodies import Body

LIMIT = 60


def packs(body: Body) -> list[Path]:
    return list((body.soul / ".git" / "objects" / "pack").glob("*.pack"))


def loose(body: Body) -> int:
    return int(body.git("count-objects").split()[0])


def wait_for(pid: int) -> None:
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return
        time.sleep(0.01)
    raise AssertionError("it did not end")


def test_loose_objects_become_a_pack_and_nothing_is_pruned(one: Body, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOUL_ALLOW_LOCAL_REMOTE", "1")
    body = one
    body.remember("fact")
    body.sync()
    nobodys = body.git("hash-object", "-w", "--stdin").strip()  # what no ref names
    before = loose(body)
    home = Home(body.home)
    soul = open_soul(home, config.load(home))

    assert upkeep.begin(home, soul) is None  # too little to do
    monkeypatch.setattr(upkeep, "MANY_LOOSE", 0)
    with sync_lock(home):
        assert upkeep.begin(home, soul) is None  # a sync is under way
    stamp = home.state / "upkeep"
    stamp.unlink(missing_ok=True)
    pid = upkeep.begin(home, soul)
    assert pid is not None
    wait_for(pid)

    assert len(packs(body)) == 1
    assert loose(body) < before
    assert body.git("cat-file", "-t", nobodys).strip() == "blob"
    assert body.git("fsck", "--strict") == ""
    with sync_lock(home):
        pass  # it let go
    assert upkeep.begin(home, soul) is None  # not twice in a week
    os.utime(stamp, (0, time.time() + 2 * upkeep.WEEK))
    again = upkeep.begin(home, soul)  # a clock had run ahead
    assert again is not None
    wait_for(again)
    body.remember("later")
    assert body.sync()["pushed"]
