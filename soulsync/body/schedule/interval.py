"""How often: ``5m``, ``1h``, ``90s``, and what of it a calendar can say."""

from __future__ import annotations

from soulsync.errors import UsageError
from soulsync.lang import tr

SHORTEST, LONGEST = 30, 86_400
"""Seconds: a forge need not be asked more often than that, and a body that is silent for days counts as dead."""
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
STEPS = tuple(60 * m for m in (1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30)) + tuple(
    3600 * h for h in (1, 2, 3, 4, 6, 8, 12, 24)
)
"""The intervals in seconds that divide an hour or a day evenly: a calendar repeats no others without a jump."""


def seconds(text: str) -> int:
    """The seconds that ``5m``, ``1h``, ``90s`` or ``1d`` mean.

    Raises ``UsageError`` (2) for anything else, and for what is out of bounds.
    """
    number, unit = text.strip()[:-1], text.strip()[-1:].lower()
    if unit not in _UNITS or not (number.isascii() and number.isdigit() and len(number) < 9):
        raise UsageError(tr("{text!r} is no interval.", text=text), tr("Write 5m, 1h or 90s."))
    found = int(number) * _UNITS[unit]
    if not SHORTEST <= found <= LONGEST:
        raise UsageError(
            tr("An interval of {text} is out of bounds.", text=text.strip()), tr("It may be from 30s to 1d.")
        )
    return found


def text(every: int) -> str:
    """``every`` seconds as a person writes them."""
    unit = next(u for u in ("d", "h", "m", "s") if every % _UNITS[u] == 0)
    return f"{every // _UNITS[unit]}{unit}"


def on_the_calendar(every: int) -> bool:
    """Whether minutes and hours of a day can repeat ``every`` seconds evenly."""
    return every in STEPS


def neighbours(every: int) -> tuple[int, int]:
    """The next shorter and the next longer interval that a calendar can say."""
    return max((s for s in STEPS if s <= every), default=STEPS[0]), min(
        (s for s in STEPS if s >= every), default=STEPS[-1]
    )
