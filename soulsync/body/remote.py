"""The remote as the engine talks to it: list, fetch, push, each with a time limit and one shared connection."""

from __future__ import annotations

import contextlib
import os
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.access import failure
from soulsync.access.address import Remote, parse_remote
from soulsync.access.keyfile import ready
from soulsync.access.meeting import pin_shipped
from soulsync.access.ssh import close_master, control_dir, ssh_command
from soulsync.body import transfer
from soulsync.errors import SoulSyncError
from soulsync.lang import tr
from soulsync.repo.git import Git, GitError, GitTimeoutError, stop
from soulsync.repo.soul import FETCHED_REF

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from soulsync.body.config import Config
    from soulsync.body.home import Home

LIST_SECONDS = 60.0
"""Time limit for listing the remote's branches, handshake included."""

_NO_ROOM = ("No space left on device", "Disk quota exceeded", "Read-only file system", "File too large")
"""How a line of git ends where our own disk refused a write; what the server says begins with ``remote:``."""


def local_allowed() -> bool:
    """Whether tests ask for a path as the remote (soul-repo-v4 §7)."""
    return os.environ.get("SOUL_ALLOW_LOCAL_REMOTE") == "1"


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


class Connection:
    """One shared connection to the remote for as long as a sync lasts; git's commands run over it."""

    def __init__(self, git: Git, remote: Remote, home: Home, config: Config, socket: Path | None) -> None:
        self.git, self.remote, self.home, self.config, self.socket = git, remote, home, config, socket

    def start_listing(self) -> subprocess.Popen[bytes]:
        """Begin ``git ls-remote``; the handshake runs while the caller looks at the work tree."""
        return self.git.popen("ls-remote", "--heads", "--", self.remote.url, extra_env=self._env())

    def finish_listing(self, process: subprocess.Popen[bytes]) -> Heads:
        """The branches that the listing gave. Raises what the failure means (3, 4, 5)."""
        try:
            out, err = process.communicate(timeout=LIST_SECONDS)
        except subprocess.TimeoutExpired:
            stop(process)
            raise failure.classify("", self.remote, timed_out=True, step=tr("listing its branches")) from None
        if process.returncode != 0:
            raise self._meaning(err.decode("utf-8", "replace"))
        return _parse_heads(out)

    def list(self) -> Heads:
        """The branches of the remote."""
        return self.finish_listing(self.start_listing())

    def fetch(self) -> str:
        """Bring the remote's ``main`` with its objects; the tip, which no guard has looked at yet."""
        argv = (
            "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
            "--no-auto-maintenance", "--", self.remote.url, f"+{spec.MAIN_REF}:{FETCHED_REF}",
        )  # fmt: skip
        self._run(*argv)
        return self.git.text("rev-parse", "--verify", FETCHED_REF)

    def push(self, commit: str) -> PushFailure | None:
        """Send ``commit`` to the remote's ``main``, never by force; None when it arrived."""
        try:
            self._run("push", "--porcelain", "--no-verify", "--", self.remote.url, f"{commit}:{spec.MAIN_REF}")
        except _PushError as e:
            return PushFailure(e.said)
        return None

    def probe_write(self, commit: str) -> PushFailure | None:
        """Ask the server whether it would take a push, by a dry run that sends nothing."""
        argv = ("push", "--porcelain", "--no-verify", "--dry-run", "--", self.remote.url, f"{commit}:{spec.MAIN_REF}")
        try:
            self._run(*argv)
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
            step = tr("sending") if argv[0] == "push" else tr("receiving")
            raise failure.classify("", self.remote, timed_out=True, step=step) from e
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
    with control_dir() as folder:
        socket = folder / "s"
        try:
            yield Connection(git, remote, home, config, socket)
        finally:
            close_master(socket, remote)


def _parse_heads(out: bytes) -> Heads:
    branches = {}
    for line in out.decode("utf-8", "surrogateescape").splitlines():
        commit, _, name = line.partition("\t")
        if name.startswith("refs/heads/"):
            branches[name.removeprefix("refs/heads/")] = commit
    return Heads(branches)
