"""The same kinds of failure, brought about with real git, real ssh and real servers."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import TYPE_CHECKING

import pytest

from soulsync.access.failure import classify
from soulsync.errors import DeniedError, OfflineError, SoulSyncError
from tests.access.client import Client, remote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.servers import GitServer


@contextlib.contextmanager
def listener(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """A port of ours that does to each client what ``answer`` says, and then closes."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    sock, _ = listening.accept()
                    with sock, contextlib.suppress(OSError):
                        answer(sock)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
    thread.join(10)


def failure(client: Client, url: str) -> SoulSyncError:
    done = client.git("ls-remote", url)
    assert done.returncode == 128
    return classify(done.stderr, remote(url), known_hosts=client.known_hosts)


def hang_up(_: socket.socket) -> None:
    pass


def hang_up_after_banner(sock: socket.socket) -> None:
    sock.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
    sock.recv(10)


def be_silent(sock: socket.socket) -> None:
    sock.settimeout(20)
    while sock.recv(100):  # until the client gives up
        pass


def no_ssh(sock: socket.socket) -> None:
    sock.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" + b"x\xff" * 9000)
    sock.recv(10)


def broken_kex(sock: socket.socket) -> None:
    sock.sendall(b"SSH-2.0-OpenSSH_9.2\r\n" + b"\xff" * 400)
    sock.recv(10)


@pytest.mark.parametrize("answer", [hang_up, hang_up_after_banner, no_ssh, broken_kex])
def test_a_port_that_does_not_speak_ssh_is_offline(answer: Callable[[socket.socket], None], tmp_path: Path) -> None:
    with listener(answer) as port:
        assert isinstance(failure(Client(tmp_path / "body"), f"ssh://git@127.0.0.1:{port}/a.git"), OfflineError)


def test_a_silent_server_is_offline_when_the_connect_limit_is_over(tmp_path: Path) -> None:
    client = Client(tmp_path / "body")
    with listener(be_silent) as port:
        command = client.env()["GIT_SSH_COMMAND"].replace("ConnectTimeout=10", "ConnectTimeout=1")
        url = f"ssh://git@127.0.0.1:{port}/a.git"
        done = client.git("ls-remote", url, GIT_SSH_COMMAND=command)
    assert isinstance(classify(done.stderr, remote(url)), OfflineError)


def test_a_closed_port_and_an_unknown_name_are_offline(tmp_path: Path) -> None:
    client = Client(tmp_path / "body")
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))  # bound and not listening: refused
        assert isinstance(failure(client, f"ssh://git@127.0.0.1:{sock.getsockname()[1]}/a.git"), OfflineError)
    assert isinstance(failure(client, "git@nobody.invalid:a.git"), OfflineError)


def test_keys_without_access_are_denied(server: GitServer, tmp_path: Path) -> None:
    server.create("kaoru.soul")
    server.create("other.soul")
    one, other = Client(tmp_path / "one"), Client(tmp_path / "other")
    server.authorize("kaoru.soul", one.public)
    assert isinstance(failure(other, server.url("kaoru.soul")), DeniedError)  # not authorised at all
    server.authorize("other.soul", other.public)
    assert isinstance(failure(other, server.url("kaoru.soul")), DeniedError)  # authorised elsewhere
    assert isinstance(failure(one, server.url("missing.soul")), DeniedError)
    server.revoke("kaoru.soul", one.public)
    assert isinstance(failure(one, server.url("kaoru.soul")), DeniedError)


def test_a_key_that_may_only_read_reads_and_says_so_when_it_pushes(server: GitServer, tmp_path: Path) -> None:
    server.create("kaoru.soul")
    client = Client(tmp_path / "one")
    server.authorize("kaoru.soul", client.public, write=False)
    url = server.url("kaoru.soul")
    assert client.git("ls-remote", url).returncode == 0
    done = client.git("-C", str(client.commit("work")), "push", url, "main")
    assert done.returncode == 128
    error = classify(done.stderr, remote(url))
    assert isinstance(error, DeniedError)
    assert "only read" in error.problem


@pytest.mark.parametrize("spoil", ["open", "garbage", "missing"])
def test_a_key_file_that_ssh_cannot_use_is_denied(server: GitServer, tmp_path: Path, spoil: str) -> None:
    server.create("kaoru.soul")
    client = Client(tmp_path / "one")
    server.authorize("kaoru.soul", client.public)
    if spoil == "open":
        client.key.chmod(0o644)
    elif spoil == "garbage":
        client.key.write_text("garbage\n")
    else:
        client.key.unlink()
    error = failure(client, server.url("kaoru.soul"))
    assert isinstance(error, DeniedError)
    if spoil == "open":
        assert "open to others" in error.problem
