"""What this body remembers of its schedule, beside the backend that has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync.body.state import Remembered

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.body.home import Home


@dataclass(slots=True)
class Schedule(Remembered):
    """The recurring sync that was installed: its ``backend``, ``every`` how many seconds, and when (ISO 8601 UTC).

    ``path``: the folders in which a scheduled run finds git and ssh, whatever cron calls PATH.
    """

    backend: str | None = None
    every: int | None = None
    path: str | None = None
    installed: str | None = None

    @classmethod
    def file(cls, home: Home) -> Path:
        """``state/schedule.json``."""
        return home.state / "schedule.json"


@dataclass(slots=True)
class ScheduledRun(Remembered):
    """When the schedule last started a sync (ISO 8601 UTC); apart from its settings, which another run may change."""

    last_run: str | None = None

    @classmethod
    def file(cls, home: Home) -> Path:
        """``state/scheduled_run.json``."""
        return home.state / "scheduled_run.json"
