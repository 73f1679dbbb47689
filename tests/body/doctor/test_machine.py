"""Faults of the machine: programs, room, clock."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from soulsync.body.doctor import machine

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.bodies import Remote
    from tests.body.doctor.conftest import Doctor


def program(folder: Path, name: str, said: str) -> None:
    """A program that says of itself what an old one says."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\necho '{said}' >&2\necho '{said}'\n")
    (folder / name).chmod(0o755)


def test_an_old_git_and_an_old_ssh(at: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at.well("git")
    at.well("ssh")
    monkeypatch.setenv("PATH", f"{tmp_path / 'old'}:{os.environ['PATH']}")
    program(tmp_path / "old", "git", "git version 2.20.1")
    program(tmp_path / "old", "ssh", "OpenSSH_7.4p1, OpenSSL 1.0.2k")
    assert "newer git" in at.ill("git", "2.20.1", "2.39")
    assert "OpenSSH" in at.ill("ssh", "7.4p1", "8.0")
    program(tmp_path / "old", "ssh", "Dropbear v2022.83")
    at.ill("ssh", "Dropbear")


def test_programs_that_are_not_there(at: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    at.ill("git", "git")
    assert "Install" in at.ill("ssh", "ssh is missing")


def test_a_full_disk(at: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    at.well("disk")
    monkeypatch.setattr(machine, "ROOM", sys.maxsize)
    assert "Make room" in at.ill("disk", "only", str(at.home.root))


def test_a_body_whose_clock_is_ahead(at: Doctor, remote: Remote) -> None:
    assert "no server's time" in at.well("clock")
    at.body.sync()
    tomorrow = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 86_400))
    remote.commit({"bodies/phone.json": f'{{"body": "phone", "lastSeen": "{tomorrow}"}}'})
    at.body.sync()
    assert "NTP" in at.ill("clock", "phone")
    assert "there" in at.ill("clock", "phone")
    remote.commit({"bodies/tablet.json": f'{{"body": "tablet", "lastSeen": "{tomorrow}"}}'})
    at.body.sync()
    assert at.ill("clock", "Every other body", "phone, tablet") == "Set this machine's clock (NTP)."


def test_a_clock_that_went_back(at: Doctor) -> None:
    file = at.home.state / "status.json"
    year = time.strftime("%Y")
    file.write_text(file.read_text().replace(f'"last_sync": "{year}', f'"last_sync": "{int(year) + 1}'))
    assert "this machine's clock" in at.ill("clock", "went back")
