"""Files and folders that the person may not read or write: they are named for what they are, and nothing is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.lived import MEMORY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.lived import Lived

RIGHTS = "-dac_override,-dac_read_search"
OBEYING = ["setpriv", f"--bounding-set={RIGHTS}", f"--inh-caps={RIGHTS}"] if os.geteuid() == 0 else []
"""Root obeys no rights of files; without these two capabilities it does."""


def run(*words: str, code: int = 0) -> str:
    """Run ``soulsync`` as a person whom rights bind; what it printed, on one line of stderr where it fails."""
    argv = [*OBEYING, sys.executable, "-m", "soulsync", *words]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, done
    if code == 0:
        assert done.stderr == ""
        return done.stdout
    if "doctor" not in words:
        assert done.stderr.count("\n") == 1
    return done.stderr + done.stdout


def test_a_memories_file_that_is_closed_is_no_binary(lived: Lived) -> None:
    lived.ok("memory", "add", "tea")
    lived.sync()
    head, file = lived.repo.head, lived.soul / MEMORY
    file.chmod(0)
    for words in (("memory", "list"), ("memory", "add", "mate"), ("memory", "remove", "tea")):
        told = run(*words, code=1)
        assert f"{MEMORY} is closed to you" in told
        assert "chmod" in told
    assert json.loads(run("sync", "--json"))["skipped"] == [{"path": MEMORY, "reason": "malformed"}]
    assert f"left out: {MEMORY} (can't be read)" in run("sync")
    assert f"chmod u+r {MEMORY}" in " ".join(run("doctor", "--offline", code=1).split())
    file.chmod(0o600)
    assert (lived.repo.head, file.read_text()) == (head, "tea\n")


@pytest.mark.parametrize("folder", ["notes", "memories", "journal"])
def test_a_folder_that_is_closed_loses_nothing_and_is_named(lived: Lived, folder: str) -> None:
    for words in (("memory", "add", "tea"), ("note", "write", "tea", "x"), ("journal", "write", "tea")):
        lived.ok(*words)
    lived.sync()
    head = lived.repo.head
    (lived.soul / folder).chmod(0)
    run("sync")
    told = run("search", "tea", code=1) if folder != "memories" else run("memory", "list", code=1)
    assert folder in told
    assert "b'" not in told
    (lived.soul / folder).chmod(0o755)
    lived.sync()
    assert lived.repo.head == head


def test_a_place_that_is_closed_leaves_no_body_behind(lived: Lived, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o555)
    (tmp_path / "empty").mkdir(mode=0o555)
    for place in (tmp_path / "closed" / "mari" / "soul", tmp_path / "empty"):
        told = run("init", "--agent", "mari", "--body", "laptop", "--dir", str(place), code=1)
        assert f"{place} can't be created or written" in told
        assert "--dir" in told
    run("init", "--agent", "mari", "--body", "laptop", "--dir", str(tmp_path / "open" / "soul"))
    assert (tmp_path / "open" / "soul" / "agent.json").is_file()
