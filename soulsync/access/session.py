"""One git process on the server, tied to one SSH channel: bytes both ways, exit status back, no process left over."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from typing import TYPE_CHECKING, Protocol

import paramiko

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import IO

_CHUNK = 1 << 16
_TERM_SECONDS = 2.0
GONE = (OSError, EOFError, paramiko.SSHException)
"""What paramiko raises when the other side is gone: which of them depends on the moment."""


class _Send(Protocol):
    def __call__(self, data: bytes, /) -> object: ...


class GitSession(threading.Thread):
    """Runs ``argv`` for ``channel``; ``ended`` is told the exit status.

    Three streams, three threads: a single loop would stop one direction while it waits for the window of another,
    and git fills all of them at once.
    """

    def __init__(
        self,
        channel: paramiko.Channel,
        argv: Sequence[str],
        env: Mapping[str, str],
        ended: Callable[[int], None],
    ) -> None:
        super().__init__(name="soulsync-git", daemon=True)
        self._channel = channel
        self._argv = argv
        self._env = env
        self._ended = ended
        self._child: subprocess.Popen[bytes] | None = None
        self._stopped = threading.Event()
        self._spawning = threading.Lock()

    def run(self) -> None:
        """Serve the channel until git has ended or the client is gone."""
        status = 128
        try:
            child = self._spawn()
            if child is not None:
                status = self._serve(child)
        except OSError as error:
            self._say(f"soulsync: git can't be started: {error.strerror}\n".encode())
        finally:
            self._close(status)
            self._ended(status)

    def stop(self) -> None:
        """End git and the channel; the thread ends soon after."""
        with self._spawning:
            self._stopped.set()
            child = self._child
        if child is not None:
            _terminate(child)
        with contextlib.suppress(*GONE):
            self._channel.close()

    def _spawn(self) -> subprocess.Popen[bytes] | None:
        with self._spawning:
            if self._stopped.is_set():
                return None
            # A session of its own, so that git's own children (pack-objects, index-pack) can be ended with it.
            self._child = subprocess.Popen(
                self._argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(self._env),
                cwd="/",
                start_new_session=True,
            )
            return self._child

    def _serve(self, child: subprocess.Popen[bytes]) -> int:
        channel = self._channel
        feeder = threading.Thread(target=self._feed, args=(child,), daemon=True)
        errors = threading.Thread(target=self._forward, args=(child, child.stderr, channel.sendall_stderr), daemon=True)
        feeder.start()
        errors.start()
        self._forward(child, child.stdout, channel.sendall)
        errors.join()
        status = child.wait()
        status = status if status >= 0 else 128 - status
        self._close(status)
        feeder.join()  # closing the channel woke it
        return status

    def _feed(self, child: subprocess.Popen[bytes]) -> None:
        """What the client sends, to git; the end of it too. A client that is gone takes git with it."""
        try:
            with contextlib.suppress(*GONE), _pipe(child.stdin) as stdin:  # git may stop reading before its client
                while data := self._channel.recv(_CHUNK):
                    stdin.write(data)
                    stdin.flush()
        finally:
            if self._is_gone() and child.poll() is None:
                _terminate(child)

    def _forward(self, child: subprocess.Popen[bytes], pipe: IO[bytes] | None, send: _Send) -> None:
        with _pipe(pipe) as stream:
            try:
                while data := os.read(stream.fileno(), _CHUNK):
                    send(data)
            except GONE:  # the channel is closed: nobody wants the rest
                _terminate(child)

    def _is_gone(self) -> bool:
        """Whether nobody is at the other end; a mere end of input leaves the channel open."""
        return self._channel.closed or not self._channel.get_transport().is_active()

    def _say(self, text: bytes) -> None:
        with contextlib.suppress(*GONE):
            self._channel.sendall_stderr(text)

    def _close(self, status: int) -> None:
        if not self._channel.closed:
            with contextlib.suppress(*GONE):
                self._channel.send_exit_status(status)
            with contextlib.suppress(*GONE):
                self._channel.close()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    """One of the three streams, all of which were asked for as pipes."""
    if stream is None:
        raise ValueError("not a pipe")
    return stream


def _terminate(child: subprocess.Popen[bytes]) -> None:
    """End git and its children: politely first, so that it removes its lock files."""
    _signal(child, signal.SIGTERM)
    try:
        child.wait(_TERM_SECONDS)
    except subprocess.TimeoutExpired:
        _signal(child, signal.SIGKILL)


def _signal(child: subprocess.Popen[bytes], number: int) -> None:
    if child.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, number)
