"""``distill``: a batch of candidates into a store, all of them or none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from soulsync.formats import cortex_distill, json_lines, json_text
from soulsync.formats.cortex_rules import Fault
from soulsync.stores.cortex import forgetting
from soulsync.stores.cortex.reading import scan

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from soulsync.formats.cortex import Entry


class Candidate(NamedTuple):
    """What may become a memory: ``fields`` as the format has them, when it came to be, and where it was found."""

    fields: object
    created: str
    origin: str


@dataclass(slots=True)
class Batch:
    """What becomes of candidates: the ``entries`` to write, the ids that are ``there`` with the same text already.

    ``forgotten``: ids with the same text that lie in the trash; ``refused``: what breaks a rule, with the rules.
    """

    entries: list[Entry] = field(default_factory=list)
    there: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    refused: list[tuple[Candidate, list[Fault]]] = field(default_factory=list)


def read_candidates(data: bytes, created: str) -> list[Candidate]:
    """Read a JSON array of candidates. Raises :class:`~soulsync.formats.text.Malformed` for anything else."""
    value = json_text.parse(data)
    if not isinstance(value, list):
        raise json_text.Malformed("not a JSON array")
    if json_lines.repeated(data):  # which of the two is meant, nobody can tell
        raise json_text.Malformed("a key stands there twice")
    return [Candidate(fields, created, str(number)) for number, fields in enumerate(value, 1)]


def plan(store: Path, candidates: Iterable[Candidate], *, allow_procedural: bool = False, revive: bool = True) -> Batch:
    """Say what ``candidates`` become in the store, which need not be there yet; writes nothing.

    Not ``revive``: what lies in the trash with the same id stays forgotten.
    """
    batch = Batch()
    texts = {str(entry["memory_id"]).lower(): _said(entry) for entry in _present(store)}
    trash = set() if revive else forgetting.names(store)
    for candidate in candidates:
        faults = cortex_distill.candidate_faults(candidate.fields, candidate.created)
        entry = (
            cortex_distill.entry_of(candidate.fields, candidate.created) if isinstance(candidate.fields, dict) else {}
        )
        if entry.get("type") == "procedural" and not allow_procedural:
            faults.append(Fault("type", "procedural"))
        if faults:
            batch.refused.append((candidate, faults))
        else:
            _settle(batch, entry, texts, trash)
    return batch


def _present(store: Path) -> list[Entry]:
    return scan(store, thorough=False).entries if store.is_dir() else []


def _said(entry: Entry) -> tuple[object, object]:
    return entry["type"], entry["content"]


def _settle(batch: Batch, entry: Entry, texts: dict[str, tuple[object, object]], trash: set[str]) -> None:
    """Give the entry the first id that is free, unless one of its ids holds the same text."""
    for name in cortex_distill.ids(str(entry["type"]), str(entry["content"])):
        there = texts.get(name.lower())
        if there == _said(entry):
            batch.there.append(name)
            return
        if there is None:
            if name.lower() in trash:
                batch.forgotten.append(name)
            else:
                entry["memory_id"] = name
                texts[name.lower()] = _said(entry)
                batch.entries.append(entry)
            return
