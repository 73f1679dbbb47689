"""What this body remembers of its schedule, beside the backend that has it."""

from __future__ import annotations

from soulsync.body.state import Remembered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import ClassVar

    from soulsync.body.home import Home
    from soulsync.body.state import Kind


class Schedule(Remembered):
    """The recurring sync that was installed: its ``backend``, ``every`` how many seconds, and when (ISO 8601 UTC).

    ``path``: the folders in which a scheduled run finds git and ssh, whatever cron calls PATH.
    """

    KINDS: ClassVar[dict[str, Kind]] = {"backend": str, "every": int, "path": str, "installed": str}
    __slots__ = tuple(KINDS)

    def __init__(
        self,
        backend: str | None = None,
        every: int | None = None,
        path: str | None = None,
        installed: str | None = None,
    ) -> None:
        self.backend, self.every, self.path, self.installed = backend, every, path, installed

    @classmethod
    def file(cls, home: Home) -> Path:
        """``state/schedule.json``."""
        return home.state / "schedule.json"


class ScheduledRun(Remembered):
    """When the schedule last started a sync (ISO 8601 UTC); apart from its settings, which another run may change."""

    KINDS: ClassVar[dict[str, Kind]] = {"last_run": str}
    __slots__ = tuple(KINDS)

    def __init__(self, last_run: str | None = None) -> None:
        self.last_run = last_run

    @classmethod
    def file(cls, home: Home) -> Path:
        """``state/scheduled_run.json``."""
        return home.state / "scheduled_run.json"
