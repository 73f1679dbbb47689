"""The handshake of a sync, begun before the rest of the program is loaded.

An SSH handshake takes longer than everything else in a sync, and what a sync imports takes a third of it. So each sync
leaves a note of how it began to fetch, and the next one begins in the same way at once and imports meanwhile. The note
counts for one ``config.toml``, one ``known_hosts`` and one key. Whoever wants to fetch then compares what was begun
with what it would begin itself: it takes over what is the same in every word, and ends anything else.

Standard library only, and without ``subprocess``, which takes 15 ms to load.
"""

from __future__ import annotations

import fcntl
import os
import select
import time

from soulsync import __version__
from soulsync.repo import light, tampered
from soulsync.repo.environment import clean_env

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import IO

    from soulsync.body.plain_words import PlainWords

NOTE = "early"
_PLACEHOLDER = "soulsync-early"
"""The name of the socket's folder in a note; each sync makes a folder with a name of its own."""


class Contact:
    """How a sync begins to fetch: the words of the command, what it adds to the clean environment, its folder.

    ``socket_folder`` holds the socket of the shared connection; its name occurs in the environment.
    """

    __slots__ = ("argv", "cwd", "env", "socket_folder")

    def __init__(self, argv: Sequence[str], env: dict[str, str], cwd: str, socket_folder: str) -> None:
        self.argv, self.env, self.cwd, self.socket_folder = list(argv), env, cwd, socket_folder

    def words(self) -> list[str]:
        """All of it as a list, with a placeholder for the name of the socket's folder."""
        home, _, name = self.socket_folder.rpartition("/")
        assignments = sorted(f"{key}={value.replace(name, _PLACEHOLDER)}" for key, value in self.env.items())
        return [__version__, home, self.cwd, str(len(self.argv)), *self.argv, *assignments]

    @classmethod
    def read(cls, words: list[str], name: str) -> Contact:
        """The contact that a list of :meth:`words` says, with a folder of this ``name``."""
        _, home, cwd, count, *rest = words
        argv, assignments = rest[: int(count)], rest[int(count) :]
        env = dict(word.replace(_PLACEHOLDER, name).split("=", 1) for word in assignments)
        return cls(argv, env, cwd, f"{home}/{name}")


class Begun:
    """A command that runs already; the part of ``subprocess.Popen`` that a fetch needs."""

    stdout = None

    def __init__(self, pid: int, stderr: IO[bytes], contact: Contact) -> None:
        self.pid, self.contact = pid, contact
        self.returncode: int | None = None
        self._stderr, self._said, self._given = stderr, b"", False

    @property
    def stderr(self) -> IO[bytes]:
        """What it says; whoever takes this reads it to the end and closes it."""
        self._given = True
        return self._stderr

    def communicate(self, timeout: float | None = None) -> tuple[bytes, bytes]:
        """Read what it says to its end; raises ``subprocess.TimeoutExpired`` when that takes too long."""
        end = None if timeout is None else time.monotonic() + timeout
        while not self._given and not self._stderr.closed:
            left = None if end is None else max(0.0, end - time.monotonic())
            if not select.select([self._stderr], [], [], left)[0]:
                raise self._expired(timeout)
            chunk = os.read(self._stderr.fileno(), 65536)
            self._said += chunk
            if not chunk:
                self._stderr.close()
        while self.poll() is None:
            if end is not None and time.monotonic() > end:
                raise self._expired(timeout)
            time.sleep(0.001)
        return b"", self._said

    def _expired(self, timeout: float | None) -> Exception:
        from subprocess import TimeoutExpired

        return TimeoutExpired(self.contact.argv, timeout or 0.0, b"", self._said)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; the exit status."""
        self.communicate(timeout)
        return self.returncode or 0

    def poll(self) -> int | None:
        """The exit status, or None while it runs."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode


_state: dict[str, Begun] = {}
_locks: list[int] = []


