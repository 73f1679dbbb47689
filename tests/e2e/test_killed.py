"""A run that is killed at any moment is completed by the next."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.bodies import REPO, Body, assert_in_step, in_turn, over_ssh

if TYPE_CHECKING:
    from tests.bodies import Remote
    from tests.servers import EmbeddedServer


def kill_within(body: Body, seconds: float, *words: str) -> None:
    """Start ``soulsync``, and kill it with all its children after ``seconds``, if it still runs."""
    process = subprocess.Popen(
        body.argv(*words), env=body.env, cwd=body.folder, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(seconds)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(60)


@pytest.mark.parametrize("attempt", range(3))
def test_init(attempt: int, remote: Remote, tmp_path: Path) -> None:
    first, second = (remote.body(tmp_path / name, name) for name in ("one", "two"))
    for body in (first, second):
        for _ in range(2):
            kill_within(body, random.uniform(0.1, 0.7), "init", remote.url, "--body", body.name)
        body.init()
    first.sync()
    assert_in_step(first, second)
    assert [s for s in first.subjects() if s.startswith("补齐")] == ["补齐灵魂仓库规范结构（one）"]


def test_init_after_a_git_init_that_was_cut_off(remote: Remote, tmp_path: Path) -> None:
    """What it left is made again: its locks would refuse a second ``git init``."""
    body = remote.body(tmp_path / "one", "one")
    half = body.soul / ".git.new" / ".git"
    half.mkdir(parents=True)
    (half / "HEAD").write_text("ref: refs/heads/main\n")
    (half / "config.lock").write_text("[core]\n")
    body.init()
    assert sorted(path.name for path in body.soul.glob(".git*") if path.is_dir()) == [".git"]
    assert body.clean()


def test_sync_with_changes_on_both_sides(one: Body, two: Body) -> None:
    for number in range(6):
        one.remember(f"one {number}")
        two.remember(f"two {number}")
        for name in "abcdefgh":
            one.write(f"notes/{name}.md", f"# {name}\n\none {number}\n")
            two.write(f"notes/{name}.md", f"# {name}\n\ntwo {number}\n")
        one.sync()
        kill_within(two, random.uniform(0.1, 0.7), "sync")
    in_turn(two, one)
    assert_in_step(one, two)
    assert sorted(one.entries()) == sorted(f"{name} {n}" for name in ("one", "two") for n in range(6))
    assert "<<<<<<<" not in one.git("grep", "-h", "-e", "", "HEAD")
    assert all(one.read(f"notes/{name}.md").startswith(f"# {name}\n\n") for name in "abcdefgh")


def test_undo(one: Body) -> None:
    one.remember("mistake")
    one.sync()
    mistake = one.head()
    one.remember("later")
    one.sync()
    for _ in range(3):
        kill_within(one, random.uniform(0.1, 0.5), "undo", mistake)
    one.ok("undo", mistake)
    one.sync()
    assert one.entries() == ["later"]
    assert one.clean()


def test_a_sync_that_is_told_to_end_leaves_nothing_behind(embedded: EmbeddedServer, tmp_path: Path) -> None:
    """No process that still talks to the server, no lock, no folder of the shared connection."""
    embedded.create(REPO)
    body = over_ssh(embedded, tmp_path / "one", "one")
    runtime = Path(tempfile.mkdtemp(prefix="rt-", dir="/tmp"))  # short: the name of a socket must fit
    body.env["XDG_RUNTIME_DIR"] = str(runtime)
    for number in range(6):
        body.remember(f"fact {number}")
        running = body.start("sync")
        time.sleep(0.25 + 0.1 * number)
        running.terminate()
        _, err = running.communicate(timeout=60)
        # -SIGTERM: it had only just been started, and was no soulsync yet
        assert running.returncode in (0, 128 + signal.SIGTERM, -signal.SIGTERM), err
        assert "Traceback" not in err
        assert list((body.soul / ".git").rglob("*.lock")) == []
        assert list(runtime.iterdir()) == []
    runtime.rmdir()
    processes = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert [line for line in processes.splitlines() if line.startswith("ssh ") and str(embedded.port) in line] == []
    body.sync()
    assert body.entries() == [f"fact {number}" for number in range(6)]
