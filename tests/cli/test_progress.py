"""Progress: heard while git transfers and files are placed, shown on a terminal alone."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

from soulsync import progress

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.bodies import Body, Remote

WORK = """
import time
from soulsync import progress
from soulsync.cli.progress_bar import shown
with shown():
    for i in range(30):
        progress.tell("placing files", i, 30)
        time.sleep(0.04)
print("over")
"""


def on_terminal(*argv: str) -> bytes:
    master, slave = pty.openpty()
    with subprocess.Popen(
        argv, stdin=slave, stdout=slave, stderr=slave, env={**os.environ, "TERM": "xterm"}
    ) as process:
        os.close(slave)
        seen = b""
        try:
            while chunk := os.read(master, 65536):
                seen += chunk
        except OSError:  # Linux tells the end of a terminal so
            pass
        process.wait(timeout=30)
    os.close(master)
    return seen


def test_a_bar_appears_on_a_terminal_and_goes_again() -> None:
    seen = on_terminal(sys.executable, "-c", WORK)
    assert b"placing files" in seen
    assert b"/30" in seen
    assert seen.rstrip().endswith(b"over")


def test_nothing_is_shown_in_a_pipe() -> None:
    done = subprocess.run([sys.executable, "-c", WORK], capture_output=True, timeout=30, check=True)
    assert (done.stdout, done.stderr) == (b"over\n", b"")


def test_a_fetch_and_the_files_it_brings_are_heard(
    one: Body, two: Body, remote: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in two.env.items():
        monkeypatch.setenv(name, value)
    for i in range(120):
        one.write(f"notes/n{i}.md", f"# n{i}\n\n{i * 7919}\n")
    one.sync()
    heard: dict[str, tuple[int, int]] = {}
    with progress.told_to(lambda what, done, total: heard.update({what: (done, total)})):
        run_in_process(two.home)
    assert two.read("notes/n119.md").startswith("# n119")
    assert heard["Receiving objects"][0] == heard["Receiving objects"][1] > 100
    assert heard["placing files"][1] >= 120
    assert not progress.listening()


def run_in_process(folder: Path) -> None:
    from soulsync.body import config
    from soulsync.body.home import Home
    from soulsync.body.sync import SyncRun

    home = Home(folder)
    SyncRun(home, config.load(home)).execute()
