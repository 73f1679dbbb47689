"""What a deploy key can't do, asked for with the real ssh program; the same cases against sshd with forced commands."""

from __future__ import annotations

import os
import socket
import subprocess
from typing import TYPE_CHECKING

import paramiko
import pytest

from soulsync.access import ssh
from tests.access.client import Client, remote

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import EmbeddedServer, GitServer


@pytest.fixture
def body(server: GitServer, tmp_path: Path) -> Client:
    """A body with access to kaoru.soul, whose remote holds one commit; mari.soul is another agent's."""
    client, other = Client(tmp_path / "body"), Client(tmp_path / "other")
    for repo, who in (("kaoru.soul", client), ("mari.soul", other)):
        bare = server.create(repo)
        server.authorize(repo, who.public)
        assert who.git("-C", str(who.commit("first", repo)), "push", "-q", str(bare), "main").returncode == 0
    return client


@pytest.mark.parametrize(
    "command", ["id", "sh -i", "cat /etc/passwd", "git-upload-archive '/kaoru.soul.git'", "git-shell"]
)
def test_no_other_command_runs(server: GitServer, body: Client, command: str) -> None:
    done = body.ssh(remote(server.url("kaoru.soul")), command)
    assert (done.returncode, done.stdout) == (1, "")
    assert "soulsync:" in done.stderr


def test_no_shell_opens(server: GitServer, body: Client) -> None:
    for options in ((), ("-tt",), ("-T",)):
        done = body.ssh(remote(server.url("kaoru.soul")), options=options)
        assert done.returncode != 0
        assert done.stdout == "" or "soulsync:" in done.stdout


def test_no_subsystem_runs(server: GitServer, body: Client) -> None:
    assert body.ssh(remote(server.url("kaoru.soul")), "sftp", options=("-s",)).returncode != 0


def test_nothing_is_forwarded(server: GitServer, body: Client) -> None:
    there = remote(server.url("kaoru.soul"))
    with socket.create_server(("127.0.0.1", 0)) as target:
        target.settimeout(0.2)
        to = f"127.0.0.1:{target.getsockname()[1]}"
        assert body.ssh(there, options=("-W", to)).returncode != 0
        with pytest.raises(TimeoutError):
            target.accept()
    asked = ("-o", "ClearAllForwardings=no", "-o", "ExitOnForwardFailure=yes", "-N", "-R", "0:127.0.0.1:1")
    assert body.ssh(there, options=asked).returncode != 0


def test_another_repository_is_as_good_as_none(server: GitServer, body: Client) -> None:
    there = remote(server.url("kaoru.soul"))
    other, missing = remote(server.url("mari.soul")).path, remote(server.url("missing.soul")).path
    for service in ("git-upload-pack", "git-receive-pack"):
        for path in (other, missing):
            done = body.ssh(there, f"{service} '{path}'")
            assert (done.returncode, done.stdout) == (1, "")
            assert "not a repository of this key" in done.stderr
    for path in (
        f"{there.path}/../mari.soul.git",
        f"{there.path}/objects",
        "/etc",
        "../mari.soul.git",
        "~/mari.soul",
        "",
    ):
        done = body.ssh(there, f"git upload-pack '{path}'")
        assert (done.returncode, done.stdout) == (1, ""), path


def test_a_command_after_the_command_does_not_run(server: GitServer, body: Client, tmp_path: Path) -> None:
    there = remote(server.url("kaoru.soul"))
    for tail in (f"; touch {tmp_path}/x", f"\ntouch {tmp_path}/x", f" $(touch {tmp_path}/x)", f" | touch {tmp_path}/x"):
        assert body.ssh(there, f"git-upload-pack '{there.path}'{tail}").returncode == 1
    assert not (tmp_path / "x").exists()


def test_history_is_append_only(server: GitServer, body: Client) -> None:
    url = server.url("kaoru.soul")
    work = str(body.folder / "first")
    assert body.git("-C", work, "commit", "-q", "--amend", "-m", "another past（one）").returncode == 0
    forced = body.git("-C", work, "push", "--force", url, "main")
    assert forced.returncode == 1
    assert "non-fast-forward" in forced.stderr
    deleted = body.git("-C", work, "push", url, ":main")
    assert deleted.returncode == 1
    assert "deletion" in deleted.stderr


