"""What one look of the doctor found: well or ill, in words, with the remedy and, where it is safe, the repair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soulsync.body.doctor.patient import Patient

Repair = Callable[[], list[str]]
"""Puts it right; gives what it did, one line each. Moves no ref backwards, forces nothing."""
MOST = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """``ok``, the ``detail`` in words, the remedy ``fix`` (None: none is needed), and what ``--fix`` may do."""

    ok: bool
    detail: str
    fix: str | None = None
    repair: Repair | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor: a stable name, and what was found under it."""

    name: str
    finding: Finding

    def as_json(self) -> dict[str, Any]:
        """``{name, ok, detail, fix}`` of the contract."""
        return {"name": self.name, "ok": self.finding.ok, "detail": self.finding.detail, "fix": self.finding.fix}


@dataclass(slots=True)
class Visit:
    """What happened beside the checks: ``done`` are the repairs, one line each; ``waiting`` the checks left for later.

    Those need something that is ill: without its config nothing of a body can be looked at.
    """

    done: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Look:
    """One check: its name, what looks, and the checks that must be well before it makes sense.

    ``look`` gives None where there is nothing to look at; an error that it raises is a finding.
    """

    name: str
    look: Callable[[Patient], Finding | None]
    needs: tuple[str, ...] = ()
    network: bool = False


def well(detail: str) -> Finding:
    """All is as it should be."""
    return Finding(True, detail)


def ill(detail: str, fix: str, repair: Repair | None = None) -> Finding:
    """Something is wrong; ``fix`` says what to do."""
    return Finding(False, detail, fix, repair)


def some(items: Sequence[str], most: int = MOST) -> str:
    """The first few items in one line, and how many more there are."""
    more = len(items) - most
    rest = [tr("and {count} more", count=more)] if more > 0 else []
    return ", ".join([*items[:most], *rest])
