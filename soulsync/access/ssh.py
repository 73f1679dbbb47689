"""The one place that builds and runs ssh: nothing but the deploy key reaches the server (soul-repo-v4 §7).

``IdentitiesOnly=yes`` alone still offers every ``IdentityFile`` of the user's configuration, and ssh finds
``~/.ssh`` through the password database, so setting ``HOME`` isolates nothing. ``-F none`` reads neither the user's
configuration nor ``/etc/ssh/ssh_config`` (OpenSSH ssh.c, ``process_config_files``); an ``IdentityFile`` on the
command line takes the place of the default keys.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.errors import OfflineError, SoulSyncError, UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.access.address import Remote

DROP_ENV = (
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "SSH_ASKPASS",
    "SSH_ASKPASS_REQUIRE",
    "SSH_SK_PROVIDER",
    "GIT_ASKPASS",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "DISPLAY",
    "WAYLAND_DISPLAY",
)
"""Variables that no git or ssh child may inherit: agents, prompts, other ssh programs."""

CONNECT_SECONDS = 15
PERSIST_SECONDS = 15
"""How long an idle shared connection outlives its last user, should nobody close it."""
MAX_SOCKET_BYTES = 88
"""ssh binds the socket under a name 17 bytes longer, and ``sun_path`` holds 104 bytes on the smallest system."""

DETOURS = {
    # https://docs.github.com/en/authentication/troubleshooting-ssh/using-ssh-over-the-https-port
    ("github.com", 22): ("ssh.github.com", 443),
    # https://docs.gitlab.com/user/gitlab_com/#alternative-ssh-port
    ("gitlab.com", 22): ("altssh.gitlab.com", 443),
    ("bitbucket.org", 22): ("altssh.bitbucket.org", 443),
}
"""Hosts whose SSH is reached at another name and port too, as their documentation gives it, for where 22 is blocked."""

_FIXED_OPTIONS = (
    # who we are: the deploy key and nothing else
    "IdentitiesOnly=yes",
    "IdentityAgent=none",
    "AddKeysToAgent=no",
    "PKCS11Provider=none",
    "PreferredAuthentications=publickey",
    "PubkeyAuthentication=yes",
    "PasswordAuthentication=no",
    "KbdInteractiveAuthentication=no",
    "GSSAPIAuthentication=no",
    "HostbasedAuthentication=no",
    "NumberOfPasswordPrompts=0",
    "BatchMode=yes",
    # who they are: the body's own known_hosts and nothing else
    "GlobalKnownHostsFile=/dev/null",
    "HashKnownHosts=no",
    "UpdateHostKeys=no",
    "VerifyHostKeyDNS=no",
    "CheckHostIP=no",
    # where the connection goes, and that nothing else goes through it
    "CanonicalizeHostname=no",
    "ProxyCommand=none",
    "ProxyJump=none",
    "ClearAllForwardings=yes",
    "ForwardAgent=no",
    "ForwardX11=no",
    "Tunnel=no",
    "PermitLocalCommand=no",
    "RequestTTY=no",
    "EscapeChar=none",
    # that it ends: a server may accept and then be silent
    "ConnectionAttempts=1",
    "ServerAliveInterval=15",
    "ServerAliveCountMax=2",
    "LogLevel=ERROR",
)


def ssh_argv(
    key: Path,
    known_hosts: Path,
    *,
    strict: bool,
    port_443: Remote | None = None,
    control_path: Path | None = None,
    connect_timeout: int = CONNECT_SECONDS,
) -> list[str]:
    """The ssh program with every option, to which git adds port, host and command.

    ``strict`` wants the host key to be pinned already; otherwise a first contact pins it, and a changed key is
    refused either way. ``port_443`` names the remote when it is to be reached at port 443. ``control_path`` is the
    socket of a connection shared by several git commands: the first one opens it, ``close_master`` closes it.
    A certificate ``<key>-cert.pub`` beside the key is used by ssh; it speaks for the same key.
    Raises UsageError for a path that can't be told to ssh.
    """
    options = [
        *_FIXED_OPTIONS,
        # Not -i: that one is tested before %% is expanded, and a file not found would bring back the default keys.
        f"IdentityFile={_quoted(key)}",
        f"UserKnownHostsFile={_quoted(known_hosts)}",
        f"StrictHostKeyChecking={'yes' if strict else 'accept-new'}",
        f"ConnectTimeout={connect_timeout}",
        *_sharing(control_path),
        *_detour(port_443),
    ]
    return ["ssh", "-F", "none", *(word for option in options for word in ("-o", option))]


def ssh_command(
    key: Path,
    known_hosts: Path,
    *,
    strict: bool,
    port_443: Remote | None = None,
    control_path: Path | None = None,
    connect_timeout: int = CONNECT_SECONDS,
) -> str:
    """``ssh_argv`` as git wants it in ``GIT_SSH_COMMAND`` and ``core.sshCommand``: one line for the shell."""
    return shlex.join(
        ssh_argv(
            key,
            known_hosts,
            strict=strict,
            port_443=port_443,
            control_path=control_path,
            connect_timeout=connect_timeout,
        )
    )


def detour(remote: Remote) -> tuple[str, int]:
    """Host and port that serve ``remote`` by SSH on port 443."""
    return known_detour(remote) or ((remote.host or "").lower(), 443)


def known_detour(remote: Remote) -> tuple[str, int] | None:
    """Where the host says that its SSH is reached too, when its port 22 is blocked; None where it says nothing."""
    return DETOURS.get(((remote.host or "").lower(), remote.port or 22))


@contextlib.contextmanager
def control_dir(made: str | None = None) -> Iterator[Path]:
    """A private folder (0700) with a name short enough for a socket, gone afterwards; ``made`` is there already."""
    folder = Path(made or tempfile.mkdtemp(prefix="soulsync-", dir=_socket_home()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def close_master(control_path: Path, remote: Remote, timeout: float = 5.0) -> bool:
    """End the shared connection at ``control_path``, if there is one; whether one was told to end."""
    if not control_path.exists():
        return False
    argv = ["ssh", "-F", "none", "-o", f"ControlPath={_quoted(control_path)}", "-O", "exit", remote.host or "none"]
    try:
        return _run(argv, timeout).returncode == 0
    except (subprocess.TimeoutExpired, OSError):
        return False  # it ends by itself PERSIST_SECONDS after its last user


def keyscan(host: str, port: int, timeout: int) -> bytes:
    """What ``ssh-keyscan`` prints for ``host``: one known_hosts line per key type.

    Raises OfflineError when the server gives none within ``timeout`` seconds per key type.
    """
    argv = ["ssh-keyscan", "-T", str(timeout), "-p", str(port), "-t", "ed25519,ecdsa,rsa", "--", host]
    try:
        done = _run(argv, timeout * 4 + 5)
    except subprocess.TimeoutExpired:
        raise OfflineError(tr("{host}:{port} does not answer.", host=host, port=port), tr("Try again later.")) from None
    if not done.stdout.strip():
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise OfflineError(
            tr(
                "{host}:{port} shows no host key{said}.",
                host=host,
                port=port,
                said=f" ({said[-1]})" if said else "",
            ),
            tr("Try again later."),
        )
    return done.stdout


def version() -> str:
    """What ``ssh -V`` says, such as ``OpenSSH_9.2p1 Debian-2, OpenSSL 3.0``."""
    done = _run(["ssh", "-V"], 10)
    return (done.stderr or done.stdout).decode("utf-8", "replace").strip()


def child_env() -> dict[str, str]:
    """The environment of an ssh child: ours without agents and prompts, messages in English."""
    env = {name: value for name, value in os.environ.items() if name not in DROP_ENV}
    env["LC_ALL"] = "C"
    return env


def _run(argv: list[str], timeout: float) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False, env=child_env()
        )
    except FileNotFoundError:
        raise SoulSyncError(
            tr("The program {argv} is missing.", argv=argv[0]), tr("Install the OpenSSH client.")
        ) from None


def _sharing(control_path: Path | None) -> list[str]:
    if control_path is None:
        return ["ControlMaster=no", "ControlPath=none"]
    if len(os.fsencode(control_path)) > MAX_SOCKET_BYTES:
        raise UsageError(
            tr("The socket path is too long for ssh: {control_path}.", control_path=control_path),
            tr("Use a shorter folder."),
        )
    return ["ControlMaster=auto", f"ControlPersist={PERSIST_SECONDS}", f"ControlPath={_quoted(control_path)}"]


def _detour(remote: Remote | None) -> list[str]:
    if remote is None or remote.host is None:
        return []
    # The first value counts, so a port that git adds for the address itself changes nothing.
    host, port = detour(remote)
    return [f"HostName={host}", f"Port={port}"]


def _quoted(path: Path) -> str:
    """``path`` as one word of ssh's configuration language, its tokens taken literally.

    Raises UsageError for what can't be escaped: ``${`` (ssh expands variables and knows no escape), line breaks.
    """
    text = str(path)
    if not path.is_absolute():
        raise UsageError(tr("ssh needs an absolute path: {text}.", text=text), tr("Give the whole path."))
    if "${" in text or any(ord(c) < 32 or ord(c) == 127 for c in text):
        raise UsageError(
            tr("ssh can't be given this path: {text!r}.", text=text), tr("Use a home folder with a plainer name.")
        )
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%") + '"'


def _socket_home() -> str | None:
    """Where the socket's folder goes: the user's runtime folder, else /tmp; never a long TMPDIR."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime.startswith("/") and len(runtime) < 48 and os.access(runtime, os.W_OK | os.X_OK):
        return runtime
    return "/tmp" if os.access("/tmp", os.W_OK | os.X_OK) else None  # noqa: S108 - mkdtemp makes it private
