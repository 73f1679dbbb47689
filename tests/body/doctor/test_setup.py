"""Faults of the body's own folder: config, modes, the deploy key."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from soulsync.access.key import public_line

if TYPE_CHECKING:
    from tests.body.doctor.conftest import Doctor


def test_a_config_that_can_not_be_read(at: Doctor) -> None:
    file = at.home.config_file
    good = file.read_text()
    file.write_text("body = [")
    assert "init" in at.ill("config", "can't be read")
    file.write_text(good.replace("one", "Not A Name", 1))
    at.ill("config", "names no agent or no body")
    file.write_text(good.replace('"kaoru"', '"akira"'))
    assert "rename it to akira" in at.ill("config", "of the agent akira")
    file.unlink()
    at.ill("config", "is missing")


def test_a_folder_or_file_open_to_others(at: Doctor) -> None:
    for name in ("", "state", "config.toml", "known_hosts"):
        place = at.home.root / name
        place.chmod(place.stat().st_mode | 0o055)
        assert f"chmod go= {place}" in at.ill("home-folder", str(place), "open to others", repairable=True)
        at.repairs("home-folder")
        assert place.stat().st_mode & 0o077 == 0


def test_a_folder_of_another_user(at: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a cron of root ran soulsync once (svandragt/lamb#599: nobody saw that git refused)."""
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert f"chown -R {me + 1}" in at.ill("home-folder", "belongs to another user")
    assert f"chown -R {me + 1} {at.body.soul}" in at.ill("repository", "belongs to another user")


def test_a_key_open_to_others(at: Doctor) -> None:
    at.home.key.chmod(0o644)
    assert "chmod 600" in at.ill("key", "mode 0644", repairable=True)
    at.repairs("key")
    assert at.home.key.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("damage", ["cut", "windows"])
def test_a_key_whose_lines_were_damaged(at: Doctor, damage: str) -> None:
    """OpenSSH itself says "error in libcrypto" of both."""
    good = at.home.key.read_bytes()
    at.home.key.write_bytes(good.rstrip(b"\n") if damage == "cut" else good.replace(b"\n", b"\r\n"))
    assert ssh_reads(at) is False
    at.repairs("key", "damaged by a copy")
    assert at.home.key.read_bytes() == good
    assert ssh_reads(at) is True


def ssh_reads(at: Doctor) -> bool:
    argv = ["ssh-keygen", "-y", "-P", "", "-f", str(at.home.key)]
    return subprocess.run(argv, capture_output=True, check=False, timeout=20).returncode == 0


def test_a_key_that_ssh_can_not_use(at: Doctor) -> None:
    keygen = ["ssh-keygen", "-q", "-f", str(at.home.key)]
    subprocess.run([*keygen, "-p", "-P", "", "-N", "secret words"], check=True, timeout=20)
    assert "ssh-keygen -p" in at.ill("key", "passphrase")
    at.home.key.unlink()
    assert "key rotate" in at.ill("key", "is missing")
    subprocess.run([*keygen, "-t", "ecdsa", "-N", ""], check=True, timeout=20, input=b"y\n")
    at.ill("key", "ecdsa")
    at.home.key.write_text("nonsense\n")
    at.ill("key", "damaged")


def test_a_public_half_of_another_key(at: Doctor) -> None:
    file = at.home.key.with_name("id_ed25519.pub")
    file.write_text("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG other\n")
    assert "key show" in at.ill("public-key", "not the public half", repairable=True)
    at.repairs("public-key")
    assert file.read_text().split()[:2] == public_line(at.home.key).split()[:2]
    file.unlink()
    at.repairs("public-key")
