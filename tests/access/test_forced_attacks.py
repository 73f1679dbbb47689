"""An intruder who has the deploy key of one soul, against a real sshd that lets clients set every variable."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from soulsync.access.address import parse_remote
from soulsync.access.ssh import close_master
from tests.access.client import Client
from tests.bodies import git
from tests.servers import OpenSSHServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REFUSED = "soulsync: this is not a repository of this key.\n"


class Careless(OpenSSHServer):
    """The sshd of an administrator who allowed everything: ``restrict`` has to take it back."""

    def _config(self) -> str:
        more = (
            "AcceptEnv *",
            "Subsystem sftp internal-sftp",
            "X11Forwarding yes",
            "GatewayPorts yes",
            "PermitTunnel yes",
        )
        return super()._config() + "".join(f"{line}\n" for line in more)


class Siege:
    """Two souls on one server, each with a key of its own; ``thief`` has that of A."""

    def __init__(self, folder: Path, server: OpenSSHServer) -> None:
        self.folder, self.server = folder, server
        self.a, self.b = server.root / "a.soul.git", server.root / "b.soul.git"
        self.thief, self.owner = Client(folder / "thief"), Client(folder / "owner")
        for path, client in ((self.a, self.thief), (self.b, self.owner)):
            self.soulsync("remote", "create", str(path))
            self.authorize(path, client)
        work = self.owner.commit("b")
        assert self.owner.git("-C", str(work), "push", "-q", self.url(self.b), "main").returncode == 0

    def soulsync(self, *words: str, code: int = 0) -> str:
        argv = [sys.executable, "-m", "soulsync", *words]
        done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=60, stdin=subprocess.DEVNULL)
        assert done.returncode == code, done
        return done.stdout + done.stderr

    def authorize(self, path: Path, client: Client, *options: str) -> str:
        keys = str(self.server.authorized_keys)
        pub = str(client.key.with_name("id_ed25519.pub"))
        return self.soulsync("remote", "authorize", str(path), "--key", pub, "--authorized-keys", keys, *options)

    def url(self, path: Path | str) -> str:
        return f"ssh://{self.server.user}@127.0.0.1:{self.server.port}{path}"

    def ssh(self, *command: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
        return self.thief.ssh(parse_remote(self.url(self.a), allow_local=False), *command, options=options)


@pytest.fixture(scope="module")
def siege(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Siege]:
    folder = tmp_path_factory.mktemp("siege")
    with Careless(folder / "server") as server:
        yield Siege(folder, server)


def test_the_key_opens_its_own_soul(siege: Siege) -> None:
    work = siege.thief.commit("own")
    for version in ("0", "2"):
        done = siege.thief.git("-c", f"protocol.version={version}", "ls-remote", siege.url(siege.a))
        assert done.returncode == 0, done.stderr
    assert siege.thief.git("-C", str(work), "push", "-q", siege.url(siege.a), "main").returncode == 0


def test_and_no_other(siege: Siege) -> None:
    for path in (
        siege.b,
        f"{siege.a}/../b.soul.git",
        f"{siege.b}/",
        "/",
        "/~/b.soul.git",
        f"{siege.a}/objects/../../b.soul",
    ):
        done = siege.thief.git("ls-remote", siege.url(path))
        assert (done.returncode, REFUSED in done.stderr) == (128, True), done.stderr
    before = git(siege.b, "rev-parse", "main")
    work = siege.folder / "thief/own"
    assert siege.thief.git("-C", str(work), "push", "-q", "--force", siege.url(siege.b), "main").returncode == 128
    assert git(siege.b, "rev-parse", "main") == before


def commands(siege: Siege) -> list[str]:
    a, b, mark = siege.a, siege.b, siege.folder / "mark"
    link = siege.server.root / "link.git"
    if not link.exists():
        link.symlink_to(a)
    return [
        "",
        "sh",
        f"touch {mark}",
        "git --version",
        "scp -f /etc/passwd",
        "/usr/lib/openssh/sftp-server",
        "env",
        f"git-upload-archive '{a}'",
        f"git-lfs-authenticate {a} download",
        f"git-upload-pack --timeout=1 '{a}'",
        f"git-upload-pack {a}",
        f'git-upload-pack "{a}"',
        f"git-upload-pack '{a}/'",
        f"git-upload-pack '{link}'",
        f"git-upload-pack '{b}'",
        f"git-receive-pack '{b}'",
        f"git -C {b} upload-pack .",
        f"git-upload-pack '{a}/../b.soul.git'",
        f"git-upload-pack '{a}'; touch {mark}",
        f"git-upload-pack '{a}' && touch {mark}",
        f"git-upload-pack '{a}'\ntouch {mark}",
        f"git-upload-pack '`touch {mark}`'",
        f"git-upload-pack '$(touch {mark})'",
        f"git-upload-pack ''\\''; touch {mark}; '\\'''",
        "git-upload-pack '*'",
        "git-upload-pack '$1'",
        f"git-upload-pack '{a}' '{b}'",
        f" git-upload-pack '{a}'",
        f"GIT-UPLOAD-PACK '{a}'",
    ]


def test_it_runs_nothing_else(siege: Siege) -> None:
    shared = ("-o", "ControlMaster=auto", "-o", f"ControlPath={siege.folder / 's'}", "-o", "ControlPersist=20")
    for command in commands(siege):
        done = siege.ssh(*([command] if command else []), options=shared)
        # The shell's own start-up files, which sshd makes it read, may say something first.
        assert (done.returncode, done.stdout, done.stderr[-len(REFUSED) :]) == (1, "", REFUSED), command
    close_master(siege.folder / "s", parse_remote(siege.url(siege.a), allow_local=False))
    assert not (siege.folder / "mark").exists()


def test_it_gets_no_terminal_no_files_and_no_way_through(siege: Siege) -> None:
    assert (
        "PTY allocation request failed"
        in siege.ssh(options=("-tt", "-o", "RequestTTY=force", "-o", "LogLevel=INFO")).stderr
    )
    assert siege.ssh("sftp", options=("-s",)).stdout == ""
    through = siege.ssh(options=("-o", "ClearAllForwardings=no", "-W", f"127.0.0.1:{siege.server.port}"))
    assert (through.returncode != 0, "SSH-" in through.stdout) == (True, False)
    back = ("-o", "ClearAllForwardings=no", "-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:1")
    assert "remote port forwarding failed" in siege.ssh("sh", options=back).stderr


def test_it_gets_no_agent(siege: Siege) -> None:
    """Asked for by a client with a running agent; the server's log tells what it answered."""
    socket = siege.folder / "agent"
    with subprocess.Popen(["ssh-agent", "-D", "-a", str(socket)], stdout=subprocess.PIPE) as agent:
        try:
            assert agent.stdout is not None
            agent.stdout.readline()  # it says where it listens, once it does
            asked = ("-o", "ForwardAgent=yes", "-o", f"IdentityAgent={socket}")
            assert siege.ssh("sh", options=asked).returncode == 1
        finally:
            agent.terminate()
    log = siege.server.log.read_text(errors="replace")
    assert "req auth-agent-req@openssh.com" in log
    assert "agent forwarding disabled" in log