def begin(words: PlainWords) -> None:
    """Begin to fetch, with which a plain sync begins, when the last one left a note; else nothing happens."""
    home = _home(words)
    if home is None:
        return
    try:
        contact = _noted(home)
        if contact is not None and _lock(f"{home}/state/sync.lock"):
            tampered.refuse(f"{contact.cwd}/.git")
            _state["begun"] = _start(contact)
    except Exception:  # whatever it is, the sync meets it again and explains it
        let_go()


def take(contact: Contact) -> Begun | None:
    """What was begun, when it is this contact; anything else that was begun is ended."""
    begun = _state.get("begun")
    if begun is None or begun.contact.words() != contact.words():
        abandon()
        return None
    return _state.pop("begun")


def folder() -> str | None:
    """The folder of the socket of what was begun."""
    return _state["begun"].contact.socket_folder if _state else None


def let_go() -> None:
    """Let go of the sync lock, which was taken so that no two syncs fetch at once."""
    while _locks:
        os.close(_locks.pop())


def abandon() -> None:
    """End what was begun and was not taken."""
    let_go()
    begun = _state.pop("begun", None)
    if begun is not None:
        from soulsync.repo.git import stop

        stop(begun)
        _remove(begun.contact.socket_folder)


def keep(home: Path, contact: Contact) -> None:
    """Leave the note by which the next sync can begin like this one did."""
    from soulsync.files import write_durably

    data = _stamp(str(home)) + b"\0".join(map(os.fsencode, contact.words()))
    file = home / "state" / NOTE
    if not file.is_file() or file.read_bytes() != data:
        write_durably(file, data)


def _stamp(home: str) -> bytes:
    """What must not have changed since: the configuration, which host keys are pinned, the key's file."""
    key = os.lstat(f"{home}/id_ed25519")
    file = f"{key.st_ino} {key.st_mode} {key.st_uid} {key.st_size} {key.st_mtime_ns}".encode()
    return b"\0".join((_content(f"{home}/config.toml"), _content(f"{home}/known_hosts"), file, b""))


def _content(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read()


def _home(words: PlainWords) -> str | None:
    """The home that a command line is about; None where that is not clear."""
    base = words.home or os.environ.get("SOULSYNC_HOME") or "~/.soulsync"
    base = os.path.abspath(os.path.expanduser(base))
    agent = words.agent or os.environ.get("SOULSYNC_AGENT") or _only_one(base)
    return f"{base}/{agent}" if agent and "/" not in agent else None


def _only_one(base: str) -> str | None:
    try:
        agents = [name for name in os.listdir(base) if os.path.isfile(f"{base}/{name}/config.toml")]
    except OSError:
        return None
    return agents[0] if len(agents) == 1 else None


def _noted(home: str) -> Contact | None:
    noted, stamp = _content(f"{home}/state/{NOTE}"), _stamp(home)
    if not noted.startswith(stamp):
        return None
    words = [os.fsdecode(word) for word in noted[len(stamp) :].split(b"\0")]
    return Contact.read(words, "soulsync-" + os.urandom(4).hex()) if words[0] == __version__ else None


def _lock(path: str) -> bool:
    fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        return False
    _locks.append(fd)
    return True


def _start(contact: Contact) -> Begun:
    os.mkdir(contact.socket_folder, 0o700)
    here = os.open(".", os.O_RDONLY | os.O_CLOEXEC)
    out, into = os.pipe()
    try:
        os.chdir(contact.cwd)
        pid = light.start(contact.argv, {**clean_env(os.environ), **contact.env}, {2: into})
    except BaseException:
        os.close(out)
        _remove(contact.socket_folder)
        raise
    finally:
        os.fchdir(here)
        os.close(here)
        os.close(into)
    return Begun(pid, os.fdopen(out, "rb", buffering=0), contact)


def _remove(folder: str) -> None:
    for name in os.listdir(folder):
        os.unlink(f"{folder}/{name}")
    os.rmdir(folder)
