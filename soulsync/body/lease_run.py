"""Running a program while holding the lease: renewed as long as it lives, stopped when the lease is lost."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import time
from typing import TYPE_CHECKING

from soulsync.body import lease
from soulsync.errors import LeaseHeldError, SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from soulsync.body.config import Config
    from soulsync.body.home import Home

RENEW_EVERY = 10 * 60.0
"""Seconds between renewals of a lease that lasts 30 minutes."""
RETRY_EVERY = 20.0
STOP_BEFORE = 2 * 60.0
"""Seconds before its end at which the holder stops: clocks differ (soul-repo-v4 §3.6)."""
GRACE = 10.0
"""Seconds between SIGTERM and SIGKILL for a program that lost its lease."""
POLL = 0.2


class _Ended(BaseException):
    """A signal told us to end; carries its number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def run(home: Home, config: Config, argv: Sequence[str], *, renew_every: float = RENEW_EVERY) -> int:
    """Take the lease, run ``argv``, give the lease back; the program's exit code, 128 + signal when one ended it.

    Raises ``LeaseHeldError`` (6) when another body holds the lease, before or while the program runs, and
    ``OfflineError`` (5) when it could not be renewed in time; the program is stopped then.
    """
    held = lease.acquire(home, config)
    with _signals():
        try:
            return _watch(home, config, argv, _ends(held), renew_every)
        except _Ended as e:
            return 128 + e.number
        finally:
            with contextlib.suppress(SoulSyncError):
                lease.release(home, config)


def _watch(home: Home, config: Config, argv: Sequence[str], ends: float, renew_every: float) -> int:
    try:
        process = subprocess.Popen(list(argv))
    except OSError as e:
        raise SoulSyncError(tr("{program} can't be started: {reason}.", program=argv[0], reason=e.strerror)) from e
    try:
        renew_at = time.monotonic() + renew_every
        while (code := _poll(process)) is None:
            if time.monotonic() < renew_at:
                continue
            try:
                ends = _ends(lease.acquire(home, config))
                renew_at = time.monotonic() + renew_every
            except LeaseHeldError:
                raise
            except SoulSyncError:
                if time.monotonic() > ends:
                    raise
                renew_at = time.monotonic() + min(RETRY_EVERY, renew_every)
        return code if code >= 0 else 128 - code
    finally:
        _stop(process)


def _ends(held: lease.Held) -> float:
    """When we must stop, by our own steady clock."""
    return time.monotonic() + (held.until / 1000 - time.time()) - STOP_BEFORE


def _poll(process: subprocess.Popen[bytes]) -> int | None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.wait(POLL)
    return None


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def _signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end us in order, so that the program is stopped and the lease given back."""

    def end(number: int, _frame: FrameType | None) -> None:
        raise _Ended(number)

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
