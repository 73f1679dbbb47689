"""Times as a person gives them to ``log``: a day, an instant, ``today``, ``yesterday``, or what git understands."""

from __future__ import annotations

import time
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from soulsync.errors import UsageError
from soulsync.lang import tr
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from soulsync.repo.soul import Soul


def since(soul: Soul, text: str) -> int:
    """The first second that ``text`` names, since the epoch; a day begins at its local midnight.

    Raises ``UsageError`` (2) for what is no time.
    """
    day = _day(text)
    return int(_midnight(day)) if day is not None else _instant(soul, text)


def until(soul: Soul, text: str) -> int:
    """The last second that ``text`` names, since the epoch; a day ends at its local midnight."""
    day = _day(text)
    return int(_midnight(day + timedelta(days=1))) - 1 if day is not None else _instant(soul, text)


def _day(text: str) -> date | None:
    """A whole day. Git takes ``2026-11-30`` and ``yesterday`` for that day at the present time of day (date.c)."""
    word = text.strip().lower()
    if word in ("today", "yesterday"):
        return datetime.now().astimezone().date() - timedelta(days=word == "yesterday")
    try:
        return date.fromisoformat(word)
    except ValueError:
        return None


def _midnight(day: date) -> float:
    return datetime(day.year, day.month, day.day).astimezone().timestamp()


def _instant(soul: Soul, text: str) -> int:
    try:
        return int(datetime.fromisoformat(text.strip()).astimezone().timestamp())
    except (ValueError, OverflowError):
        pass
    before = int(time.time())
    said = soul.git.text("rev-parse", f"--since={text}") if "\0" not in text else ""
    value = said.removeprefix("--max-age=")
    # git's approxidate never fails: what it does not understand is the present (git 2.39, date.c)
    if not value.isdigit() or (int(value) >= before and text.strip().lower() != "now"):
        raise UsageError(
            tr("{text} is no time.", text=shown(text)), tr("Write 2026-11-30, yesterday or '2 weeks ago'.")
        )
    return int(value)
