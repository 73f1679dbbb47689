"""What a sync reports, with the contract's names (contract §3)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

UNCHANGED, COMMITTED, PULLED, PUSHED, MERGED = "unchanged", "committed", "pulled", "pushed", "merged"


@dataclass(slots=True)
class SyncResult:
    """One round of sync. ``seconds`` is wall-clock time, ``head`` the tip of ``main`` afterwards."""

    agent: str
    body: str
    outcome: str = UNCHANGED
    head: str | None = None
    pushed: bool = False
    attempts: int = 0
    seconds: float = 0.0
    incoming: list[dict[str, Any]] = field(default_factory=list)
    merged: list[dict[str, Any]] = field(default_factory=list)
    skipped: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    error: str | None = None
    committed: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The object that ``sync --json`` prints."""
        return asdict(self)
