"""Every reason why a sync could fail, each with its remedy (contract §1, ``doctor``)."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from soulsync.body.doctor.finding import Check, Finding, Look, Visit, ill
from soulsync.body.doctor.patient import Patient
from soulsync.body.locks import sync_lock
from soulsync.errors import SoulSyncError, system_problem
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.body.home import Home

__all__ = ["Check", "Finding", "Visit", "examine"]


def examine(home: Home, *, offline: bool = False, fix: bool = False, visit: Visit | None = None) -> Iterator[Check]:
    """Look at everything, one check after the other; ``offline`` leaves out what needs the network.

    ``fix`` repairs what is safe to repair and looks again. ``visit`` is filled as it goes. Raises ``BusyError`` (75)
    where ``fix`` is asked for while a sync is at work.
    """
    visit = visit or Visit()
    patient = Patient(home, alone=fix)
    well: set[str] = set()
    with sync_lock(home) if fix and home.state.is_dir() else contextlib.nullcontext():
        for look in looks():
            if look.network and offline:
                continue
            if not well.issuperset(look.needs):
                visit.waiting.append(look.name)
                continue
            finding = judged(look, patient)
            if finding is not None and fix and not finding.ok and finding.repair is not None:
                finding = _mended(look, patient, finding, visit.done)
            if finding is None or finding.ok:
                well.add(look.name)
            if finding is not None:
                yield Check(look.name, finding)


def looks() -> list[Look]:
    """Every check, in the order in which one thing depends on another."""
    from soulsync.body.doctor import (
        access,
        bridges,
        contents,
        drivers,
        hooks,
        installation,
        leftovers,
        machine,
        registry,
        schedule,
        setup,
        soul,
    )

    before = (setup, machine, soul, contents, leftovers, installation, drivers, hooks, access, registry)
    return [look for family in (*before, bridges, schedule) for look in family.LOOKS]


def judged(look: Look, patient: Patient) -> Finding | None:
    """What a check finds; an error is a finding like any other, also one of the check itself."""
    try:
        return look.look(patient)
    except SoulSyncError as e:
        return ill(e.problem, e.remedy or tr("Try again."))
    except OSError as e:
        return ill(system_problem(e), tr("Look at that file or folder: is it readable, is the disk sound?"))
    except Exception as e:
        if os.environ.get("SOULSYNC_DEBUG") == "1":
            raise
        return ill(
            tr("The check itself failed: {kind}: {error}.", kind=type(e).__name__, error=e),
            tr("Run again with SOULSYNC_DEBUG=1 and report what it prints."),
        )


def _mended(look: Look, patient: Patient, finding: Finding, done: list[str]) -> Finding | None:
    """Repair, say so, and look again: only the second look tells whether it helped."""
    repair = finding.repair
    try:
        done.extend(f"{look.name}: {line}" for line in (repair() if repair else []))
    except (SoulSyncError, OSError) as e:
        problem = e.problem if isinstance(e, SoulSyncError) else system_problem(e)
        return ill(f"{finding.detail} {tr('The repair failed: {problem}', problem=problem)}", finding.fix or "")
    patient.forget()
    return judged(look, patient)
