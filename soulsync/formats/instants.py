"""Points in time as the soul's JSON files write them: ISO 8601, UTC, milliseconds, ``Z``."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST = -62_135_596_800_000
LATEST = 253_402_300_799_999
"""The first and the last millisecond of the years 1 to 9999, since the epoch."""


def instant(text: object) -> int | None:
    """Read ISO 8601 as microseconds since the epoch; without an offset it counts as UTC. None when it is no time."""
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - EPOCH) // timedelta(microseconds=1)


def timestamp(milliseconds: int) -> str:
    """Write milliseconds since the epoch as ISO 8601, UTC, with milliseconds and ``Z``.

    What lies outside the years 1 to 9999 becomes the nearest time that can be written: a commit or a lease may say any.
    """
    moment = EPOCH + timedelta(milliseconds=min(max(milliseconds, EARLIEST), LATEST))
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def is_timestamp(text: str) -> bool:
    """Whether ``text`` is a time in exactly the form that :func:`timestamp` writes."""
    if not text.endswith("Z"):
        return False
    micros = instant(text)
    return micros is not None and timestamp(micros // 1000) == text
