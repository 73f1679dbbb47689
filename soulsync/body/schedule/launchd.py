"""launchd: a property list in ``~/Library/LaunchAgents``."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from soulsync.body.schedule import programs
from soulsync.body.schedule.job import name_of
from soulsync.errors import SoulSyncError
from soulsync.files import PUBLIC, write_durably
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.home import Home
    from soulsync.body.schedule.job import Job


def render(job: Job) -> bytes:
    """The property list (launchd.plist(5)); launchd knows no jitter, so the run itself waits."""
    import plistlib  # with its XML parser it would cost every `status` 10 ms

    values: dict[str, Any] = {
        "Label": _label(job.home),
        "ProgramArguments": job.words(job.pause),
        "StartInterval": job.every,
        "RunAtLoad": True,
        "ProcessType": "Background",
    }
    return plistlib.dumps(values)


def _label(home: Home) -> str:
    return f"soulsync.{name_of(home)}"


def file(home: Home) -> Path:
    """Where the list lies."""
    return Path("~/Library/LaunchAgents").expanduser() / f"{_label(home)}.plist"


def _domain() -> str:
    return f"gui/{os.getuid()}"


# -- what every backend offers ------------------------------------------------------------------------------------


def install(job: Job) -> list[str]:
    """Write the list and load it; what a person should know, or do, beside it."""
    path = file(job.home)
    write_durably(path, render(job), PUBLIC)
    if not programs.there("launchctl"):
        return [
            tr(
                "launchctl is missing here; run: launchctl bootstrap {domain} {path}",
                domain=_domain(),
                path=shlex.quote(str(path)),
            )
        ]
    programs.run(["launchctl", "bootout", f"{_domain()}/{_label(job.home)}"])  # fails where it was not loaded
    done = programs.run(["launchctl", "bootstrap", _domain(), str(path)])
    if done.code != 0:
        raise SoulSyncError(
            tr("launchctl did not load it: {said}.", said=" ".join(done.err.split()).rstrip(".") or done.code),
            tr("The list is written; log in on the screen and run `soulsync schedule install` again."),
        )
    return []


def remove(home: Home) -> list[str]:
    """Unload and remove the list; what was removed, one line each."""
    path = file(home)
    if not path.exists():
        return []
    if programs.there("launchctl"):
        programs.run(["launchctl", "bootout", f"{_domain()}/{_label(home)}"])
    path.unlink(missing_ok=True)
    return [tr("removed the launch agent {label}", label=_label(home))]


def standing(home: Home) -> str | None:
    """The list as it stands, or None."""
    path = file(home)
    return path.read_text("utf-8", "replace") if path.is_file() else None


def wanted(job: Job) -> str:
    """What should stand there."""
    return render(job).decode("utf-8")


def sleeping(home: Home) -> tuple[str, str | None] | None:
    """Why launchd would not run it and what to do (None: install it again), or None."""
    if not programs.there("launchctl"):
        return tr("launchctl is missing here"), None
    if programs.run(["launchctl", "print", f"{_domain()}/{_label(home)}"]).code != 0:
        return tr("launchd has not loaded {label}", label=_label(home)), None
    return None


def where(home: Home) -> str:
    """Where it lies."""
    return str(file(home))
