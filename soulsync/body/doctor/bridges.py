"""Whether the bridges can carry: the framework's folder is there, each file can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.body.doctor.finding import Finding, Look, ill, some, well
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.doctor.patient import Patient


def carry(patient: Patient) -> Finding:
    """Look at both sides of every bridge as its next round will, without writing."""
    if not patient.home.bridges.exists():
        return well(tr("no bridge"))
    from soulsync.body.bridge import running

    carried = running.diff(patient.home, patient.config)
    faults = [(one.bridge.name, fault) for one in carried for fault in one.faults]
    if faults:
        return ill(some([f"{name}: {fault.problem}" for name, fault in faults]), faults[0][1].remedy)
    return well(", ".join(f"{one.bridge.name} → {one.bridge.path}" for one in carried))


LOOKS = (Look("bridges", carry, ("config",)),)
