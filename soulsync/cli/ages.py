"""How long ago something was, in words."""

from __future__ import annotations

from datetime import datetime

from soulsync.lang import tr


def age(seconds: float) -> str:
    """How long ago, in the largest unit that fits."""
    if seconds < -600:
        return tr("from the future")
    years, months, days = (int(seconds // size) for size in (31_557_600, 2_629_800, 86_400))
    hours, minutes = int(seconds // 3_600), int(seconds // 60)
    return (
        (years > 0 and tr("{count} y ago", count=years))
        or (months > 0 and tr("{count} mo ago", count=months))
        or (days > 0 and tr("{count} d ago", count=days))
        or (hours > 0 and tr("{count} h ago", count=hours))
        or (minutes > 0 and tr("{count} min ago", count=minutes))
        or tr("just now")
    )


def ago(text: object, now: float) -> str:
    """How long ago a time of the contract was."""
    stamp = seconds(text)
    return tr("never") if stamp is None else age(now - stamp)


def seconds(text: object) -> float | None:
    """ISO 8601 as seconds since the epoch; None where it is none."""
    try:
        return datetime.fromisoformat(str(text)).timestamp()
    except ValueError:
        return None
