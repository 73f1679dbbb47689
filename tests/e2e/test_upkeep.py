"""The work that is done on a soul once a week, after a sync."""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from soulsync.body import config, locks, upkeep
from soulsync.body.home import Home
from soulsync.body.locks import sync_lock
from soulsync.body.opened import open_soul
from soulsync.errors import BusyError

if TYPE_CHECKING:
    from pathlib import Path

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


def test_a_sync_waits_for_it(one: Body, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else is at work, so nobody shall be told to try again."""
    home = Home(one.home)
    soul = open_soul(home, config.load(home))
    monkeypatch.setattr(upkeep, "MANY_LOOSE", 0)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    monkeypatch.setattr(upkeep, "_REPACK", ("sh", "-c", f"read line <'{fifo}'"))
    pid = upkeep.begin(home, soul)
    assert pid is not None
    one.remember("meanwhile")
    sync = one.start("sync", "--json")
    with pytest.raises(subprocess.TimeoutExpired):
        sync.wait(1)
    monkeypatch.setattr(locks, "UPKEEP_PATIENCE", 0.1)
    with pytest.raises(BusyError), sync_lock(home):
        pass
    fifo.write_text("done\n")
    wait_for(pid)
    said, _ = sync.communicate(timeout=LIMIT)
    assert sync.returncode == 0
    assert '"pushed": true' in said
