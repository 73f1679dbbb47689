"""The commands that a message names can be pasted as they stand, wherever the folder lies."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Body, Remote


@pytest.fixture
def odd(remote: Remote, tmp_path: Path) -> Body:
    """A body below a folder whose name means something to a shell."""
    body = remote.body(tmp_path / "it's $HOME; here", "one")
    body.init()
    return body


def paste(command: str) -> None:
    subprocess.run(["/bin/sh", "-c", command], check=True, timeout=30, stdin=subprocess.DEVNULL)


def test_the_way_back_to_main(odd: Body) -> None:
    odd.git("switch", "--quiet", "--create", "other")
    (command,) = re.findall(r"`(git -C .*?)`", odd.fails(1, "sync"))
    paste(command)
    odd.sync()


def test_the_way_to_close_the_key(odd: Body) -> None:
    key = odd.home / "id_ed25519"
    key.chmod(0o644)
    paste(odd.fails(4, "key", "show").rpartition("Run: ")[2].rstrip(".\n"))
    assert key.stat().st_mode & 0o777 == 0o600


def test_the_ways_that_doctor_names(odd: Body) -> None:
    odd.git("config", "core.fsmonitor", "true")
    said = " ".join(odd.run("doctor", "--offline").stdout.split())
    paste(said.partition("take it out: ")[2].partition(". Your own")[0])
    odd.ok("doctor", "--offline")