def test_a_broken_object_is_not_taken(server: GitServer, body: Client) -> None:
    work = body.folder / "first"
    tree = body.git("-C", str(work), "rev-parse", "HEAD^{tree}").stdout.strip()
    text = f"tree {tree}\nauthor no mail 1 +0000\ncommitter no mail 1 +0000\n\nbroken\n"
    made = subprocess.run(
        ["git", "-C", str(work), "hash-object", "-t", "commit", "-w", "--stdin", "--literally"],
        input=text, capture_output=True, text=True, check=True, env=body.env(), timeout=20,
    )  # fmt: skip
    done = body.git("-C", str(work), "push", server.url("kaoru.soul"), f"{made.stdout.strip()}:refs/heads/broken")
    assert done.returncode == 1
    assert "missingEmail" in done.stderr


def test_protocol_version_2_is_spoken(server: GitServer, body: Client) -> None:
    done = body.git("ls-remote", server.url("kaoru.soul"), GIT_TRACE_PACKET="1")
    assert "version 2" in done.stderr


def test_variables_of_the_client_change_nothing(server: GitServer, body: Client) -> None:
    there = remote(server.url("kaoru.soul"))
    asked = ("-o", "SetEnv=GIT_DIR=/nowhere GIT_EXEC_PATH=/nowhere LD_PRELOAD=/nowhere")
    done = body.ssh(there, f"git-upload-pack '{there.path}'", options=asked)
    assert "refs/heads/main" in done.stdout


def test_a_shared_connection_ends_with_its_key(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create("kaoru.soul")
    url = embedded.url("kaoru.soul")
    with ssh.control_dir() as folder:
        client = Client(tmp_path / "body", control_path=folder / "s")
        embedded.authorize("kaoru.soul", client.public)
        assert client.git("ls-remote", url).returncode == 0
        embedded.revoke("kaoru.soul", client.public)
        done = client.git("ls-remote", url)
        assert done.returncode == 128
        assert "not a repository of this key" in done.stderr
        assert embedded.connections() == 1
        ssh.close_master(folder / "s", remote(url))


def test_only_public_keys_are_asked_for(embedded: EmbeddedServer) -> None:
    with socket.create_connection(("127.0.0.1", embedded.port)) as sock:
        transport = paramiko.Transport(sock)
        transport.start_client(timeout=10)
        try:
            with pytest.raises(paramiko.BadAuthenticationType) as raised:
                transport.auth_none("git")
            assert raised.value.allowed_types == ["publickey"]
            with pytest.raises(paramiko.BadAuthenticationType):
                transport.auth_password("git", "secret")
            with pytest.raises(paramiko.SSHException):
                transport.open_session(timeout=5)
        finally:
            transport.close()
            transport.join()


def test_a_link_leads_nowhere(embedded: EmbeddedServer, tmp_path: Path) -> None:
    client = Client(tmp_path / "body")
    outside = embedded.create("inside")
    outside = outside.rename(tmp_path / "outside.git")
    (embedded.root / "link.git").symlink_to(outside)
    embedded.authorize("link", client.public)
    assert client.git("ls-remote", embedded.url("link")).returncode == 128


def test_hooks_in_the_repository_do_not_run(embedded: EmbeddedServer, tmp_path: Path) -> None:
    client = Client(tmp_path / "body")
    bare = embedded.create("kaoru.soul")
    embedded.authorize("kaoru.soul", client.public)
    (bare / "hooks").mkdir(exist_ok=True)
    for name in ("pre-receive", "update", "post-receive", "post-update"):
        hook = bare / "hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        hook.chmod(0o755)
    work = client.commit("work")
    assert client.git("-C", str(work), "push", "-q", embedded.url("kaoru.soul"), "main").returncode == 0
    assert not (tmp_path / "ran").exists()


def test_the_log_tells_key_and_command(embedded: EmbeddedServer, tmp_path: Path) -> None:
    client = Client(tmp_path / "body")
    embedded.create("kaoru.soul")
    embedded.authorize("kaoru.soul", client.public)
    assert client.git("ls-remote", embedded.url("kaoru.soul")).returncode == 0
    client.ssh(remote(embedded.url("kaoru.soul")), "id")
    told = [(event.kind, event.fingerprint, event.detail) for event in embedded.server.events]
    assert ("exec", client.fingerprint, "git-upload-pack '/kaoru.soul.git'") in told
    assert ("refused", client.fingerprint, "id") in told
    assert os.linesep not in "".join(map(str, embedded.server.events))
