"""Ending in order when a signal says so: at once on the network, and never in the middle of changing files."""

from __future__ import annotations

import contextlib
import signal
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from soulsync.body.home import Home

LOOK_AGAIN = 0.05
PATIENCE = 5.0
"""Seconds that we wait for files to be in place; a run that is killed there is completed by the next."""


class Ended(BaseException):
    """A signal told us to end; ``number`` says which."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def ending(home: Home) -> Iterator[Callable[[], bool]]:
    """Raise ``Ended`` on SIGTERM, SIGHUP or SIGINT, as soon as nobody holds the work-tree lock of ``home``.

    Gives a question: whether a signal came. An exception may get lost where Python ignores them (a finaliser), so a
    loop asks. A signal that was ignored before (``nohup``) stays ignored.
    """
    came: list[tuple[int, float]] = []

    def end(number: int, _frame: FrameType | None) -> None:
        if not came:
            came.append((number, time.monotonic()))
        first, at = came[0]
        if time.monotonic() - at < PATIENCE and _files_change(home):
            signal.setitimer(signal.ITIMER_REAL, LOOK_AGAIN)
            return
        raise Ended(first)

    with _handled(end, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGALRM):
        yield lambda: bool(came)


@contextlib.contextmanager
def _handled(handler: Callable[[int, FrameType | None], None], *numbers: signal.Signals) -> Iterator[None]:
    before = {n: signal.signal(n, handler) for n in numbers if signal.getsignal(n) != signal.SIG_IGN}
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler_before in before.items():
            signal.signal(number, handler_before)


def _files_change(home: Home) -> bool:
    """Whether somebody, perhaps we ourselves, holds the work-tree lock; asked without waiting."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(home.state / "worktree.lock", timeout=0):
            return False
    except Timeout:
        return True
    except OSError:
        return False
