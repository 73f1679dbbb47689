"""Running a program under the lease: renewed, stopped when it is lost, given back on every way out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from soulsync.body import config as config_file
from soulsync.body import lease_run
from soulsync.body.home import Home
from soulsync.body.locks import sync_lock
from soulsync.errors import LeaseHeldError, SoulSyncError
from tests.bodies import over_ssh
from tests.racing import race

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from soulsync.body.config import Config
    from tests.bodies import Body, Remote
    from tests.lived import Lived
    from tests.servers import EmbeddedServer

LEASE = "locks/consolidation.json"


def parts(body: Body, monkeypatch: pytest.MonkeyPatch) -> tuple[Home, Config]:
    monkeypatch.setenv("SOUL_ALLOW_LOCAL_REMOTE", "1")
    home = Home(body.home)
    return home, config_file.load(home)


def until(condition: Callable[[], object], *, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(("argv", "code"), [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("kill -15 $$", 143)])
def test_the_exit_code_is_passed_on_and_the_lease_given_back(lived: Lived, argv: str, code: int) -> None:
    held = f"test -e {lived.soul / LEASE} || exit 99; "
    assert lease_run.run(lived.home, lived.config, ["sh", "-c", held + argv]) == code
    assert not (lived.soul / LEASE).exists()


@pytest.mark.parametrize("program", ["/nonexistent", "/", "a\0b"])
def test_a_program_that_can_not_be_started_gives_the_lease_back(lived: Lived, program: str) -> None:
    with pytest.raises(SoulSyncError, match="can't be started"):
        lease_run.run(lived.home, lived.config, [program])
    assert not (lived.soul / LEASE).exists()


def test_a_lease_of_another_body_starts_nothing(one: Body, two: Body) -> None:
    one.ok("lease", "acquire")
    said = two.fails(6, "lease", "run", "--", "touch", "started")
    assert "one" in said
    assert not (two.folder / "started").exists()
    two.sync()
    assert two.exists(LEASE)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_stops_the_program_with_its_children_and_gives_the_lease_back(one: Body, number: int) -> None:
    process = one.start("lease", "run", "--", "sh", "-c", "sleep 60 & echo $! > child; wait")
    child = one.folder / "child"
    until(lambda: child.exists() and child.read_text().strip())
    process.send_signal(number)
    assert process.wait(30) == 128 + number
    until(lambda: not alive(int(child.read_text())))
    one.sync()
    assert not one.exists(LEASE)
    for stream in (process.stdout, process.stderr):
        assert stream is not None
        stream.close()


def test_it_is_renewed_as_long_as_the_program_lives(one: Body, monkeypatch: pytest.MonkeyPatch) -> None:
    home, config = parts(one, monkeypatch)
    before = int(one.git("rev-list", "--count", "HEAD"))
    script = f"until [ $(git -C {one.soul} rev-list --count HEAD) -ge {before + 3} ]; do sleep 0.1; done; exit 5"
    assert lease_run.run(home, config, ["sh", "-c", script], renew_every=0.2) == 5
    assert not one.exists(LEASE)


def test_a_lost_lease_stops_the_program(one: Body, remote: Remote, monkeypatch: pytest.MonkeyPatch) -> None:
    home, config = parts(one, monkeypatch)
    far = int(time.time() * 1000) + 1_000_000

    def take_over() -> None:
        until(lambda: LEASE in remote.git("ls-tree", "-r", "--name-only", "main"))
        remote.commit({LEASE: f'{{"body": "two", "until": {far}}}\n'})

    thread = threading.Thread(target=take_over)
    thread.start()
    with pytest.raises(LeaseHeldError, match="two"):
        lease_run.run(home, config, ["sleep", "60"], renew_every=2)
    thread.join()
    assert '"two"' in remote.git("show", f"main:{LEASE}"), "the other body's lease is left alone"


def test_a_lease_that_can_not_be_renewed_in_time_stops_the_program(
    one: Body, remote: Remote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, config = parts(one, monkeypatch)
    monkeypatch.setattr(lease_run, "STOP_BEFORE", 30 * 60 - 4)  # so that it has to stop 4 seconds after the start
    told: list[str] = []
    away = tmp_path / "away.git"
    hide = ["sh", "-c", f"mv {remote.path} {away}; echo $$ > {tmp_path}/pid; exec sleep 60"]
    with pytest.raises(SoulSyncError) as raised:
        lease_run.run(home, config, hide, renew_every=0.3, warn=told.append)
    assert not isinstance(raised.value, LeaseHeldError)
    assert not alive(int((tmp_path / "pid").read_text()))
    assert "ends by itself" in told[0]
    away.rename(remote.path)


def test_a_sync_at_work_when_the_program_ends_is_waited_for(lived: Lived) -> None:
    told: list[str] = []
    marker = lived.folder / "over"
    held = threading.Event()

    def hold() -> None:
        until(lambda: (lived.soul / LEASE).exists())
        time.sleep(0.2)  # the acquiring sync is over then
        while True:
            try:
                with sync_lock(lived.home):
                    held.set()
                    until(marker.exists)
                    time.sleep(0.3)
                    return
            except SoulSyncError:
                time.sleep(0.02)

    thread = threading.Thread(target=hold)
    thread.start()
    script = f"sleep 1; touch {marker}"
    assert lease_run.run(lived.home, lived.config, ["sh", "-c", script], warn=told.append) == 0
    thread.join()
    assert (held.is_set(), told) == (True, [])
    assert not (lived.soul / LEASE).exists()


def test_two_bodies_that_race_are_never_both_holders(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create("kaoru.soul.git")
    bodies = [over_ssh(embedded, tmp_path / name, name) for name in ("one", "two")]
    result = race(bodies, tmp_path / "race", rounds=15)
    assert result.overlaps == 0
    assert result.wins > 0
    assert set(result.codes) <= {0, 6}


def test_a_program_without_a_terminal_still_reads_its_input(lived: Lived) -> None:
    argv = [sys.executable, "-m", "soulsync", "lease", "run", "--", "cat"]
    done = subprocess.run(argv, input=b"through", capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, b"through")
