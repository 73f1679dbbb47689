"""What this body remembers between runs, beside the repository: ``state/known.json`` and ``state/status.json``."""

from __future__ import annotations

import json

from soulsync.body.present import now
from soulsync.files import write_durably

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any, ClassVar, Self

    from soulsync.body.home import Home
    from soulsync.body.result import SyncResult

    Kind = type | tuple[type, ...]

KEPT_MERGES = 50
"""How many decisions of earlier merges ``status`` still knows."""


class Remembered:
    """A JSON file with the fields that ``KINDS`` names; one that is missing or of another type gets its default.

    ``KINDS``: the type of each field, of its items where it is a list (a tuple of one). The classes are written out,
    since ``status`` reads them and ``dataclasses`` takes as long to load as everything that it does.
    """

    __slots__ = ()
    KINDS: ClassVar[dict[str, Kind]] = {}

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._values() == other._values()

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._values().items())})"

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.KINDS}

    @classmethod
    def load(cls, home: Home) -> Self:
        """Read what was saved last; a file that is missing or damaged is an empty memory."""
        try:
            values = json.loads(cls.file(home).read_bytes())
        except (FileNotFoundError, ValueError, RecursionError):
            values = {}
        if not isinstance(values, dict):
            values = {}
        return cls(**{name: values[name] for name, kind in cls.KINDS.items() if _fits(values.get(name), kind)})

    def save(self, home: Home) -> None:
        """Replace the file in one step, where something changed."""
        path = self.file(home)
        data = (json.dumps(self._values(), ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode("utf-8")
        try:
            if path.read_bytes() == data:
                return
        except FileNotFoundError:
            pass
        write_durably(path, data)

    @classmethod
    def file(cls, home: Home) -> Path:
        """Where it is kept."""
        raise NotImplementedError


def _fits(value: object, kind: Kind) -> bool:
    """Whether a JSON value is of the type that a field says: this file may be damaged, or of another version."""
    if isinstance(kind, tuple):
        return isinstance(value, list) and all(isinstance(item, kind) for item in value)
    return type(value) is kind


class Known(Remembered):
    """What the guards compare with (soul-repo-v4 §8).

    ``url``: the remote that all this is about. ``agent_id``: our identity. ``pushed``: the remote has it. ``roots``:
    root commits that belong to this soul.
    """

    KINDS: ClassVar[dict[str, Kind]] = {"url": str, "agent_id": str, "pushed": bool, "roots": (str,)}
    __slots__ = tuple(KINDS)

    def __init__(
        self,
        url: str | None = None,
        agent_id: str | None = None,
        pushed: bool = False,
        roots: list[str] | None = None,
    ) -> None:
        self.url, self.agent_id, self.pushed = url, agent_id, pushed
        self.roots: list[str] = roots or []

    @classmethod
    def file(cls, home: Home) -> Path:
        """``state/known.json``."""
        return home.state / "known.json"


class Status(Remembered):
    """What the last syncs did, for ``status``; times are ISO 8601 UTC."""

    KINDS: ClassVar[dict[str, Kind]] = {
        "last_sync": str, "last_success": str, "last_pull": str, "last_push": str, "last_error": str, "outcome": str,
        "skipped": (dict,), "merged": (dict,), "warnings": (str,), "failures": int,
    }  # fmt: skip
    __slots__ = tuple(KINDS)

    def __init__(
        self,
        last_sync: str | None = None,
        last_success: str | None = None,
        last_pull: str | None = None,
        last_push: str | None = None,
        last_error: str | None = None,
        outcome: str | None = None,
        skipped: list[dict[str, Any]] | None = None,
        merged: list[dict[str, Any]] | None = None,
        warnings: list[str] | None = None,
        failures: int = 0,
    ) -> None:
        self.last_sync, self.last_success = last_sync, last_success
        self.last_pull, self.last_push = last_pull, last_push
        self.last_error, self.outcome, self.failures = last_error, outcome, failures
        self.skipped: list[dict[str, Any]] = skipped or []
        self.merged: list[dict[str, Any]] = merged or []
        self.warnings: list[str] = warnings or []

    def remember(self, home: Home, result: SyncResult, *, pulled: bool) -> None:
        """Save what came of a sync."""
        moment = now()
        self.last_sync, self.last_error, self.outcome = moment, result.error, result.outcome
        self.skipped, self.warnings = result.skipped, result.warnings
        if result.merged:
            self.merged = [{**merged, "time": moment} for merged in result.merged] + self.merged[:KEPT_MERGES]
        if pulled:
            self.last_pull = moment
        if result.pushed:
            self.last_push = moment
        if result.error is None:
            self.last_success, self.failures = moment, 0
        else:
            self.failures += 1
        self.save(home)

    @classmethod
    def file(cls, home: Home) -> Path:
        """``state/status.json``."""
        return home.state / "status.json"


class LeaseSight(Remembered):
    """Another body's lease as first seen: its bytes in hex, and when, by the monotonic clock of this ``boot``."""

    KINDS: ClassVar[dict[str, Kind]] = {"lease": str, "boot": str, "seen": float}
    __slots__ = tuple(KINDS)

    def __init__(self, lease: str | None = None, boot: str | None = None, seen: float | None = None) -> None:
        self.lease, self.boot, self.seen = lease, boot, seen

    @classmethod
    def file(cls, home: Home) -> Path:
        """``state/lease.json``."""
        return home.state / "lease.json"
