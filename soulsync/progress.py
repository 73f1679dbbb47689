"""How far long work has got, for whoever wants to hear it; nobody does in a pipe or under cron.

Standard library only. The listener belongs to the running context, so library code needs no parameter for it.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Listener = Callable[[str, int, int], None]
    """Gets what is being done (an English verb phrase), how many are done, and of how many."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def listening() -> bool:
    """Whether anybody wants to hear."""
    return _listener.get() is not None


def tell(what: str, done: int, total: int) -> None:
    """Say that ``done`` of ``total`` are done."""
    listener = _listener.get()
    if listener is not None:
        listener(what, done, total)


@contextmanager
def told_to(listener: Listener) -> Iterator[None]:
    """Let ``listener`` hear what happens in the ``with`` block."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
