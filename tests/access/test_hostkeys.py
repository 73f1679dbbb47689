from __future__ import annotations

import re
import socket
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest

from soulsync.access import hostkeys
from soulsync.access.failure import classify
from soulsync.access.hostkeys import HostKey
from soulsync.errors import OfflineError, RefusedError
from tests.access.client import Client, remote

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import GitServer, OpenSSHServer

A = HostKey("ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAIKMb4v8o9y4sKX4xXv0Vfv3r0T1nFc8wVY1c1bWc0bqk")
B = HostKey("ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
PLAIN, PORT = remote("git@host:a.git"), remote("ssh://git@host:2222/a.git")


def test_the_name_is_the_one_that_ssh_uses() -> None:
    assert hostkeys.host_name(PLAIN) == "host"
    assert hostkeys.host_name(PORT) == "[host]:2222"
    assert hostkeys.host_name(remote("ssh://git@host:22/a")) == "host"
    assert hostkeys.host_name(remote("ssh://git@[::1]:2222/a")) == "[::1]:2222"
    assert hostkeys.host_name(remote("git@GitHub.com:a/b")) == "github.com"
    assert hostkeys.host_name(remote("git@github.com:a/b"), port_443=True) == "[ssh.github.com]:443"


def test_pinning_replaces_the_servers_keys_and_leaves_the_others(tmp_path: Path) -> None:
    known = tmp_path / "known_hosts"
    known.write_text(f"# mine\n@revoked host {A.kind} {A.base64}\nelse {A.kind} {A.base64}\n")
    hostkeys.pin(known, PLAIN, [A])
    hostkeys.pin(known, PORT, [A])
    hostkeys.pin(known, PLAIN, [B])
    assert hostkeys.pinned(known, PLAIN) == [B]
    assert hostkeys.pinned(known, PORT) == [A]
    assert known.read_text().startswith(f"# mine\n@revoked host {A.kind} {A.base64}\nelse {A.kind}")
    assert stat.S_IMODE(known.stat().st_mode) == 0o600


def test_a_missing_or_damaged_file_pins_nothing(tmp_path: Path) -> None:
    assert hostkeys.pinned(tmp_path / "none", PLAIN) == []
    (tmp_path / "bad").write_bytes(
        b"\n \nhost\nhost ssh-ed25519\nhost ssh-ed25519 !!!\n\xff\xfe\n|1|x|y ssh-ed25519 AAAA\n"
    )
    assert hostkeys.pinned(tmp_path / "bad", PLAIN) == []


def test_hashed_names_are_read(tmp_path: Path) -> None:
    known = tmp_path / "known_hosts"
    hostkeys.pin(known, PORT, [A])
    subprocess.run(["ssh-keygen", "-q", "-H", "-f", str(known)], check=True, timeout=20, capture_output=True)
    assert known.read_text().startswith("|1|")
    assert hostkeys.pinned(known, PORT) == [A]
    assert hostkeys.pinned(known, PLAIN) == []
    hostkeys.pin(known, PORT, [B])
    assert hostkeys.pinned(known, PORT) == [B]


def test_a_scan_shows_what_ssh_will_see(server: GitServer, tmp_path: Path) -> None:
    server.create("kaoru.soul")
    client = Client(tmp_path / "body", strict=True)
    server.authorize("kaoru.soul", client.public)
    there = remote(server.url("kaoru.soul"))
    keys = hostkeys.scan(there, 5)
    assert [key.fingerprint for key in keys] == server.host_keys()
    hostkeys.pin(client.known_hosts, there, keys)
    assert client.git("ls-remote", there.url).returncode == 0


def test_a_scan_of_nobody_is_offline() -> None:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
    for url in (f"ssh://git@127.0.0.1:{port}/a", "git@nobody.invalid:a"):
        with pytest.raises(OfflineError):
            hostkeys.scan(remote(url), 2)


def test_a_first_contact_pins_and_a_changed_key_is_refused_with_both_fingerprints(
    server: GitServer, tmp_path: Path
) -> None:
    server.create("kaoru.soul")
    client = Client(tmp_path / "body")
    server.authorize("kaoru.soul", client.public)
    there = remote(server.url("kaoru.soul"))
    assert client.git("ls-remote", there.url).returncode == 0
    (old,) = server.host_keys()
    assert [key.fingerprint for key in hostkeys.pinned(client.known_hosts, there)] == [old]

    server.new_host_key()
    (new,) = server.host_keys()
    offered = len(server.offered())
    for strict in (False, True):
        client.strict = strict
        done = client.git("ls-remote", there.url)
        assert done.returncode == 128
        error = classify(done.stderr, there, known_hosts=client.known_hosts)
        assert isinstance(error, RefusedError)
        assert old in error.problem
        assert new in error.problem
        assert new in error.remedy
    assert [key.fingerprint for key in hostkeys.pinned(client.known_hosts, there)] == [old]
    assert len(server.offered()) in (offered, 0)  # the deploy key was not even shown to the stranger

    shown = hostkeys.scan(there, 5)
    assert str(hostkeys.explain_change(client.known_hosts, there, shown)) == str(error)
    with pytest.raises(RefusedError, match=re.escape(new)):
        hostkeys.trust(client.known_hosts, there, old, 5)
    hostkeys.trust(client.known_hosts, there, new, 5)
    assert client.git("ls-remote", there.url).returncode == 0


def test_exactly_the_key_that_is_named_is_trusted(openssh: OpenSSHServer, tmp_path: Path) -> None:
    openssh.create("kaoru.soul")
    client = Client(tmp_path / "body", strict=True)
    openssh.authorize("kaoru.soul", client.public)
    openssh.offer_host_keys("ed25519", "ecdsa")
    there = remote(openssh.url("kaoru.soul"))
    hostkeys.pin(client.known_hosts, there, [A])
    ecdsa = openssh.host_keys()[1]
    trusted = hostkeys.trust(client.known_hosts, there, ecdsa, 5)
    assert [key.fingerprint for key in trusted] == [ecdsa]
    assert hostkeys.pinned(client.known_hosts, there) == trusted
    assert client.git("ls-remote", there.url).returncode == 0  # ssh asks for the type that it knows


def test_an_unknown_host_is_refused_when_strict(server: GitServer, tmp_path: Path) -> None:
    server.create("kaoru.soul")
    client = Client(tmp_path / "body", strict=True)
    there = remote(server.url("kaoru.soul"))
    done = client.git("ls-remote", there.url)
    error = classify(done.stderr, there, known_hosts=client.known_hosts)
    assert isinstance(error, RefusedError)
    assert "not pinned" in error.problem
    assert not client.known_hosts.exists()


def test_a_server_that_takes_to_another_key_type_is_still_known(openssh: OpenSSHServer, tmp_path: Path) -> None:
    """Forges add and drop key types; a scan pins all, so none of that is a change (argoproj/argo-cd #7723)."""
    openssh.create("kaoru.soul")
    client = Client(tmp_path / "body", strict=True)
    openssh.authorize("kaoru.soul", client.public)
    openssh.offer_host_keys("ed25519", "ecdsa")
    there = remote(openssh.url("kaoru.soul"))
    keys = hostkeys.scan(there, 5)
    assert [key.kind for key in keys] == ["ssh-ed25519", "ecdsa-sha2-nistp256"]
    hostkeys.pin(client.known_hosts, there, keys)
    for kinds in (("ed25519",), ("ecdsa",), ("rsa", "ecdsa")):
        openssh.offer_host_keys(*kinds)
        assert client.git("ls-remote", there.url).returncode == 0


def test_another_key_type_is_no_way_around_the_pin(openssh: OpenSSHServer, tmp_path: Path) -> None:
    """Not strict means a first contact, not a second one under another key type."""
    openssh.create("kaoru.soul")
    client = Client(tmp_path / "body")
    openssh.authorize("kaoru.soul", client.public)
    there = remote(openssh.url("kaoru.soul"))
    assert client.git("ls-remote", there.url).returncode == 0
    openssh.offer_host_keys("ecdsa")
    done = client.git("ls-remote", there.url)
    assert done.returncode == 128
    assert isinstance(classify(done.stderr, there, known_hosts=client.known_hosts), RefusedError)
