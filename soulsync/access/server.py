"""A small SSH git server for demos, tests and a home network (``soulsync remote serve``).

Public keys only, each tied to one repository; nothing runs but git on that repository. Loopback unless told
otherwise. The embedded server needs no account and no system service; the protocol itself is paramiko's.
"""

from __future__ import annotations

import contextlib
import logging
import selectors
import socket
import threading
import time
from typing import TYPE_CHECKING, Self

import paramiko

from soulsync.access.bare import create_bare
from soulsync.access.events import Event, EventLog
from soulsync.access.gate import Gate
from soulsync.access.key import generate
from soulsync.access.keyfile import check_private
from soulsync.access.keyring import Keyring
from soulsync.access.request import repo_name
from soulsync.errors import SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_LOGGER = "soulsync.server.paramiko"
logging.getLogger(_LOGGER).addHandler(logging.NullHandler())  # a client's broken handshake is no text for stderr

_POLL_SECONDS = 0.5
_KEEPALIVE_SECONDS = 30


class SoulServer:
    """The embedded SSH server: bare repositories ``<root>/<repo>.git``, keys in ``<root>/keys.json``.

    ``port`` 0 picks a free one. ``host_key`` (default ``<root>/host_key``) is made when it is missing.
    """

    def __init__(
        self,
        root: Path,
        host: str = "127.0.0.1",
        port: int = 0,
        host_key: Path | None = None,
        *,
        max_connections: int = 64,
        auth_seconds: float = 20.0,
        listener: Callable[[Event], None] | None = None,
    ) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root.resolve()
        self.host = host
        self._wanted_port = port
        self._host_key_path = host_key or self.root / "host_key"
        self._max_connections = max_connections
        self._auth_seconds = auth_seconds
        self._keyring = Keyring(self.root / "keys.json")
        self._log = EventLog(listener)
        self._connections: set[_Connection] = set()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._thread: threading.Thread | None = None
        self._waker: socket.socket | None = None
        self._lifecycle = threading.Lock()

    @property
    def port(self) -> int:
        """The port it listens at. Raises SoulSyncError when it has not been started."""
        if self._socket is None:
            raise SoulSyncError(tr("The server is not running."))
        return int(self._socket.getsockname()[1])

    @property
    def events(self) -> list[Event]:
        """What happened so far, oldest first."""
        return self._log.all()

    def url(self, repo: str) -> str:
        """The address of ``repo`` for a body."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"ssh://git@{host}:{self.port}/{repo_name(repo)}.git"

    def create(self, repo: str) -> Path:
        """Make the bare repository ``repo`` (``[owner/]name``) and return its folder."""
        path = self._path(repo)
        create_bare(path)
        return path

    def authorize(self, repo: str, public_line: str, write: bool = True) -> None:
        """Let the key read ``repo``, and write it if ``write``; at once, also while the server runs.

        Raises SoulSyncError when the repository is missing, RefusedError when the key opens another one.
        """
        if not self._path(repo).is_dir():
            raise SoulSyncError(tr("There is no repository {repo}.", repo=repo_name(repo)), tr("Create it first."))
        self._keyring.add(repo_name(repo), public_line, write=write)

    def revoke(self, repo: str, public_line: str) -> None:
        """Take the key's access away, at once, also on connections that are open."""
        self._keyring.remove(repo_name(repo), public_line)

    def start(self) -> None:
        """Listen and serve in background threads. Raises SoulSyncError when the port can't be had."""
        key = self._host_key()
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        try:
            self._socket = socket.create_server((self.host, self._wanted_port), family=family, backlog=64)
        except OSError as error:
            at = f"{self.host}:{self._wanted_port}"
            raise SoulSyncError(
                tr("Can't listen at {at}: {strerror}.", at=at, strerror=error.strerror), tr("Use another port.")
            ) from None
        self._socket.setblocking(False)
        self._waker, wakee = socket.socketpair()
        arguments = (self._socket, wakee, key)
        self._thread = threading.Thread(target=self._accept, args=arguments, name="soulsync-accept", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Close every connection, end every git process, and wait for all threads."""
        with self._lifecycle:
            if self._thread is not None and self._waker is not None:
                self._waker.close()  # readable at the other end: the signal to go
                self._thread.join()
                self._thread = None
            if self._socket is not None:
                self._socket.close()
                self._socket = None
            with self._lock:
                connections = list(self._connections)
            for connection in connections:
                connection.stop()
            for connection in connections:
                connection.join()

    def serve_forever(self) -> None:
        """Serve until ``stop`` is called from elsewhere, or an interrupt comes."""
        if self._thread is None:
            self.start()
        try:
            while (thread := self._thread) is not None and thread.is_alive():
                thread.join(_POLL_SECONDS)
        finally:
            self.stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _path(self, repo: str) -> Path:
        return self.root / f"{repo_name(repo)}.git"

    def _host_key(self) -> paramiko.PKey:
        path = self._host_key_path
        with contextlib.suppress(SoulSyncError):  # it is there: the server keeps its identity
            generate(path, "soulsync server")
        check_private(path)
        return paramiko.Ed25519Key(filename=str(path))

    def _accept(self, listening: socket.socket, wakee: socket.socket, key: paramiko.PKey) -> None:
        with wakee, selectors.DefaultSelector() as selector:
            selector.register(listening, selectors.EVENT_READ)
            selector.register(wakee, selectors.EVENT_READ)
            while True:
                ready = [entry.fileobj for entry, _ in selector.select()]
                if wakee in ready:
                    return
                with contextlib.suppress(OSError):  # the client may have left again
                    self._welcome(*listening.accept(), key)

    def _welcome(self, sock: socket.socket, address: tuple[str, int], key: paramiko.PKey) -> None:
        client = f"{address[0]}:{address[1]}"
        with self._lock:
            full = len(self._connections) >= self._max_connections
        if full:
            self._log.add(Event("refused", client, detail="too many connections"))
            sock.close()
            return
        self._log.add(Event("connect", client))
        gate = Gate(self.root, self._keyring, self._log, client)
        connection = _Connection(sock, key, gate, self._auth_seconds, self._farewell)
        with self._lock:
            self._connections.add(connection)
        connection.start()

    def _farewell(self, connection: _Connection) -> None:
        with self._lock:
            self._connections.discard(connection)
        self._log.add(Event("disconnect", connection.gate.client, connection.gate.key))


class _Connection(threading.Thread):
    """One SSH connection from its handshake to its end; ``ended`` is told when nothing of it is left."""

    def __init__(
        self,
        sock: socket.socket,
        key: paramiko.PKey,
        gate: Gate,
        auth_seconds: float,
        ended: Callable[[_Connection], None],
    ) -> None:
        super().__init__(name="soulsync-connection", daemon=True)
        self.gate = gate
        self._auth_seconds = auth_seconds
        self._ended = ended
        sock.setblocking(True)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)  # notices a client that lost its network
        self._transport = paramiko.Transport(sock)
        self._transport.daemon = True
        self._transport.set_log_channel(_LOGGER)
        self._transport.banner_timeout = auth_seconds
        self._transport.handshake_timeout = auth_seconds
        self._transport.add_server_key(key)

    def run(self) -> None:
        """Shake hands, let the client prove its key in time, stay until it goes."""
        try:
            deadline = time.monotonic() + self._auth_seconds
            self._transport.start_server(server=self.gate)
            self._stay(deadline)
        except (paramiko.SSHException, EOFError, OSError):
            pass  # a scanner, or a client that went away in mid-handshake
        finally:
            self._transport.close()
            self._transport.packetizer.complete_handshake()  # ends paramiko's timer of a handshake that was broken off
            self.gate.stop()
            self._ended(self)

    def stop(self) -> None:
        """Close the connection; the thread ends soon after."""
        self._transport.close()

    def _stay(self, deadline: float) -> None:
        channels: list[paramiko.Channel] = []  # paramiko itself holds them weakly and would close them
        self._transport.set_keepalive(_KEEPALIVE_SECONDS)
        while self._transport.is_active():
            channel = self._transport.accept(_POLL_SECONDS)
            channels = [each for each in [*channels, channel] if each is not None and not each.closed]
            if not self._transport.is_authenticated() and time.monotonic() > deadline:
                return
