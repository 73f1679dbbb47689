"""The embedded server under load, with clients that vanish, and at its end."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
from typing import TYPE_CHECKING

import paramiko
import pytest

from soulsync.access import key, ssh
from soulsync.access.server import SoulServer
from soulsync.errors import RefusedError, SoulSyncError
from tests.access.client import Client, remote

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.servers import EmbeddedServer, GitServer

MEGABYTE = 1 << 20


def soon(what: Callable[[], bool], seconds: float = 15) -> bool:
    """Whether ``what`` becomes true before long."""
    deadline = time.monotonic() + seconds
    while not what():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def big_repository(client: Client, megabytes: int) -> Path:
    work = client.commit("big")
    (work / "noise.bin").write_bytes(os.urandom(megabytes * MEGABYTE))  # does not compress
    assert client.git("-C", str(work), "add", ".").returncode == 0
    assert client.git("-C", str(work), "commit", "-q", "-m", "big（one）").returncode == 0
    return work


def raw_session(client: Client, url: str) -> subprocess.Popen[bytes]:
    """ssh with git-upload-pack at its other end, and nobody who speaks to it yet."""
    there = remote(url)
    argv = ssh.ssh_argv(client.key, client.known_hosts, strict=False)
    argv += ["-p", str(there.port), f"{there.user}@{there.host}", f"git-upload-pack '{there.path}'"]
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def ended(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate(timeout=20)


def kinds(server: EmbeddedServer) -> list[str]:
    return [event.kind for event in server.server.events]


def test_a_big_history_goes_both_ways(server: GitServer, tmp_path: Path) -> None:
    client = Client(tmp_path / "body")
    server.create("kaoru.soul")
    server.authorize("kaoru.soul", client.public)
    url = server.url("kaoru.soul")
    work = big_repository(client, 30)
    done = client.git("-C", str(work), "push", "-q", url, "main")
    assert done.returncode == 0, done.stderr
    done = client.git("clone", "-q", url, str(tmp_path / "clone"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "clone" / "noise.bin").read_bytes() == (work / "noise.bin").read_bytes()


def test_many_connections_at_the_same_time(server: GitServer, tmp_path: Path) -> None:
    clients = [Client(tmp_path / f"body{n}") for n in range(8)]
    server.create("kaoru.soul")
    for client in clients:
        server.authorize("kaoru.soul", client.public)
    url = server.url("kaoru.soul")
    argv = [
        ["git", "-C", str(c.commit("work", c.public)), "push", "-q", url, f"main:body{n}"]
        for n, c in enumerate(clients)
    ]
    pushes = [
        subprocess.Popen(words, env=client.env(), stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        for words, client in zip(argv, clients, strict=True)
    ]
    for push in pushes:
        _, said = push.communicate(timeout=60)
        assert push.returncode == 0, said
    assert clients[0].git("ls-remote", url).stdout.count("refs/heads/body") == 8


@pytest.mark.parametrize("speak", [False, True], ids=["silent", "amid a big answer"])
def test_a_client_that_vanishes_takes_its_git_with_it(embedded: EmbeddedServer, tmp_path: Path, speak: bool) -> None:
    client = Client(tmp_path / "body")
    embedded.create("kaoru.soul")
    embedded.authorize("kaoru.soul", client.public)
    url = embedded.url("kaoru.soul")
    work = big_repository(client, 8 if speak else 1)
    assert client.git("-C", str(work), "push", "-q", url, "main").returncode == 0
    before = kinds(embedded).count("exit")

    session = raw_session(client, url)
    assert session.stdin
    assert session.stdout
    head = session.stdout.read(8)  # git is there: it lists its refs
    assert head[:2].isdigit()
    if speak:
        tip = client.git("-C", str(work), "rev-parse", "HEAD").stdout.strip()
        session.stdin.write(f"0032want {tip}\n00000009done\n".encode())
        session.stdin.flush()
        session.stdout.read(4096)  # the pack is on its way, and the rest of it is not read
    ended(session)
    assert soon(lambda: kinds(embedded).count("exit") == before + 1)
    assert soon(lambda: kinds(embedded).count("disconnect") == kinds(embedded).count("connect"))
    assert client.git("ls-remote", url).returncode == 0


def test_a_session_that_is_closed_leaves_the_others_of_its_connection_alone(
    embedded: EmbeddedServer, tmp_path: Path
) -> None:
    client = Client(tmp_path / "body")
    embedded.create("kaoru.soul")
    embedded.authorize("kaoru.soul", client.public)
    with socket.create_connection(("127.0.0.1", embedded.port)) as sock:
        transport = paramiko.Transport(sock)
        transport.start_client(timeout=10)
        transport.auth_publickey("git", paramiko.Ed25519Key(filename=str(client.key)))
        channels = [transport.open_session(timeout=10) for _ in range(3)]
        for channel in channels:
            channel.settimeout(20)
            channel.exec_command("git-upload-pack '/kaoru.soul.git'")
            assert channel.recv(4)
        channels[0].close()
        assert soon(lambda: kinds(embedded).count("exit") == 1)
        for channel in channels[1:]:
            channel.sendall(b"0000")  # git's goodbye
            assert channel.recv_exit_status() == 0
        transport.close()
        transport.join()


def test_stop_ends_threads_processes_and_connections(tmp_path: Path) -> None:
    client = Client(tmp_path / "body")
    before = set(threading.enumerate())
    server = SoulServer(tmp_path / "root")
    server.start()
    server.create("kaoru.soul")
    server.authorize("kaoru.soul", client.public)
    sessions = [raw_session(client, server.url("kaoru.soul")) for _ in range(3)]
    idle = socket.create_connection(("127.0.0.1", server.port))
    for session in sessions:
        assert session.stdout
        assert session.stdout.read(4)
    server.stop()
    assert soon(lambda: set(threading.enumerate()) <= before)
    for session in sessions:
        assert session.wait(20) != 0
        ended(session)
    idle.close()
    told = [event.kind for event in server.events]
    assert told.count("exit") == 3
    assert told.count("connect") == told.count("disconnect") == 4
    server.stop()  # twice is once


@pytest.mark.parametrize("stage", ["silence", "banner", "key exchange"])
def test_a_client_that_does_not_log_in_is_sent_away(tmp_path: Path, stage: str) -> None:
    with SoulServer(tmp_path / "root", auth_seconds=0.5) as server:
        sock = socket.create_connection(("127.0.0.1", server.port))
        sock.settimeout(20)
        if stage == "key exchange":
            transport = paramiko.Transport(sock)
            transport.start_client(timeout=10)
            assert soon(lambda: not transport.is_active())
            transport.close()
        else:
            if stage == "banner":
                sock.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
            while sock.recv(4096):
                pass
            sock.close()
        assert soon(lambda: [event.kind for event in server.events] == ["connect", "disconnect"])


def test_too_many_connections_are_turned_away(tmp_path: Path) -> None:
    with SoulServer(tmp_path / "root", max_connections=2) as server:
        address = ("127.0.0.1", server.port)
        held = [socket.create_connection(address) for _ in range(2)]
        for sock in held:
            sock.settimeout(20)
            assert sock.recv(4) == b"SSH-"
        with socket.create_connection(address) as third:
            third.settimeout(20)
            assert third.recv(4) == b""
        for sock in held:
            sock.close()
        assert soon(lambda: [event.kind for event in server.events].count("disconnect") == 2)
        with socket.create_connection(address) as fourth:
            fourth.settimeout(20)
            assert fourth.recv(4) == b"SSH-"


def test_the_host_key_stays_the_same_and_private(tmp_path: Path) -> None:
    seen = set()
    for _ in range(2):
        with SoulServer(tmp_path / "root") as server:
            seen.add(key.public_line(server.root / "host_key"))
            assert (server.root / "host_key").stat().st_mode & 0o777 == 0o600
    assert len(seen) == 1
    (tmp_path / "root" / "host_key").chmod(0o644)
    with pytest.raises(SoulSyncError):
        SoulServer(tmp_path / "root").start()


def test_a_taken_port_is_said_plainly(tmp_path: Path) -> None:
    with SoulServer(tmp_path / "one") as server, pytest.raises(SoulSyncError, match="Can't listen"):
        SoulServer(tmp_path / "two", port=server.port).start()


def test_keys_and_repositories_are_checked_when_they_are_made(embedded: EmbeddedServer, tmp_path: Path) -> None:
    client = Client(tmp_path / "body")
    with pytest.raises(SoulSyncError, match="no repository"):
        embedded.authorize("missing", client.public)
    embedded.create("kaoru.soul")
    embedded.create("me/mari.soul")
    with pytest.raises(SoulSyncError, match="something already"):
        embedded.create("kaoru.soul.git")
    with pytest.raises(SoulSyncError):
        embedded.authorize("kaoru.soul", "no key at all")
    embedded.authorize("kaoru.soul", client.public)
    with pytest.raises(RefusedError, match="already"):
        embedded.authorize("me/mari.soul", client.public)
    embedded.revoke("me/mari.soul", client.public)  # has none there: nothing happens
    assert client.git("ls-remote", embedded.url("kaoru.soul")).returncode == 0
    embedded.revoke("kaoru.soul", client.public)
    embedded.authorize("me/mari.soul", client.public)
    assert client.git("ls-remote", embedded.url("me/mari.soul")).returncode == 0


def test_serving_in_the_foreground_ends_when_told(tmp_path: Path) -> None:
    server = SoulServer(tmp_path / "root")
    server.start()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    server.stop()
    thread.join(20)
    assert not thread.is_alive()


def test_a_server_may_be_started_again(tmp_path: Path) -> None:
    server = SoulServer(tmp_path / "root")
    for _ in range(2):
        with server, socket.create_connection(("127.0.0.1", server.port)) as sock:
            assert sock.recv(4) == b"SSH-"
