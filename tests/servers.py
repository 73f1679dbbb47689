"""Two real SSH git servers on loopback with one small interface: the embedded one, and OpenSSH's sshd.

Each is a context manager. ``offered()`` lists the fingerprints of the keys that clients showed, from the server's
own log; ``connections()`` counts what came in.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Protocol, Self

from soulsync.access import forced, key
from soulsync.access.bare import create_bare
from soulsync.access.server import SoulServer

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin") or "/usr/sbin/sshd"
_START_SECONDS = 10
_PRIVSEP = Path("/run/sshd")
_OFFERED = re.compile(r"userauth_pubkey: .*(?:test|have) .*?(SHA256:[A-Za-z0-9+/]+)")


class GitServer(Protocol):
    """What the tests need of a server."""

    root: Path

    def url(self, repo: str) -> str: ...
    def create(self, repo: str) -> Path: ...
    def authorize(self, repo: str, public_line: str, write: bool = True) -> None: ...
    def revoke(self, repo: str, public_line: str) -> None: ...
    def offered(self) -> list[str]: ...
    def connections(self) -> int: ...
    def host_keys(self) -> list[str]: ...
    def new_host_key(self) -> None: ...
    def stop(self) -> None: ...
    @property
    def port(self) -> int: ...


class EmbeddedServer:
    """The product's own server (``soulsync remote serve``)."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.server = SoulServer(root)
        self.server.start()

    @property
    def port(self) -> int:
        return self.server.port

    def url(self, repo: str) -> str:
        return self.server.url(repo)

    def create(self, repo: str) -> Path:
        return self.server.create(repo)

    def authorize(self, repo: str, public_line: str, write: bool = True) -> None:
        self.server.authorize(repo, public_line, write)

    def revoke(self, repo: str, public_line: str) -> None:
        self.server.revoke(repo, public_line)

    def offered(self) -> list[str]:
        return [event.fingerprint or "" for event in self.server.events if event.kind == "offered"]

    def connections(self) -> int:
        return sum(event.kind == "connect" for event in self.server.events)

    def host_keys(self) -> list[str]:
        return [key.fingerprint(key.public_line(self.root / "host_key"))]

    def new_host_key(self) -> None:
        """Restart at the same port as another server would: with a key of its own."""
        port = self.server.port
        self.server.stop()
        (self.root / "host_key").unlink()
        self.server = SoulServer(self.root, port=port)
        self.server.start()

    def stop(self) -> None:
        self.server.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class OpenSSHServer:
    """A real sshd as the current user: one ``authorized_keys`` of forced commands, log at DEBUG2 in a file."""

    def __init__(self, root: Path, host_key_types: tuple[str, ...] = ("ed25519",)) -> None:
        self.root = root.resolve()
        self.root.mkdir(parents=True, exist_ok=True)
        self.user = getpass.getuser()
        self.log = self.root / "sshd.log"
        self.authorized_keys = self.root / "authorized_keys"
        self.authorized_keys.touch(mode=0o600)
        self._types = host_key_types
        self._port = 0
        self._probes = 0
        self._process: subprocess.Popen[bytes] | None = None
        if os.geteuid() == 0:
            _PRIVSEP.mkdir(mode=0o755, exist_ok=True)  # where sshd run by root puts its unprivileged child
        self._make_host_keys()
        self._start()

    @property
    def port(self) -> int:
        return self._port

    def url(self, repo: str) -> str:
        return f"ssh://{self.user}@127.0.0.1:{self._port}{self._path(repo)}"

    def create(self, repo: str) -> Path:
        create_bare(self._path(repo))
        return self._path(repo)

    def authorize(self, repo: str, public_line: str, write: bool = True) -> None:
        forced.authorize(self.authorized_keys, self._path(repo), public_line, write=write)

    def revoke(self, repo: str, public_line: str) -> None:
        forced.revoke(self.authorized_keys, public_line)

    def authorize_freely(self, public_line: str) -> None:
        """Let a key do everything, as a user's personal key may on his own server."""
        with self.authorized_keys.open("a") as file:
            file.write(f"{public_line}\n")

    def offered(self) -> list[str]:
        return _OFFERED.findall(self.log.read_text(errors="replace"))

    def connections(self) -> int:
        return self.log.read_text(errors="replace").count("Connection from 127.0.0.1") - self._probes

    def host_keys(self) -> list[str]:
        return [key.fingerprint((self.root / f"host_{kind}.pub").read_text()) for kind in self._types]

    def new_host_key(self) -> None:
        self.stop()
        for kind in self._types:
            (self.root / f"host_{kind}").unlink()
        self._make_host_keys()
        self._start(self._port)

    def offer_host_keys(self, *kinds: str) -> None:
        """Restart with host keys of these types; those that are there already are kept."""
        self.stop()
        self._types = kinds
        self._make_host_keys()
        self._start(self._port)

    def stop(self) -> None:
        if self._process is not None:
            connections = _descendants(self._process.pid)  # each is a session of its own and outlives the listener
            self._process.terminate()
            self._process.wait(10)
            self._process = None
            for pid in connections:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGTERM)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _path(self, repo: str) -> Path:
        return self.root / f"{repo.removesuffix('.git')}.git"

    def _make_host_keys(self) -> None:
        for kind in self._types:
            path = self.root / f"host_{kind}"
            if not path.exists():
                argv = ["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "test host", "-f", str(path)]
                subprocess.run(argv, check=True, timeout=60, stdin=subprocess.DEVNULL)

    def _start(self, port: int = 0) -> None:
        for _ in range(5):  # another process may take the port between the choice and sshd's bind
            self._port = port or _free_port()
            config = self.root / "sshd_config"
            config.write_text(self._config())
            argv = [SSHD, "-D", "-f", str(config), "-E", str(self.log)]
            self._process = subprocess.Popen(argv, stdin=subprocess.DEVNULL)
            if self._answers():
                return
            self.stop()
        raise RuntimeError(f"sshd did not start: {self.log.read_text(errors='replace')}")

    def _answers(self) -> bool:
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline and self._process is not None and self._process.poll() is None:
            try:
                with socket.create_connection(("127.0.0.1", self._port), timeout=1) as sock:
                    self._probes += 1
                    return sock.recv(4) == b"SSH-"
            except OSError:
                time.sleep(0.02)
        return False

    def _config(self) -> str:
        lines = [
            f"Port {self._port}",
            "ListenAddress 127.0.0.1",
            *(f'HostKey "{self.root / f"host_{kind}"}"' for kind in self._types),
            f'AuthorizedKeysFile "{self.authorized_keys}"',
            "PidFile none",
            "StrictModes no",
            "UsePAM no",
            "PermitRootLogin prohibit-password",
            "PasswordAuthentication no",
            "KbdInteractiveAuthentication no",
            "AcceptEnv GIT_PROTOCOL",
            "UseDNS no",
            "MaxStartups 100",
            "LogLevel DEBUG2",
        ]
        return "".join(f"{line}\n" for line in lines)


def _descendants(pid: int) -> list[int]:
    """The processes below ``pid``, where /proc tells; elsewhere none."""
    try:
        children = [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    return [*children, *(below for child in children for below in _descendants(child))]


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])
