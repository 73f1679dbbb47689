"""Import: candidates checked, renamed, branded, compared, searched for poison; written when a person says so (§8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from soulsync.errors import UsageError
from soulsync.formats import oxsoul
from soulsync.formats.instants import instant
from soulsync.formats.oxsoul_names import Names, clean_name
from soulsync.lang import tr
from soulsync.stores.oxsoul import reading, suspects, writing
from soulsync.stores.oxsoul.duplicates import Descriptions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from soulsync.formats.oxsoul import Memory
    from soulsync.stores.oxsoul.places import Place
    from soulsync.stores.oxsoul.sources import Candidate

IMPORT, DUPLICATE, REFUSE, CONFIRM = "import", "skip-duplicate", "refuse", "needs-confirmation"
CAP, TRUSTED_CAP = 0.6, 0.8
"""How sure an imported memory may be at most, and with ``--trust``."""
UNKNOWN = 0.5


class Item(NamedTuple):
    """What becomes of a candidate: its cleaned ``name``, the ``action``, where it is from, how sure it will be.

    ``duplicate_of`` names the memory that says the same; ``warnings`` are sentences; ``memory`` is what is written.
    """

    name: str
    action: str
    source: str | None
    confidence: float | None
    duplicate_of: str | None
    warnings: list[str]
    memory: Memory | None

    def as_json(self) -> dict[str, object]:
        """The keys of ``import --json``."""
        keys = ("name", "action", "source", "confidence", "duplicate_of", "warnings")
        return {key: getattr(self, key) for key in keys}


class Wishes(NamedTuple):
    """How to import: whether the source is trusted, which flagged names are confirmed, and how sure is sure enough."""

    trust: bool = False
    confirmed: Collection[str] = ()
    min_confidence: float = 0.0


def plan(place: Place, candidates: Iterable[Candidate], wishes: Wishes, moment: str) -> list[Item]:
    """What an import at ``moment`` would do, item by item; nothing is written.

    Raises ``UsageError`` (2) where a name is confirmed that no candidate has.
    """
    known = Descriptions()
    for one in reading.scan(place).memories:
        known.add(one.name, one.memory.description)
    names = Names(writing.taken(place))
    items = [_item(candidate, known, names, wishes, moment) for candidate in candidates]
    unknown = set(wishes.confirmed) - {item.name for item in items}
    if unknown:
        raise UsageError(
            tr("No candidate is named {names}.", names=", ".join(sorted(unknown))),
            tr("Names are as the preview shows them."),
        )
    return items


def apply(place: Place, items: Iterable[Item]) -> list[str]:
    """Write what is to be imported, rebuild the index, and note it in the access log; the names."""
    written: list[str] = []
    try:
        for item in items:
            if item.action == IMPORT and item.memory is not None:
                writing.create(place, item.name, item.memory)
                written.append(item.name)
    finally:
        if written:
            writing.rebuild(place)
            writing.log(place, "import", written)
    return written


def _item(candidate: Candidate, known: Descriptions, names: Names, wishes: Wishes, moment: str) -> Item:
    memory = candidate.memory
    if memory is None:
        return Item(clean_name(candidate.name), REFUSE, None, None, None, [candidate.fault], None)
    description = memory.description or ""
    name, twin = clean_name(memory.name or "", description), known.same_as(description)
    branded = brand(memory, candidate.origin, moment, trust=wishes.trust)
    sure = memory.confidence if memory.confidence is not None else UNKNOWN
    if twin is not None:
        return Item(
            name,
            DUPLICATE,
            memory.source,
            branded.confidence,
            twin,
            _notes(candidate, memory, name, trust=wishes.trust),
            None,
        )
    name = names.claim(name)
    warnings = _notes(candidate, memory, name, trust=wishes.trust)
    if sure < wishes.min_confidence:
        weak = tr("is less sure ({sure:g}) than --min-confidence", sure=sure)
        return Item(name, REFUSE, memory.source, branded.confidence, None, [weak, *warnings], None)
    doubts = suspects.warnings(memory)
    action = CONFIRM if doubts and name not in wishes.confirmed else IMPORT
    if action == IMPORT:  # what waits for a person must not keep an honest memory out
        known.add(name, description)
    branded = oxsoul.edit(branded, {"name": name})
    return Item(
        name, action, memory.source, branded.confidence, None, [*(f"⚠ {doubt}" for doubt in doubts), *warnings], branded
    )


def brand(memory: Memory, origin: str, moment: str, *, trust: bool) -> Memory:
    """Make a memory an imported one: fields set right, ``source`` changed, sureness capped, where it is from noted."""
    cap = TRUSTED_CAP if trust else CAP
    changes: dict[str, str | float | list[str] | None] = {
        "category": memory.category if memory.category in oxsoul.CATEGORIES else "context",
        "importance": memory.importance if memory.importance is not None else UNKNOWN,
        "confidence": min(memory.confidence if memory.confidence is not None else UNKNOWN, cap),
        "source": "import",
        "created": memory.created if instant(memory.created) is not None else moment,
        "updated": moment,
    }
    if memory.source and "x_origin_source" not in memory.extra:
        changes["x_origin_source"] = memory.source
    changes |= {"x_import_from": origin, "x_imported_at": moment}
    return oxsoul.edit(oxsoul.collapsed(memory), changes)


def _notes(candidate: Candidate, memory: Memory, name: str, *, trust: bool) -> list[str]:
    """What an import sets right or a person should know, though it stops nothing."""
    notes = []
    if name != memory.name:
        notes.append(tr("renamed from {name}", name=memory.name))
    elif candidate.name not in (name, "stdin"):
        notes.append(tr("the file is named {name}", name=candidate.name))
    cap = TRUSTED_CAP if trust else CAP
    if memory.confidence is not None and memory.confidence > cap:
        notes.append(tr("was sure to {sure:g}", sure=memory.confidence))
    for fault in oxsoul.faults(memory):
        said = _SAID.get(fault.rule)
        if said is not None:
            notes.append(said(fault.subject))
    return notes


_SAID = {
    "category": lambda subject: tr("category {name} becomes context", name=subject),
    "not-a-number": lambda subject: tr("{key} is no number and becomes 0.5", key=subject),
    "out-of-range": lambda subject: tr("{key} is set into 0 to 1", key=subject),
    "duplicate-key": lambda subject: tr("{key} stands here twice", key=subject),
    "description-length": lambda subject: tr("the description has {count} characters, over 120", count=subject),
    "date": lambda subject: tr("{text} is no time in ISO 8601", text=subject),
}
