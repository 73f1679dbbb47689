"""The remote as the engine talks to it: list, fetch, push, each with a time limit and one shared connection."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.access import failure
from soulsync.access.address import Remote, parse_remote
from soulsync.access.keyfile import ready
from soulsync.access.meeting import pin_shipped
from soulsync.access.ssh import close_master, control_dir, ssh_command
from soulsync.body import early, transfer
from soulsync.body.early import Contact
from soulsync.body.opened import local_allowed as local_allowed
from soulsync.errors import SoulSyncError
from soulsync.lang import tr
from soulsync.repo.git import Git, GitError, GitTimeoutError, stop
from soulsync.repo.soul import FETCHED_REF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.body.config import Config
    from soulsync.body.early import Begun
    from soulsync.body.home import Home
    from soulsync.body.transfer import Process

LIST_SECONDS = 60.0
"""Time limit for listing the remote's branches, and for the first word of a fetch; handshake included."""
_FETCH = (
    "fetch", "--progress", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance",
)  # fmt: skip
_PUSH = ("push", "--progress", "--porcelain", "--no-verify")
_GLANCE = 0.002
"""Seconds between two looks whether a connection is open."""
_NOT_THERE = "couldn't find remote ref"
_LOCKED = ("unable to update local ref", "cannot lock ref", ".lock': File exists")
"""Words of git for a lock that lies here (git 2.39)."""
"""What git 2.39 says when the remote has no branch of that name."""

_NO_ROOM = ("No space left on device", "Disk quota exceeded", "Read-only file system", "File too large")
"""How a line of git ends where our own disk refused a write; what the server says begins with ``remote:``."""


@dataclass(frozen=True, slots=True)
class Heads:
    """The branches of the remote: name to commit."""

    branches: dict[str, str] = field(default_factory=dict)

    @property
    def main(self) -> str | None:
        """The tip of ``main``, or None."""
        return self.branches.get(spec.BRANCH)


@dataclass(frozen=True, slots=True)
class PushFailure:
    """A push that did not arrive: what git said. Whether it was a race is told by the remote's tip, not by words."""

    said: str


@dataclass(frozen=True, slots=True)
class PushAhead:
    """A push of ``commit`` that runs while the first fetch does; only taken where the remote still is at ``seen``."""

    process: Process
    argv: tuple[str, ...]
    commit: str
    seen: str


