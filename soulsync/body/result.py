"""What a sync reports, with the contract's names (contract §3)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from soulsync.body.engine import Report

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

    def collect(self, report: Report, head: str | None, *, pulled: bool) -> None:
        """Take what the engine reports; also after a failure, whose outcome stays."""
        self.head = head
        self.committed = [shown(path) for path in report.committed]
        self.merged = [{"path": shown(o.path), "rule": o.rule, "kept": o.kept, "lost": o.lost} for o in report.outcomes]
        self.skipped = [{"path": shown(s.path), "reason": s.reason} for s in report.skipped]
        self.warnings = list(report.warnings)
        if self.error is None:
            self.outcome = self._what_happened(report, pulled=pulled)

    def _what_happened(self, report: Report, *, pulled: bool) -> str:
        if report.merged:
            return MERGED
        if pulled:
            return PULLED
        if self.pushed:
            return PUSHED
        return COMMITTED if report.committed else self.outcome

    def as_json(self) -> dict[str, Any]:
        """The object that ``sync --json`` prints."""
        return asdict(self)
