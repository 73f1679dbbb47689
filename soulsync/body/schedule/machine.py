"""What of this machine can start a recurring sync."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

from soulsync.body.schedule import cron, programs, systemd
from soulsync.errors import SoulSyncError
from soulsync.lang import tr

_DAEMONS = {"cron", "crond", "fcron", "dcron", "busybox-crond"}


def choose() -> str:
    """The backend for this machine: ``launchd`` on macOS, ``cron`` where it runs, else ``systemd``, else ``cron``.

    A running cron comes first: it works for a user who is not logged in. Raises ``SoulSyncError`` where there is none.
    """
    if sys.platform == "darwin":
        return "launchd"
    has_cron = programs.there("crontab")
    if has_cron and (cron.on_termux() or _cron_runs()):
        return "cron"
    if systemd.reachable():
        return "systemd"
    if has_cron:
        return "cron"
    raise SoulSyncError(
        tr("Nothing on this machine starts programs by the clock: neither cron nor a systemd of this user answers."),
        tr("Install cron and run `soulsync schedule install`, or let `soulsync watch` run in the foreground."),
    )


def _cron_runs() -> bool:
    """Whether a cron daemon is among the processes, as far as they can be seen."""
    for file in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):
            if file.read_text("utf-8", "replace").strip() in _DAEMONS:
                return True
    return False
