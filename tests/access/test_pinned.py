"""The host keys that soulsync ships: those that the hosts publish, and pinned before the first contact."""

from __future__ import annotations

import base64
import subprocess
from typing import TYPE_CHECKING

import pytest

from soulsync.access import hostkeys, meeting
from soulsync.access.hostkeys import HostKey
from soulsync.access.key import public_blob
from soulsync.access.pinned import SHIPPED
from tests.access.client import remote

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import OpenSSHServer

PUBLISHED = {
    "github.com": {
        "ssh-ed25519": "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU",
        "ecdsa-sha2-nistp256": "SHA256:p2QAMXNIC1TJYWeIOttrVc98/R1BUFWu3/LiyKgUfQM",
        "ssh-rsa": "SHA256:uNiVztksCsDhcc0u9e8BujQXVUpKZIDTMczCvj3tD2s",
    },
    "gitlab.com": {
        "ssh-ed25519": "SHA256:eUXGGm1YGsMAS7vkcx6JOJdOGHPem5gQp4taiCfCLB8",
        "ecdsa-sha2-nistp256": "SHA256:HbW3g8zUjNSksFbqTiUWPWg2Bq1x8xdGUrliXFzSnUw",
        "ssh-rsa": "SHA256:ROQFvPThGrW4RuWLoL9tq9I9zJ42fK4XywyRtbOz/EQ",
    },
    "bitbucket.org": {
        "ssh-ed25519": "SHA256:ybgmFkzwOSotHTHLJgHO0QN8L0xErw6vd0VhFA9m3SM",
        "ecdsa-sha2-nistp256": "SHA256:FC73VB6C4OQLSCrjEayhMp9UMxS97caD/Yyi2bhW/J0",
        "ssh-rsa": "SHA256:46OSHA1Rmj8E8ERTC6xkNcmGOw9oFxYr0WF6zWW8l1E",
    },
}
"""The fingerprints on the hosts' own pages, which pinned.py names."""
GITHUB = remote("git@github.com:me/kaoru.soul.git")


@pytest.mark.parametrize("host", PUBLISHED)
def test_the_keys_have_the_published_fingerprints(host: str) -> None:
    assert {kind: HostKey(kind, text).fingerprint for kind, text in SHIPPED[host]} == PUBLISHED[host]


@pytest.mark.parametrize("host", SHIPPED)
def test_the_keys_are_of_the_type_that_they_say(host: str) -> None:
    for kind, text in SHIPPED[host]:
        assert public_blob(f"{kind} {text}") == base64.b64decode(text)


def test_they_are_pinned_where_nothing_is_and_ssh_reads_them(tmp_path: Path) -> None:
    known = tmp_path / "known_hosts"
    assert meeting.pin_shipped(known, GITHUB)
    assert meeting.pin_shipped(known, GITHUB, port_443=True)
    assert not meeting.pin_shipped(known, GITHUB)
    for name in ("github.com", "[ssh.github.com]:443"):
        found = subprocess.run(
            ["ssh-keygen", "-l", "-F", name, "-f", str(known)], capture_output=True, text=True, timeout=20, check=True
        )
        assert all(print_ in found.stdout for print_ in PUBLISHED["github.com"].values())


def test_a_key_that_the_person_trusted_stays(tmp_path: Path) -> None:
    known = tmp_path / "known_hosts"
    new = HostKey(*SHIPPED["gitlab.com"][0])
    hostkeys.pin(known, GITHUB, [new])
    assert not meeting.pin_shipped(known, GITHUB)
    assert hostkeys.pinned(known, GITHUB) == [new]


def test_no_other_host_is_given_a_key(tmp_path: Path) -> None:
    for address in ("git@codeberg.org:me/a", "ssh://git@github.com:2222/me/a", "git@example.org:me/a"):
        assert not meeting.pin_shipped(tmp_path / "known_hosts", remote(address))
    assert not meeting.pin_shipped(tmp_path / "known_hosts", remote("git@gitlab.com:me/a"), port_443=True)
    assert not (tmp_path / "known_hosts").exists()


def test_an_unknown_host_is_met_once_with_every_key_that_it_shows(openssh: OpenSSHServer, tmp_path: Path) -> None:
    openssh.offer_host_keys("ed25519", "ecdsa")
    known, there = tmp_path / "known_hosts", remote(openssh.url("kaoru.soul"))
    met = meeting.meet(known, there)
    assert [key.fingerprint for key in met] == openssh.host_keys()
    assert hostkeys.pinned(known, there) == met
    openssh.stop()  # what is known is not asked again
    assert meeting.meet(known, there) == []


def test_a_host_with_shipped_keys_is_not_asked(tmp_path: Path) -> None:
    assert meeting.meet(tmp_path / "known_hosts", GITHUB, 1) == []
    assert len(hostkeys.pinned(tmp_path / "known_hosts", GITHUB)) == 3
