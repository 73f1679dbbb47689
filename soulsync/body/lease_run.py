"""Running a program while holding the lease: renewed as long as it lives, stopped when the lease is lost."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

from soulsync.body import lease
from soulsync.body.told_to_end import Ended, ending
from soulsync.errors import BusyError, LeaseHeldError, SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from soulsync.body.config import Config
    from soulsync.body.home import Home

RENEW_EVERY = 10 * 60.0
"""Seconds between renewals of a lease that lasts 30 minutes."""
RETRY_EVERY = 20.0
STOP_BEFORE = 2 * 60.0
"""Seconds before its end at which the holder stops: clocks differ (soul-repo-v4 §3.6)."""
GRACE = 10.0
"""Seconds between SIGTERM and SIGKILL for a program that lost its lease."""
POLL = 0.1
RELEASE_PATIENCE = 60.0
"""Seconds for which the lease is given back again and again while another sync of this body is at work."""


def run(
    home: Home,
    config: Config,
    argv: Sequence[str],
    *,
    renew_every: float = RENEW_EVERY,
    warn: Callable[[str], None] = lambda _text: None,
) -> int:
    """Take the lease, run ``argv``, give the lease back; the program's exit code, 128 + signal when one ended it.

    Raises ``LeaseHeldError`` (6) when another body holds the lease, before or while the program runs, and
    ``OfflineError`` (5) when it could not be renewed in time; the program is stopped then. ``warn`` is told when the
    lease could not be given back.
    """
    try:
        with ending(home):
            held = _acquire(home, config, warn)
            with _given_back(home, config, warn):
                return _Program(home, config, renew_every, _ends(held)).run(argv)
    except Ended as e:
        return 128 + e.number


def _acquire(home: Home, config: Config, warn: Callable[[str], None]) -> lease.Held:
    try:
        return lease.acquire(home, config)
    except Ended:
        _give_back(home, config, warn)  # it may have been pushed already
        raise


@contextlib.contextmanager
def _given_back(home: Home, config: Config, warn: Callable[[str], None]) -> Iterator[None]:
    """Give the lease back on every way out, but where another body is known to hold it."""
    try:
        yield
    except LeaseHeldError:
        raise
    except BaseException:
        _give_back(home, config, warn)
        raise
    _give_back(home, config, warn)


class _Program:
    """The program at work, and the thread that renews the lease: a network that hangs must not hide that it ends."""

    def __init__(self, home: Home, config: Config, renew_every: float, ends: float) -> None:
        self.home, self.config, self.renew_every, self.ends = home, config, renew_every, ends
        self._over = threading.Event()
        self._lost: SoulSyncError | None = None

    def run(self, argv: Sequence[str]) -> int:
        process = _start(argv)
        renewer = threading.Thread(target=self._renew, daemon=True)
        renewer.start()
        try:
            while (code := _poll(process)) is None:
                lost = self._lost
                if isinstance(lost, LeaseHeldError) or time.monotonic() > self.ends:
                    raise lost or SoulSyncError(tr("The lease could not be renewed in time."), tr("CMD was stopped."))
            return code if code >= 0 else 128 - code
        finally:
            self._over.set()
            _stop(process)
            renewer.join(RELEASE_PATIENCE)  # a renewal under way would take the lease again after it was given back

    def _renew(self) -> None:
        pause = self.renew_every
        while not self._over.wait(pause):
            try:
                self.ends = _ends(lease.acquire(self.home, self.config))
                self._lost, pause = None, self.renew_every
            except SoulSyncError as e:
                self._lost, pause = e, min(RETRY_EVERY, self.renew_every)


def _ends(held: lease.Held) -> float:
    """When we must stop, by our own steady clock."""
    return time.monotonic() + (held.until / 1000 - time.time()) - STOP_BEFORE


def _start(argv: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start the program; without a terminal in a process group of its own, so that its children are stopped with it.

    On a terminal it stays in ours: another group could neither read from it nor hear Ctrl-C.
    """
    group = None if _on_a_terminal() else 0
    try:
        return subprocess.Popen(list(argv), process_group=group)
    except (OSError, ValueError) as e:
        reason = getattr(e, "strerror", None) or str(e)
        raise SoulSyncError(tr("{program} can't be started: {reason}.", program=argv[0], reason=reason)) from e


def _on_a_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _poll(process: subprocess.Popen[bytes]) -> int | None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.wait(POLL)
    return None


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    _signal(process, signal.SIGTERM)
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        _signal(process, signal.SIGKILL)
        process.wait()


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.getpgid(process.pid) == process.pid:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)


def _give_back(home: Home, config: Config, warn: Callable[[str], None]) -> None:
    """Release the lease; a sync that cron started meanwhile is waited for."""
    deadline = time.monotonic() + RELEASE_PATIENCE
    while True:
        try:
            lease.release(home, config)
        except BusyError as e:
            if time.monotonic() > deadline:
                warn(_kept(e))
                return
            time.sleep(1)
        except SoulSyncError as e:
            warn(_kept(e))
            return
        else:
            return


def _kept(error: SoulSyncError) -> str:
    return tr("The lease was not given back; it ends by itself within 30 minutes. {reason}", reason=error)
