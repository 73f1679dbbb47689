"""``watch``: at once when a file changes, every so often, through trouble, and over within a moment."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import socket
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from soulsync.body.home import Home
from soulsync.body.locks import sync_lock
from soulsync.body.watch import Watch
from soulsync.errors import BusyError
from tests.bodies import assert_in_step, over_ssh

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.bodies import Body, Remote
    from tests.lived import Lived
    from tests.servers import EmbeddedServer


class Watching:
    """A ``soulsync watch`` at work, and the lines that it says."""

    def __init__(self, body: Body, every: float) -> None:
        self.process = body.start("watch", "--every", str(every))
        self.lines: list[str] = []

    def hears(self, *words: str, seconds: float = 40) -> str:
        """Wait for a line that holds one of ``words``."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if select.select([self.process.stdout], [], [], 0.2)[0]:
                line = self.process.stdout.readline()
                assert line, (self.lines, self.process.stderr and self.process.stderr.read())
                self.lines.append(line)
                if any(word in line for word in words):
                    return line
        raise AssertionError(self.lines)

    def end(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(20)
        finally:
            for stream in (self.process.stdout, self.process.stderr):
                if stream is not None:
                    stream.close()


@contextlib.contextmanager
def watching(body: Body, every: float = 300) -> Iterator[Watching]:
    body.env["LC_ALL"] = "en_US.UTF-8"
    found = Watching(body, every)
    try:
        yield found
    finally:
        found.end(signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_change_is_sent_at_once_and_a_signal_ends_it_in_order(one: Body, remote: Remote, number: int) -> None:
    with watching(one) as watch:
        watch.hears("Watching")
        before = remote.head()
        one.remember("written while watched")
        assert watch.hears("Sent")[2:3] == ":"
        assert remote.head() != before
        one.remember("and once more, long before the period is over")
        watch.hears("Sent")
        assert watch.end(number) == 0
    assert one.status()["dirty"] == []


def test_what_others_do_comes_in_by_the_period(one: Body, two: Body) -> None:
    with watching(one, every=1) as watch:
        watch.hears("Watching")
        two.remember("from two")
        two.sync()
        watch.hears("Brought in")
        assert "from two" in one.entries()


def test_a_signal_in_the_middle_of_a_sync_leaves_nothing_half_done(one: Body, two: Body) -> None:
    for delay in (0.0, 0.1, 0.2, 0.3, 0.45):
        two.remember(*[f"{delay} {i}" for i in range(20)])
        two.write(f"notes/{delay}.md", "# n\n")
        two.sync()
        one.remember(f"mine {delay}")
        with watching(one) as watch:
            watch.hears("Watching")
            time.sleep(delay)
            assert watch.end() == 0
        assert not (one.home / "state" / "checkout.json").exists()
        assert not list((one.soul / ".git").glob("*.lock"))
    two.sync()
    one.sync()
    two.sync()
    assert_in_step(one, two)
    assert len(one.entries()) == 105


def test_the_network_goes_and_comes_back(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create("kaoru.soul.git")
    body = over_ssh(embedded, tmp_path / "one", "one")
    with watching(body, every=1) as watch:
        watch.hears("Watching")
        port = embedded.port
        embedded.stop()
        body.remember("while offline")
        watch.hears("can't", "reached", "offline")
        again = type(embedded.server)(embedded.root, port=port)
        again.start()
        try:
            watch.hears("Sent", "In step")
        finally:
            again.stop()
        assert watch.end() == 0


def test_a_folder_that_is_deleted_and_made_again(one: Body) -> None:
    aside = one.folder / "aside"
    with watching(one) as watch:
        watch.hears("Watching")
        one.soul.rename(aside)
        watch.hears("missing")
        shutil.copytree(aside, one.soul, symlinks=True)
        watch.hears("Watching")
        one.remember("after it came back")
        watch.hears("Sent")


@contextlib.contextmanager
def another_at_work(body: Body) -> Iterator[None]:
    """Hold the lock of syncs, once the first sync of the watch itself has let go of it."""
    deadline = time.monotonic() + 40
    with contextlib.ExitStack() as held:
        while time.monotonic() < deadline:
            with contextlib.suppress(BusyError):
                held.enter_context(sync_lock(Home(body.home)))
                break
            time.sleep(0.02)
        else:
            raise AssertionError("the first sync does not end")
        yield


def test_another_sync_at_work_is_waited_for(one: Body) -> None:
    with watching(one) as watch:
        watch.hears("Watching")
        with another_at_work(one):
            one.remember("while cron is at it")
            time.sleep(2.5)  # longer than it waits for a burst to end: it tries, and finds the lock taken
        watch.hears("Sent")


def test_systemd_is_told_that_it_is_ready(one: Body, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(tmp_path / "notify"))
        notify.settimeout(30)
        one.env["NOTIFY_SOCKET"] = str(tmp_path / "notify")
        with watching(one):
            assert notify.recv(100) == b"READY=1"


def test_files_of_git_and_locks_are_no_change(lived: Lived) -> None:
    watch = Watch(lived.home, lived.config, 300, lambda _text: None)
    for name in (".git/index", ".git", "memories/MEMORY.md.lock", "x.tmp", "notes/.n.md.swp", ""):
        watch.changed(f"{lived.soul}/{name}" if name else str(lived.soul))
    watch.changed("")
    assert watch._first is None
    watch.changed(f"{lived.soul}/notes/.github.md")
    assert watch._first is not None


def test_it_waits_for_a_burst_to_end_but_not_for_ever(lived: Lived, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("soulsync.body.watch._now", lambda: now[0])
    watch = Watch(lived.home, lived.config, 300, lambda _text: None)
    settled = []
    for second in range(30):
        now[0] = 1000.0 + second
        watch.changed(f"{lived.soul}/notes/n.md")
        settled.append(watch._settled())
    assert settled.index(True) == 20
    watch = Watch(lived.home, lived.config, 300, lambda _text: None)
    watch.changed(f"{lived.soul}/notes/n.md")
    assert not watch._settled()
    now[0] += 1.6
    assert watch._settled()


def test_the_end_of_its_output_is_no_fault(one: Body) -> None:
    reader, writer = os.pipe()
    one.env["LC_ALL"] = "en_US.UTF-8"
    with subprocess.Popen(
        one.argv("watch"), env=one.env, cwd=one.folder, stdout=writer, stderr=subprocess.PIPE
    ) as process:
        os.close(writer)
        assert os.read(reader, 1000)
        os.close(reader)
        one.remember("nobody reads this any more")
        assert process.wait(40) in (0, 1)
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()
