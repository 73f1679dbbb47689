"""What killed programs left behind: locks, half-made files, the note of a checkout, work trees of the doctor."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING

from soulsync import files
from soulsync.body.doctor import proof
from soulsync.body.doctor.finding import Finding, Look, ill, some, well
from soulsync.body.locks import sync_lock
from soulsync.errors import BusyError
from soulsync.lang import tr
from soulsync.repo import leftovers
from soulsync.repo.intent import KEEP_STAGED, Intent
from soulsync.repo.worktree import WorkTree

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.body.doctor.patient import Patient


def locks(patient: Patient) -> Finding:
    """Lock files of git that no process holds."""
    found = sorted(leftovers.locks(patient.soul))
    if not found or leftovers.workers(patient.soul):
        return well(tr("none"))
    return ill(
        tr("A killed git left behind: {names}.", names=some([lock.name for lock in found])),
        tr("Run `soulsync doctor --fix`; a sync sets them aside too."),
        lambda: [
            tr("set aside {name}", name=name)
            for name in leftovers.set_aside_locks(patient.soul, patient.home.state / "recovery")
        ],
    )


def rests(patient: Patient) -> Finding:
    """Files of our own that a killed run left."""
    found = [*_temporary(patient), *proof.stale(patient)]
    if not found:
        return well(tr("none"))
    return ill(
        tr("A killed run left behind: {names}.", names=some([path.name for path in found])),
        tr("Run `soulsync doctor --fix`."),
        lambda: _sweep(patient, found),
    )


def _folders(patient: Patient) -> tuple[Path, ...]:
    return patient.home.root, patient.home.state, patient.soul.engine


def _temporary(patient: Patient) -> list[Path]:
    """Temporary files of processes that are gone, and staging files that no run will ask for."""
    found = [file for folder in _folders(patient) for file in files.leftover(folder)]
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(patient.soul.staging) as staged:
        old = (entry for entry in staged if time.time() - entry.stat(follow_symlinks=False).st_ctime > KEEP_STAGED)
        found += [patient.soul.staging / entry.name for entry in old]
    return found


def _sweep(patient: Patient, found: list[Path]) -> list[str]:
    for folder in _folders(patient):
        files.sweep(folder)
    WorkTree(patient.soul.root, patient.soul.staging).sweep(older=KEEP_STAGED)
    proof.sweep(patient)
    return [tr("removed {name}", name=path.name) for path in found if not path.exists()]


def note(patient: Patient) -> Finding:
    """The note of a checkout: there only while a sync changes files, or after one that was killed there."""
    intent = Intent(patient.home.state / "checkout.json")
    if not intent.file.exists() or _at_work(patient):
        return well(tr("none"))
    if intent.read() is None:
        return ill(
            tr("The note of a checkout can't be read: {file}.", file=intent.file),
            tr("Run `soulsync doctor --fix`: it sets the note aside; no file of the soul is touched."),
            lambda: _set_aside(patient, intent.file),
        )
    return ill(tr("A sync was killed while it changed files."), tr("Run `soulsync sync`: it completes what was begun."))


def _at_work(patient: Patient) -> bool:
    """Whether a sync holds its lock right now; under ``--fix`` the doctor holds it, and none is."""
    try:
        with sync_lock(patient.home):
            return False
    except BusyError:
        return not patient.alone


def _set_aside(patient: Patient, file: Path) -> list[str]:
    recovery = patient.home.state / "recovery"
    recovery.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.rename(recovery / f"{time.time_ns()}-{file.name}")
    return [tr("set aside {name}", name=file.name)]


LOOKS = (
    Look("locks", locks, ("config", "repository")),
    Look("leftovers", rests, ("config", "repository")),
    Look("checkout-note", note, ("config", "repository")),
)
