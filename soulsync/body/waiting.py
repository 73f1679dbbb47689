"""Waiting until a person has added a key: the same thing tried again and again, with pauses that grow."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol, TypeVar

from soulsync.errors import DeniedError, OfflineError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
FIRST_PAUSE = 2.0
LONGEST_PAUSE = 10.0
GROWTH = 1.2
"""Seconds between two tries. They grow: OpenSSH 9.8 shuts an address out for a while after a few refused keys
(``PerSourcePenalties``), and forges count too."""


class Waiter(Protocol):
    """Who is told while the server does not let the key in."""

    def refused(self, why: DeniedError) -> bool:
        """Hear why, whenever the reason is another one; True asks for the next try at once."""
        ...

    def waits(self, seconds_left: float) -> None:
        """Hear, about once a second, how long this goes on."""
        ...


def until(attempt: Callable[[], T], seconds: float, waiter: Waiter) -> T:
    """What ``attempt`` gives, tried again for ``seconds`` while it raises DeniedError.

    A server that can't be reached ends it only before the first refusal: later it is a hiccup, or a server that shuts
    out who knocks too often. Raises the last refusal when time is up.
    """
    deadline = time.monotonic() + seconds
    last: DeniedError | None = None
    told = ""
    pause = FIRST_PAUSE
    while True:
        try:
            return attempt()
        except DeniedError as e:
            last = e
        except OfflineError:
            if last is None:
                raise
        if last.problem != told:
            told = last.problem
            if waiter.refused(last):
                told = ""
                continue
        if time.monotonic() >= deadline:
            raise last
        _pause(min(pause, deadline - time.monotonic()), deadline, waiter)
        pause = min(pause * GROWTH, LONGEST_PAUSE)


def _pause(seconds: float, deadline: float, waiter: Waiter) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        waiter.waits(deadline - time.monotonic())
        time.sleep(min(1.0, left))
