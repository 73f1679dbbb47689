"""One row of the table: what was measured beside what, and how many times as much it may be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bench_lib.clock import Sample, least, middle

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Figure:
    """``ours`` beside ``theirs`` by one ``measure`` of the samples; ``target`` is the largest ratio that will do.

    ``per``: how often what is measured happens in one run, so that the table can show one of them.
    """

    name: str
    what: str
    reference: str
    target: float
    theirs: Sequence[Sample]
    ours: Sequence[Sample]
    measure: str = "wall"
    per: int = 1

    @property
    def ratio(self) -> float:
        """By the medians."""
        return middle(self.ours, self.measure) / middle(self.theirs, self.measure)

    @property
    def least_ratio(self) -> float:
        """By the minima."""
        return least(self.ours, self.measure) / least(self.theirs, self.measure)

    @property
    def met(self) -> bool:
        """Whether the target is met, by the medians."""
        return self.ratio <= self.target

    def row(self) -> list[str]:
        """The cells of the table."""
        theirs, ours = (f"{self._told(side)}" for side in (self.theirs, self.ours))
        return [self.what, self.reference, theirs, ours, *_verdict(self)]

    def as_json(self) -> dict[str, Any]:
        """Everything that is known of it."""
        return {
            "name": self.name, "what": self.what, "reference": self.reference, "measure": self.measure,
            "target": self.target, "ratio": round(self.ratio, 4), "least_ratio": round(self.least_ratio, 4),
            "met": self.met, "rounds": len(self.ours), "theirs": _summary(self.theirs), "ours": _summary(self.ours),
        }  # fmt: skip

    def _told(self, samples: Sequence[Sample]) -> str:
        amounts = [amount(samples, self.measure) / self.per for amount in (middle, least)]
        if self.measure == "peak":
            return f"{amounts[0]:.1f} MB"
        cpu = "" if self.measure == "cpu" else f"; cpu {_milliseconds(middle(samples, 'cpu') / self.per)}"
        return f"{_milliseconds(amounts[0])} ({_milliseconds(amounts[1])}{cpu})"


@dataclass(frozen=True, slots=True)
class Bound:
    """A figure with a limit of its own and no reference: ``value`` of a ``unit``, at most ``limit``."""

    name: str
    what: str
    value: float
    limit: float
    unit: str
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def met(self) -> bool:
        """Whether it is within the limit."""
        return self.value <= self.limit

    def row(self) -> list[str]:
        """The cells of the table."""
        limit = f"≤ {self.limit:g} {self.unit}".rstrip()
        return [self.what, "", "", f"{self.value:.4g} {self.unit}".rstrip(), "", limit, _mark(self.met)]

    def as_json(self) -> dict[str, Any]:
        """Everything that is known of it."""
        return {
            "name": self.name, "what": self.what, "value": round(self.value, 4), "unit": self.unit,
            "limit": self.limit, "met": self.met, **self.more,
        }  # fmt: skip


Row = Figure | Bound


def _verdict(figure: Figure) -> list[str]:
    return [f"{figure.ratio:.2f} × ({figure.least_ratio:.2f})", f"≤ {figure.target:g} ×", _mark(figure.met)]


def _mark(met: bool) -> str:
    return "yes" if met else "no"


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.2f} s"


def _summary(samples: Sequence[Sample]) -> dict[str, float]:
    return {
        f"{name}_{of}": round(amount(samples, of), 6)
        for of in ("wall", "cpu", "peak")
        for name, amount in (("median", middle), ("min", least))
    }
