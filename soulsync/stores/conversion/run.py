"""``convert``: a source into a target, what is lost on the way, and what the target can't hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from soulsync.formats import conversion
from soulsync.formats.conversion import CORTEX, OXSOUL, SOUL, Loss
from soulsync.formats.conversion_items import OxSoul
from soulsync.formats.conversion_memory import KEPT, branded
from soulsync.formats.conversion_texts import to_json
from soulsync.formats.cortex import PREFIX
from soulsync.stores.conversion import sources
from soulsync.stores.conversion.oxsoul_target import OxSoulTarget
from soulsync.stores.conversion.targets import CortexTarget, SoulTarget

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.formats.conversion import Refusal
    from soulsync.formats.conversion_items import Item
    from soulsync.stores.conversion.sources import Found, Source

WRITE, THERE, REFUSE = "write", "there", "refuse"
Target = CortexTarget | OxSoulTarget | SoulTarget
_TARGETS: dict[str, type[CortexTarget] | type[OxSoulTarget] | type[SoulTarget]] = {
    CORTEX: CortexTarget,
    OXSOUL: OxSoulTarget,
    SOUL: SoulTarget,
}


class Step(NamedTuple):
    """What becomes of one memory: ``action`` is ``write``, ``there`` or ``refuse``; ``target`` is where it goes."""

    origin: str
    action: str
    target: str | None
    losses: list[Loss]
    kept: list[str]
    refusals: list[Refusal]


class Plan(NamedTuple):
    """What a conversion does, memory by memory, and the ``source`` with what could not be read."""

    steps: list[Step]
    source: Source
    target: Target

    def write(self, now: str) -> None:
        """Do it."""
        if any(step.action == WRITE for step in self.steps):
            self.target.write(now)


def plan(path: Path, to: Path, source: str, target: str, now: str) -> Plan:
    """Say what converting ``path`` into ``to`` does at the time ``now`` (RFC 3339); writes nothing."""
    read = sources.read(path, source)
    into = _TARGETS[target](to)
    return Plan([_step(found, into, source, target, now) for found in read.found], read, into)


def _step(found: Found, into: Target, source: str, target: str, now: str) -> Step:
    done = conversion.convert(found.item, target, now, user=into.user)
    if done.refusals:
        return Step(found.origin, REFUSE, None, [], [], done.refusals)
    item = branded(done.item, f"{source}:{found.origin}", now) if isinstance(done.item, OxSoul) else done.item
    before = _name_of(item)
    where, new = into.settle(item)
    losses, kept = done.losses, done.kept
    if _name_of(item) != before:
        losses, kept = _renamed(found, item, losses, kept)
    return Step(found.origin, WRITE if new else THERE, where, losses, kept, [])


def _name_of(item: Item) -> object:
    return item.fields["name"] if isinstance(item, OxSoul) else item["memory_id"] if isinstance(item, dict) else None


def _renamed(found: Found, item: Item, losses: list[Loss], kept: list[str]) -> tuple[list[Loss], list[str]]:
    """The account of an item whose name was taken: kept in an ``x_`` field where one can hold it, else lost."""
    if isinstance(found.item, dict) and isinstance(item, OxSoul):
        item.fields[f"{KEPT}memory_id"] = to_json(found.item["memory_id"])
        return losses, [*kept, *(["memory_id"] if "memory_id" not in kept else [])]
    if isinstance(found.item, OxSoul) and isinstance(item, dict):
        others = [loss for loss in losses if loss.field != "name"]
        return [Loss("name", found.item.text("name"), str(item["memory_id"]).removeprefix(PREFIX)), *others], kept
    return losses, kept