class Connection:
    """One shared connection to the remote for as long as a sync lasts; git's commands run over it."""

    def __init__(
        self, git: Git, remote: Remote, home: Home, config: Config, socket: Path | None, begun: Begun | None = None
    ) -> None:
        self.git, self.remote, self.home, self.config, self.socket = git, remote, home, config, socket
        self._early = begun
        self._begun: list[Process] = [begun] if begun else []

    def begin(self) -> Process:
        """Begin to fetch the remote's ``main``; the handshake runs while the caller looks at the work tree.

        A fetch that finds nothing new costs what a listing costs, and one that does saves a session.
        """
        begun, self._early = self._early, None
        return begun or self._running(self.git.popen(*self._fetch_argv(), extra_env=self._env()))

    def arrived(self, fetch: Process) -> bool:
        """Wait for what was begun: whether the remote's ``main`` is in ``FETCHED_REF``; False where it has none.

        False also where a lock was in the way: it began before the locks that a killed git left were set aside.
        Raises what a failure means (3, 4, 5).
        """
        try:
            transfer.finish(fetch, self._fetch_argv(), LIST_SECONDS, self.config.network_timeout)
        except GitTimeoutError as e:
            silent = e.seconds == LIST_SECONDS
            raise self._timed_out(tr("listing its branches") if silent else tr("receiving")) from e
        except GitError as e:
            if any(words in e.err for words in (_NOT_THERE, *_LOCKED)):
                return False
            raise self._meaning(e.err) from e
        if self.socket is not None:
            early.keep(self.home.root, self.contact())
        return True

    def contact(self) -> Contact:
        """How the first fetch of a sync is begun."""
        env = {**self.git.added, **self._env()}
        folder = str(self.socket.parent) if self.socket is not None else ""
        return Contact(["git", *self._fetch_argv()], env, str(self.git.work_tree), folder)

    def is_shared(self, first: Process) -> bool:
        """Wait until other commands can use the connection that ``first`` opens; False if that never comes."""
        while self.socket is not None and first.poll() is None:
            if self.socket.exists():
                return True
            time.sleep(_GLANCE)
        return self.socket is not None and self.socket.exists()

    def push_ahead(self, commit: str, seen: str) -> PushAhead:
        """Begin to send ``commit``, which contains ``seen``, to a remote that must still be at ``seen``."""
        lease = f"--force-with-lease={spec.MAIN_REF}:{seen}"  # a condition more, never one less: ours contains it
        argv = (*_PUSH, lease, "--", self.remote.url, f"{commit}:{spec.MAIN_REF}")
        return PushAhead(self._running(self.git.popen(*argv, extra_env=self._env())), argv, commit, seen)

    def _running(self, process: Process) -> Process:
        self._begun.append(process)
        return process

    def was_taken(self, ahead: PushAhead) -> bool:
        """Wait for a push that was begun ahead: whether it arrived; why not is not asked."""
        limit = self.config.network_timeout
        with contextlib.suppress(GitError):
            transfer.finish(ahead.process, ahead.argv, limit, limit)
            return True
        return False

    def drop(self) -> None:
        """End what was begun and never waited for."""
        for process in self._begun:
            if process.poll() is None:
                stop(process)
            for pipe in (process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()

    def list(self) -> Heads:
        """The branches of the remote. Raises what a failure means (3, 4, 5)."""
        try:
            argv = ("ls-remote", "--heads", "--", self.remote.url)
            out = self.git.run(*argv, timeout=LIST_SECONDS, extra_env=self._env()).out
        except GitTimeoutError as e:
            raise self._timed_out(tr("listing its branches")) from e
        except GitError as e:
            raise self._meaning(e.err) from e
        return _parse_heads(out)

    def fetch(self) -> str:
        """Bring the remote's ``main`` with its objects; the tip, which no guard has looked at yet."""
        self._run(*self._fetch_argv())
        return self.git.text("rev-parse", "--verify", FETCHED_REF)

    def _fetch_argv(self) -> tuple[str, ...]:
        return (*_FETCH, "--", self.remote.url, f"+{spec.MAIN_REF}:{FETCHED_REF}")

    def _timed_out(self, step: str) -> SoulSyncError:
        return failure.classify("", self.remote, timed_out=True, step=step)

    def push(self, commit: str) -> PushFailure | None:
        """Send ``commit`` to the remote's ``main``, never by force; None when it arrived."""
        try:
            self._run(*_PUSH, "--", self.remote.url, f"{commit}:{spec.MAIN_REF}")
        except _PushError as e:
            return PushFailure(e.said)
        return None

    def probe_write(self, commit: str) -> PushFailure | None:
        """Ask the server whether it would take a push, by a dry run that sends nothing."""
        try:
            self._run(*_PUSH, "--dry-run", "--", self.remote.url, f"{commit}:{spec.MAIN_REF}")
        except _PushError as e:
            return PushFailure(e.said)
        return None

    def meaning(self, failed: PushFailure) -> Exception:
        """What a push failure means when it was no race."""
        return self._meaning(failed.said)

    def _run(self, *argv: str) -> None:
        try:
            transfer.run(self.git, argv, self.config.network_timeout, self._env())
        except GitTimeoutError as e:
            raise self._timed_out(tr("sending") if argv[0] == "push" else tr("receiving")) from e
        except GitError as e:
            if argv[0] == "push":
                raise _PushError(e.err) from e
            raise self._meaning(e.err) from e

    def _meaning(self, stderr: str) -> Exception:
        for line in stderr.splitlines():
            if not line.startswith("remote:") and line.strip().endswith(_NO_ROOM):
                return SoulSyncError(
                    tr("The disk can't be written: {line}.", line=line.strip()),
                    tr("Nothing was lost. Make room, then sync again."),
                )
        return failure.classify(stderr, self.remote, known_hosts=self.home.known_hosts, port_443=self.config.port_443)

    def _env(self) -> dict[str, str]:
        if self.remote.is_local:
            return {}
        command = ssh_command(
            self.home.key,
            self.home.known_hosts,
            strict=False,  # a first contact pins the key, a changed one is refused either way
            port_443=self.remote if self.config.port_443 else None,
            control_path=self.socket,
            connect_timeout=self.config.connect_timeout,
        )
        return {"GIT_SSH_COMMAND": command, "GIT_SSH_VARIANT": "ssh"}


class _PushError(Exception):
    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


def remote_of(config: Config) -> Remote | None:
    """The configured remote, or None for a local soul. Raises ``RefusedError`` for an address that may not be."""
    return parse_remote(config.remote, allow_local=local_allowed()) if config.remote else None


@contextlib.contextmanager
def connect(git: Git, remote: Remote, home: Home, config: Config) -> Iterator[Connection]:
    """A connection for the time of the ``with`` block; closed at the end, so that a revoked key stops working at once.

    Raises ``DeniedError`` (4) at once when the deploy key is missing or open to others.
    """
    if remote.is_local:
        yield Connection(git, remote, home, config, None)
        return
    ready(home.key)
    pin_shipped(home.known_hosts, remote, port_443=config.port_443)
    begun = _begun_early(git, remote, home, config)
    with control_dir(begun.contact.socket_folder if begun else None) as folder:
        connection = Connection(git, remote, home, config, folder / "s", begun)
        try:
            yield connection
        finally:
            connection.drop()
            close_master(folder / "s", remote)


def _begun_early(git: Git, remote: Remote, home: Home, config: Config) -> Begun | None:
    """The fetch that runs already, if it is the one with which this connection would begin."""
    folder = early.folder()
    if folder is None:
        return None
    return early.take(Connection(git, remote, home, config, Path(folder, "s")).contact())


def _parse_heads(out: bytes) -> Heads:
    branches = {}
    for line in out.decode("utf-8", "surrogateescape").splitlines():
        commit, _, name = line.partition("\t")
        if name.startswith("refs/heads/"):
            branches[name.removeprefix("refs/heads/")] = commit
    return Heads(branches)
