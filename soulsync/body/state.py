"""What this body remembers between runs, beside the repository: ``state/known.json`` and ``state/status.json``."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Self

from soulsync.body import fill_in
from soulsync.files import write_durably

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.body.home import Home
    from soulsync.body.result import SyncResult

KEPT_MERGES = 50
"""How many decisions of earlier merges ``status`` still knows."""


@dataclass(slots=True)
class Remembered:
    """A JSON file with the fields of the class; a field that is missing or of another type gets its default."""

    @classmethod
    def load(cls, home: Home) -> Self:
        """Read what was saved last; a file that is missing or damaged is an empty memory."""
        try:
            values = json.loads(cls.file(home).read_bytes())
        except (FileNotFoundError, ValueError, RecursionError):
            values = {}
        if not isinstance(values, dict):
            values = {}
        return cls(**{f.name: values[f.name] for f in fields(cls) if _fits(values.get(f.name), str(f.type))})

    def save(self, home: Home) -> None:
        """Replace the file in one step, where something changed."""
        path = self.file(home)
        data = (json.dumps(asdict(self), ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode("utf-8")
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


def _fits(value: object, annotation: str) -> bool:
    """Whether a JSON value is of the type that a field says: this file may be damaged, or of another version."""
    if annotation.startswith("list["):
        kind = str if annotation == "list[str]" else dict
        return isinstance(value, list) and all(isinstance(item, kind) for item in value)
    kinds = {"str": str, "bool": bool, "int": int, "float": float}
    return type(value) is kinds[annotation.removesuffix(" | None")]


@dataclass(slots=True)
class Known(Remembered):
    """What the guards compare with (soul-repo-v4 §8).

    ``url``: the remote that all this is about. ``agent_id``: our identity. ``pushed``: the remote has it. ``roots``:
    root commits that belong to this soul.
    """

    url: str | None = None
    agent_id: str | None = None
    pushed: bool = False
    roots: list[str] = field(default_factory=list)

    @classmethod
    def file(cls, home: Home) -> Path:
        """``state/known.json``."""
        return home.state / "known.json"


@dataclass(slots=True)
class Status(Remembered):
    """What the last syncs did, for ``status``; times are ISO 8601 UTC."""

    last_sync: str | None = None
    last_success: str | None = None
    last_pull: str | None = None
    last_push: str | None = None
    last_error: str | None = None
    outcome: str | None = None
    skipped: list[dict[str, Any]] = field(default_factory=list)
    merged: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    failures: int = 0

    def remember(self, home: Home, result: SyncResult, *, pulled: bool) -> None:
        """Save what came of a sync."""
        now = fill_in.now()
        self.last_sync, self.last_error, self.outcome = now, result.error, result.outcome
        self.skipped, self.warnings = result.skipped, result.warnings
        if result.merged:
            self.merged = [{**merged, "time": now} for merged in result.merged] + self.merged[:KEPT_MERGES]
        if pulled:
            self.last_pull = now
        if result.pushed:
            self.last_push = now
        if result.error is None:
            self.last_success, self.failures = now, 0
        else:
            self.failures += 1
        self.save(home)

    @classmethod
    def file(cls, home: Home) -> Path:
        """``state/status.json``."""
        return home.state / "status.json"


@dataclass(slots=True)
class LeaseSight(Remembered):
    """Another body's lease as first seen: its bytes in hex, and when, by the monotonic clock of this ``boot``."""

    lease: str | None = None
    boot: str | None = None
    seen: float | None = None

    @classmethod
    def file(cls, home: Home) -> Path:
        """``state/lease.json``."""
        return home.state / "lease.json"