def test_it_gets_no_display(siege: Siege, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("soulsync.access.ssh.child_env", lambda: {**os.environ, "DISPLAY": "127.0.0.1:77"})
    asked = ("-o", "ForwardX11=yes", "-o", "ForwardX11Trusted=yes", "-o", "LogLevel=INFO")
    assert "X11 forwarding request failed" in siege.ssh("sh", options=asked).stderr
    assert "req x11-req" in siege.server.log.read_text(errors="replace")


def test_no_variable_reaches_git(siege: Siege) -> None:
    """``restrict`` lets ``AcceptEnv`` pass: settings, traces into files, another repository."""
    trace = siege.server.root / "trace"
    set_ = {
        "GIT_TRACE": str(trace), "GIT_TRACE2": str(trace), "GIT_DIR": str(siege.b), "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "receive.denyNonFastForwards", "GIT_CONFIG_VALUE_0": "false",
        "GIT_CONFIG_KEY_1": "receive.denyDeletes", "GIT_CONFIG_VALUE_1": "false",
        "GIT_NAMESPACE": "x", "GIT_PROTOCOL": "version=2;touch", "GIT_EXEC_PATH": "/nothing", "PATH": "/nothing",
    }  # fmt: skip
    work = siege.folder / "thief/own"
    for name, value in (("user.name", "薰"), ("user.email", "k@one.local")):
        siege.thief.git("-C", str(work), "config", name, value)
    tip = git(siege.a, "rev-parse", "main")
    assert siege.thief.git("-C", str(work), "commit", "-q", "--amend", "-m", "rewritten（one）").returncode == 0
    command = siege.thief.env()["GIT_SSH_COMMAND"].replace(
        "ssh ", "ssh -o SetEnv='" + " ".join(f'{name}="{value}"' for name, value in set_.items()) + "' ", 1
    )
    for refspec in ("+main", ":main"):
        done = siege.thief.git("-C", str(work), "push", siege.url(siege.a), refspec, GIT_SSH_COMMAND=command)
        assert done.returncode == 1, done.stderr
        assert "[remote rejected]" in done.stderr
    assert git(siege.a, "rev-parse", "main") == tip
    assert not trace.exists()


def test_no_hook_and_no_setting_of_the_repository_is_obeyed(siege: Siege) -> None:
    """The command line of the forced git overrules what stands in the repository."""
    git(siege.a, "config", "receive.denyNonFastForwards", "false")
    hook = siege.a / "hooks/post-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {siege.folder / 'hooked'}\n")
    hook.chmod(0o755)
    work = siege.folder / "thief/own"
    tip = git(siege.a, "rev-parse", "main")
    assert siege.thief.git("-C", str(work), "push", siege.url(siege.a), "+main").returncode == 1
    assert git(siege.a, "rev-parse", "main") == tip
    siege.thief.git("-C", str(work), "push", siege.url(siege.a), "main:refs/heads/more")
    assert git(siege.a, "rev-parse", "more")
    assert not (siege.folder / "hooked").exists()


def test_a_key_that_may_only_read_and_one_that_is_revoked(siege: Siege) -> None:
    reader = Client(siege.folder / "reader")
    siege.authorize(siege.a, reader, "--read-only")
    work = reader.commit("mine")
    assert reader.git("ls-remote", siege.url(siege.a)).returncode == 0
    assert "may only read" in reader.git("-C", str(work), "push", siege.url(siege.a), "main:refs/heads/x").stderr
    assert "had no line for" in siege.authorize(siege.b, reader, "--remove")
    assert reader.git("ls-remote", siege.url(siege.a)).returncode == 0
    siege.authorize(siege.a, reader, "--remove")
    assert "Permission denied" in reader.git("ls-remote", siege.url(siege.a)).stderr
    assert siege.thief.git("ls-remote", siege.url(siege.a)).returncode == 0
