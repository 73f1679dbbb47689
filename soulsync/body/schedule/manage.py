"""The recurring sync of one agent on this machine: put in place, taken out, looked at."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from soulsync.body.present import now
from soulsync.body.schedule import cron, interval, launchd, machine, systemd
from soulsync.body.schedule.job import Job, search_path
from soulsync.body.schedule.record import Schedule, ScheduledRun
from soulsync.errors import BusyError, SoulSyncError, UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.body.config import Config
    from soulsync.body.home import Home

EVERY = "5m"
LATE = 600
"""Seconds after which a run that did not happen is missed, beside two whole intervals: machines start and sleep."""
LOCK = ".schedule.lock"
"""In the folder that holds all agents: they share one crontab."""
_LOCK_SECONDS = 60


class Backend(Protocol):
    """What ``cron``, ``systemd`` and ``launchd`` offer; each is a module."""

    def install(self, job: Job) -> list[str]: ...  # noqa: D102 - told by the modules
    def remove(self, home: Home) -> list[str]: ...  # noqa: D102
    def standing(self, home: Home) -> str | None: ...  # noqa: D102
    def wanted(self, job: Job) -> str: ...  # noqa: D102
    def sleeping(self, home: Home) -> tuple[str, str | None] | None: ...  # noqa: D102
    def where(self, home: Home) -> str: ...  # noqa: D102


BACKENDS: dict[str, Backend] = {"cron": cron, "systemd": systemd, "launchd": launchd}


@dataclass(frozen=True, slots=True)
class Installed:
    """A schedule that was put in place: by which ``backend``, ``every`` how many seconds, ``where`` it stands.

    ``notes``: sentences about what a person should know or do beside it.
    """

    backend: str
    every: int
    where: str
    notes: list[str]


@dataclass(frozen=True, slots=True)
class State:
    """How the schedule stands. ``backend`` is None where there is none, ``every`` (seconds) where nothing says it.

    ``line``: what stands at the backend. ``last_run``: when it last started a sync (ISO 8601 UTC). ``problems``: pairs
    of what is wrong and what to do.
    """

    backend: str | None
    every: int | None
    where: str | None
    line: str | None
    last_run: str | None
    problems: list[tuple[str, str]] = field(default_factory=list)


def install(home: Home, config: Config, every: str | int = EVERY, backend: str | None = None) -> Installed:
    """Let this machine sync the agent ``every`` so often: ``5m``, or seconds. ``backend`` None: what is there.

    A schedule that stands already is replaced, also one of another backend. Raises ``UsageError`` (2) for an interval
    or a path that won't do, ``SoulSyncError`` (1) where the machine has no such backend.
    """
    seconds = interval.seconds(every if isinstance(every, str) else f"{every}s")
    name = backend or machine.choose()
    if name not in BACKENDS:
        raise UsageError(tr("No backend is named {name}.", name=name), tr("Known: cron, systemd, launchd."))
    job = Job(home, config.body, seconds)
    path = search_path()
    job.check()
    with _locked(home):
        notes = BACKENDS[name].install(job)
        Schedule(name, seconds, path, now()).save(home)
        for other in BACKENDS.keys() - {name}:
            with contextlib.suppress(SoulSyncError):  # what can't even be asked holds no schedule of ours
                BACKENDS[other].remove(home)
    return Installed(name, seconds, BACKENDS[name].where(home), notes)


def remove(home: Home) -> list[str]:
    """Take the schedule out of every backend; what was removed, one line each, nothing where none was.

    Raises ``SoulSyncError`` (1) where the backend that has it does not let it go.
    """
    recorded = Schedule.load(home).backend
    done = []
    with _locked(home):
        for name, backend in BACKENDS.items():
            try:
                done += backend.remove(home)
            except SoulSyncError:
                if name == recorded:
                    raise
        if recorded is not None:
            Schedule().save(home)
    return done


def state(home: Home, config: Config) -> State:
    """How the schedule stands, by what the machine says; runs the backend's program, changes nothing."""
    recorded = Schedule.load(home)
    name, line = _found(home, recorded.backend)
    last_run = ScheduledRun.load(home).last_run
    every = recorded.every if recorded.backend == (name or recorded.backend) else None
    if name is None:
        problems = []
        if recorded.backend is not None:
            again = tr("Run `soulsync schedule install`.")
            problems.append((tr("The schedule is gone from {backend}.", backend=recorded.backend), again))
        return State(None, every, None, None, last_run, problems)
    problems = list(_problems(home, config, name, line or "", recorded if every is not None else None, last_run))
    return State(name, every, BACKENDS[name].where(home), line, last_run, problems)


def _found(home: Home, recorded: str | None) -> tuple[str | None, str | None]:
    """The backend that has the schedule, the recorded one first, and what stands there."""
    for name in sorted(BACKENDS, key=lambda name: (name != recorded, name)):
        with contextlib.suppress(SoulSyncError):
            line = BACKENDS[name].standing(home)
            if line is not None:
                return name, line
    return None, None


def _problems(
    home: Home, config: Config, name: str, line: str, recorded: Schedule | None, last_run: str | None
) -> Iterator[tuple[str, str]]:
    again = tr("Run `soulsync schedule install`.")
    if recorded is not None and recorded.every is not None:
        again = tr("Run `soulsync schedule install --every {every}`.", every=interval.text(recorded.every))
        if not _is_as_wanted(line, name, Job(home, config.body, recorded.every)):
            yield tr("The schedule of {backend} is not what this soulsync would write.", backend=name), again
        if is_late(recorded.every, last_run or recorded.installed, time.time()):
            yield (
                tr("{backend} has not started a sync since {time}.", backend=name, time=last_run or recorded.installed),
                tr("Does {backend} run on this machine?", backend=name),
            )
    sleeping = BACKENDS[name].sleeping(home)
    if sleeping is not None:
        reason, remedy = sleeping
        yield tr("The schedule does not run: {reason}.", reason=reason), remedy or again


def _is_as_wanted(line: str, name: str, job: Job) -> bool:
    try:
        return line.strip() == BACKENDS[name].wanted(job).strip()
    except UsageError:  # a record that was changed by hand
        return False


def is_late(every: int, last: str | None, now: float) -> bool:
    """Whether the schedule seems not to run: over two intervals of silence since ``last``; ``now`` since the epoch."""
    try:
        since = datetime.fromisoformat(last or "").timestamp()
    except ValueError:
        return False
    return now - since > 2 * every + LATE


@contextlib.contextmanager
def _locked(home: Home) -> Iterator[None]:
    """One change of the machine's schedules at a time: a crontab is read, changed and written as a whole."""
    from filelock import FileLock, Timeout

    home.make()
    try:
        with FileLock(home.root.parent / LOCK, timeout=_LOCK_SECONDS, mode=0o600, poll_interval=0.02):
            yield
    except Timeout:
        raise BusyError(tr("Another soulsync changes the schedules."), tr("Try again in a moment.")) from None
