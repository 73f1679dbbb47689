"""What killed programs left: named, and by ``--fix`` set aside or removed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from soulsync.body.locks import sync_lock

if TYPE_CHECKING:
    from pathlib import Path

    from tests.body.doctor.conftest import Doctor

LONG_AGO = time.time() - 90_000


def aged(file: Path) -> Path:
    os.utime(file, (LONG_AGO, LONG_AGO))
    return file


def dead_process() -> int:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait(20)
    return done.pid


def test_a_lock_of_a_killed_git(at: Doctor) -> None:
    at.well("locks")
    lock = at.body.soul / ".git/index.lock"
    lock.touch()
    aged(lock)
    assert "index.lock" in " ".join(at.repairs("locks", "index.lock"))
    assert not lock.exists()


def test_a_temporary_file_of_a_process_that_is_gone(at: Doctor) -> None:
    at.well("leftovers")
    mine = at.home.root / f".config.toml.{os.getpid()}-0a0b0c0d.tmp"
    gone = at.home.root / f".id_ed25519.{dead_process()}-0a0b0c0d.tmp"
    mine.touch()
    gone.touch()
    at.repairs("leftovers", gone.name)
    assert mine.exists()
    assert not gone.exists()


def test_a_work_tree_of_a_killed_doctor(at: Doctor) -> None:
    root, admin = at.home.state / "doctor-killed", at.body.soul / ".git/worktrees/doctor-killed"
    at.body.git("worktree", "add", "-q", "--detach", str(root))
    at.well("leftovers")
    aged(root)
    at.repairs("leftovers", "doctor-killed")
    assert not root.exists()
    assert not admin.exists()
    assert "doctor-killed" not in at.body.git("worktree", "list")


def test_the_note_of_a_checkout(at: Doctor) -> None:
    note = at.home.state / "checkout.json"
    at.well("checkout-note")
    note.write_text("{ torn")
    with sync_lock(at.home):
        at.well("checkout-note")  # a sync is at work
    at.repairs("checkout-note", "can't be read")
    assert not note.exists()
    tree = at.body.tree()
    note.write_text(json.dumps({"old": tree, "new": tree, "staged": {}}))
    assert "soulsync sync" in at.ill("checkout-note", "killed while it changed files")
    at.body.remember("work goes on")
    at.body.sync()
    at.well("checkout-note")
