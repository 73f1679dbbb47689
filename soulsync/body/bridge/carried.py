"""What one round of a bridge carried, or would carry, and what it could not (bridges §1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from soulsync.errors import SoulSyncError
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from soulsync.body.bridge.record import Bridge

TO_SOUL, TO_NATIVE = "to-soul", "to-native"
ADDED, REMOVED, CHANGED = "added", "removed", "changed"


@dataclass(frozen=True, slots=True)
class Change:
    """One entry or file: the ``direction``, what was ``done`` there, the ``path`` in the soul; an entry's ``text``."""

    direction: str
    done: str
    path: str
    text: str | None = None

    def as_json(self) -> dict[str, Any]:
        """As the commands print it."""
        return {"direction": self.direction, "done": self.done, "path": shown(self.path), "text": self.text}


@dataclass(frozen=True, slots=True)
class Fault:
    """Why something was left alone: the file ``path``, the ``problem``, the ``remedy``."""

    path: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return str(SoulSyncError(self.problem, self.remedy))


@dataclass(slots=True)
class Carried:
    """Everything of one bridge. ``left_out``: entries of the soul that the framework's limits leave no room for.

    ``changes`` in their order, each once; a dict because there may be tens of thousands at the first contact.
    """

    bridge: Bridge
    changes: dict[Change, None] = field(default_factory=dict)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def note(self, direction: str, done: str, path: str, text: str | None = None) -> None:
        """Note a change, once."""
        self.changes[Change(direction, done, path, text)] = None

    def blame(self, path: str, error: SoulSyncError) -> None:
        """Note a fault, once."""
        fault = Fault(path, error.problem, error.remedy)
        if fault not in self.faults:
            self.faults.append(fault)

    @property
    def changes_soul(self) -> bool:
        """Whether anything came into the soul."""
        return any(change.direction == TO_SOUL for change in self.changes)

    def as_json(self) -> dict[str, Any]:
        """The object of a bridge in ``bridge sync --json`` and ``bridge diff --json``."""
        return {
            **self.bridge.as_values(),
            "changes": [change.as_json() for change in self.changes],
            "left_out": [{"path": shown(path), "text": text} for path, text in self.left_out],
            "faults": [
                {"path": shown(fault.path), "problem": fault.problem, "remedy": fault.remedy} for fault in self.faults
            ],
        }
