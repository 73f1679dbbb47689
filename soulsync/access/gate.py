"""What one SSH connection to the embedded server may do: public key, one repository, two git commands, nothing else."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

import paramiko
from paramiko.common import (
    AUTH_FAILED,
    AUTH_SUCCESSFUL,
    OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED,
    OPEN_FAILED_RESOURCE_SHORTAGE,
    OPEN_SUCCEEDED,
)

from soulsync.access.bare import serve_argv, serve_env
from soulsync.access.events import Event
from soulsync.access.key import fingerprint_of
from soulsync.access.request import Request, parse_command, protocol_of
from soulsync.access.session import GONE, GitSession

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.access.events import EventLog
    from soulsync.access.keyring import Grant, Keyring

MAX_SESSIONS = 10
"""Open channels on one connection, as OpenSSH's ``MaxSessions``."""
_LONGEST_LOGGED = 200


class Gate(paramiko.ServerInterface):
    """Paramiko's questions about one connection, answered.

    Whatever is not answered here is refused by the base class: passwords, keyboard-interactive, GSSAPI, shell, pty,
    subsystems, X11, agent and port forwarding. ``key`` is the fingerprint of the client's key, once it has shown one.
    """

    def __init__(self, root: Path, keyring: Keyring, log: EventLog, client: str) -> None:
        self._root = root
        self._keyring = keyring
        self._log = log
        self.client = client
        self.key: str | None = None
        self._protocols: dict[int, str] = {}
        self._sessions: set[GitSession] = set()
        self._lock = threading.Lock()

    def get_allowed_auths(self, username: str) -> str:  # noqa: ARG002 - paramiko's signature
        """Public keys only; any user name will do, the key alone decides."""
        return "publickey"

    def check_auth_publickey(self, username: str, key: paramiko.PKey) -> int:
        """Whether ``key`` opens any repository; paramiko verifies its signature afterwards.

        The key of the last call is the one that signed: after a success no more is asked.
        """
        print_ = fingerprint_of(key.asbytes())
        known = self._keyring.find(print_) is not None
        self.key = print_ if known else None
        self._note("offered", print_, username)
        return AUTH_SUCCESSFUL if known else AUTH_FAILED

    def check_channel_request(self, kind: str, chanid: int) -> int:  # noqa: ARG002 - paramiko's signature
        """Sessions, several on one connection (OpenSSH ``ControlMaster``), and no other kind of channel."""
        if kind != "session":
            self._note("refused", self.key, f"channel {kind}")
            return OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED
        with self._lock:
            if len(self._sessions) >= MAX_SESSIONS:
                return OPEN_FAILED_RESOURCE_SHORTAGE
        return OPEN_SUCCEEDED

    def check_channel_env_request(self, channel: paramiko.Channel, name: bytes, value: bytes) -> bool:
        """``GIT_PROTOCOL`` is heard, everything else ignored."""
        protocol = protocol_of(value) if name == b"GIT_PROTOCOL" else None
        if protocol is None:
            return False
        self._protocols[channel.get_id()] = protocol
        return True

    def check_channel_exec_request(self, channel: paramiko.Channel, command: bytes) -> bool:
        """Start git when the key may do what ``command`` asks, else say why not and close."""
        request, refusal = self._judge(command)
        shown = command[:_LONGEST_LOGGED].decode("utf-8", "backslashreplace")
        if request is None:
            self._note("refused", self.key, shown)
            threading.Thread(target=_refuse, args=(channel, refusal), daemon=True).start()
            return True
        self._note("exec", self.key, shown)
        self._start(channel, request)
        return True

    def check_channel_shell_request(self, channel: paramiko.Channel) -> bool:  # noqa: ARG002 - paramiko's signature
        """No shell."""
        self._note("refused", self.key, "shell")
        return False

    def stop(self) -> None:
        """End every git process of this connection and wait for its thread."""
        with self._lock:
            sessions = list(self._sessions)
        for session in sessions:
            session.stop()
        for session in sessions:
            session.join()

    def _judge(self, command: bytes) -> tuple[Request | None, str]:
        """The request if it is allowed; otherwise None and the reason, in words that the client's side knows."""
        request = parse_command(command)
        if request is None:
            return None, "only git-upload-pack and git-receive-pack are served here."
        grant = self._grant()
        if grant is None or grant.repo != request.repo or self._path(request.repo) is None:
            # One text for "not yours" and "not there": a key learns nothing about other repositories.
            return None, "this is not a repository of this key."
        if request.writes and not grant.write:
            return None, "this key may only read."
        return request, ""

    def _grant(self) -> Grant | None:
        """Asked again for every command: a shared connection must not outlive the revocation of its key."""
        return self._keyring.find(self.key) if self.key is not None else None

    def _path(self, repo: str) -> Path | None:
        """The folder of ``repo``, if it is a real one below the root: no symbolic link leads out."""
        path = self._root / f"{repo}.git"
        return path if path.is_dir() and path.resolve() == path else None

    def _start(self, channel: paramiko.Channel, request: Request) -> None:
        argv = serve_argv(request.service, self._root / f"{request.repo}.git")
        env = serve_env(self._protocols.pop(channel.get_id(), None))
        session = GitSession(channel, argv, env, lambda status: self._ended(session, status))
        with self._lock:
            self._sessions.add(session)
        session.start()

    def _ended(self, session: GitSession, status: int) -> None:
        with self._lock:
            self._sessions.discard(session)
        self._note("exit", self.key, str(status))

    def _note(self, kind: str, print_: str | None, detail: str) -> None:
        self._log.add(Event(kind, self.client, print_, detail))


def _refuse(channel: paramiko.Channel, reason: str) -> None:
    """Say ``reason`` and end with status 1, as the forges do: ssh's own "exec request failed" explains nothing."""
    with contextlib.suppress(*GONE):
        channel.sendall_stderr(f"soulsync: {reason}\n".encode())
        channel.send_exit_status(1)
    with contextlib.suppress(*GONE):
        channel.close()
