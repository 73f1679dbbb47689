"""A run that the schedule started: remember it, find git, wait for one's turn, and stay away after many failures."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from soulsync.body import backoff
from soulsync.body.present import now
from soulsync.body.schedule.record import Schedule, ScheduledRun
from soulsync.body.state import Status

if TYPE_CHECKING:
    from soulsync.body.home import Home


def begin(home: Home, pause: float) -> bool:
    """Prepare a scheduled run, and wait ``pause`` seconds; False when it is to keep away from the server."""
    ScheduledRun(now()).save(home)
    path = Schedule.load(home).path
    if path:
        inherited = os.environ.get("PATH", "")
        os.environ["PATH"] = os.pathsep.join(part for part in (path, inherited) if part)
    if backoff.until(Status.load(home), time.time()) is not None:
        return False
    time.sleep(pause)
    return True
