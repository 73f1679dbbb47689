"""What happened at the embedded server: proof of which keys were offered, and its log."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    ``kind`` is one of ``connect offered accepted exec refused exit disconnect``; ``client`` is its address and
    port; ``fingerprint`` the key concerned, if any; ``detail`` the command, the reason or the exit status.
    """

    kind: str
    client: str
    fingerprint: str | None = None
    detail: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in (self.client, self.kind, self.fingerprint, self.detail) if part)


class EventLog:
    """The last events, safe to use from every thread; ``listener`` is told each one as it happens."""

    def __init__(self, listener: Callable[[Event], None] | None = None) -> None:
        self._events: deque[Event] = deque(maxlen=_KEPT)
        self._lock = threading.Lock()
        self._listener = listener

    def add(self, event: Event) -> None:
        """Record ``event``."""
        with self._lock:
            self._events.append(event)
            if self._listener is not None:
                self._listener(event)

    def all(self) -> list[Event]:
        """The recorded events, oldest first."""
        with self._lock:
            return list(self._events)
