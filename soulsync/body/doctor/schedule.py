"""Whether syncs happen, and succeed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.body import schedule
from soulsync.body.doctor.finding import Finding, Look, ill, well
from soulsync.body.state import Status
from soulsync.errors import OfflineError
from soulsync.formats.instants import instant
from soulsync.lang import tr
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from soulsync.body.doctor.patient import Patient

MANY = 3
"""Failures in a row that are no accident any more."""
SILENT_DAYS = 7
DAY = 86_400


def last_sync(patient: Patient) -> Finding | None:
    """Whether the last syncs succeeded; one that found no network is no fault yet."""
    last = Status.load(patient.home)
    if last.last_sync is None:
        return ill(tr("This body has never synced."), tr("Run `soulsync sync`."))
    error = shown(last.last_error or "")
    once = last.outcome == OfflineError.outcome and last.failures < MANY
    if last.last_error is not None and not once:
        return ill(
            tr("The last sync failed ({count} in a row): {error}", count=last.failures, error=error),
            tr("Do what it says, then run `soulsync sync`; {log} has all of them.", log=patient.home.log),
        )
    success = instant(last.last_success)
    if success is not None and patient.now - success / 1e6 > SILENT_DAYS * DAY:
        days = int((patient.now - success / 1e6) / DAY)
        return ill(tr("The last sync that succeeded was {days} days ago.", days=days), tr("Run `soulsync sync`."))
    return well(tr("{time}: {outcome}", time=last.last_sync, outcome=last.outcome or "–"))


def scheduled(patient: Patient) -> Finding:
    """Whether the recurring sync stands where it was put and starts; who has none syncs by hand or by ``watch``."""
    found = schedule.state(patient.home, patient.config)
    if found.problems:
        problem, remedy = found.problems[0]
        return ill(problem, remedy)
    if found.backend is None:
        return well(tr("none: it syncs when `soulsync sync` or `soulsync watch` runs"))
    return well(tr("{backend}, last run: {time}", backend=found.backend, time=found.last_run or "–"))


LOOKS = (Look("schedule", scheduled, ("config",)), Look("last-sync", last_sync, ("config",)))
