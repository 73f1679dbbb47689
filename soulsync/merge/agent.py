"""``agent.json``, merged by field (soul-repo-v4 §4 rules 1, 8, 12)."""

from __future__ import annotations

from soulsync.formats.agent import Malformed, id_of, is_seed, parse, render
from soulsync.merge.faults import settle_unreadable
from soulsync.merge.fields import merge_fields
from soulsync.merge.result import BOTH, OURS, THEIRS, Merged, Sides
from soulsync.merge.rules import survivor

TYPE_CHECKING = False
if TYPE_CHECKING:
    Agent = dict[str, object]


def merge(_path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, sides: Sides) -> Merged:
    """Merge by field, ours where both sides changed one; the id stays what the base says."""
    known_id = _id_in(base)
    if ours in (theirs, base):
        return _with_id(Merged(theirs), known_id)
    if theirs == base:
        return _with_id(Merged(ours), known_id)
    if ours is None or theirs is None:
        return _with_id(survivor(ours, theirs), known_id)
    if sides.inner and theirs < ours:
        # The result is a base: it must not depend on the names of the sides.
        ours, theirs, sides = theirs, ours, _swapped(sides)
    return _merge_changed(base or b"", ours, theirs, sides)


def _merge_changed(base: bytes, ours: bytes, theirs: bytes, sides: Sides) -> Merged:
    unreadable = settle_unreadable(parse, ours, theirs, sides)
    if unreadable is not None:
        return _with_id(unreadable, _id_in(base))
    return _merge_parsed(_read(base) or {}, parse(ours), parse(theirs), sides)


def _merge_parsed(base: Agent, ours: Agent, theirs: Agent, sides: Sides) -> Merged:
    yielding = _yielding(ours, theirs, sides)
    winner, loser = (ours, theirs) if yielding == THEIRS else (theirs, ours)
    known_id = id_of(base) or id_of(winner) or id_of(loser)
    if yielding:
        return Merged(render(_identified(winner, known_id)), OURS if yielding == THEIRS else THEIRS)
    merged, disputed = merge_fields(base, ours, theirs, inner=sides.inner)
    return Merged(render(_identified(merged, known_id)), OURS if disputed else BOTH)


def _yielding(ours: Agent, theirs: Agent, sides: Sides) -> str | None:
    """Name the side whose identity gives way to the other's whole: the seed, where the ids differ (rule 12)."""
    our_id, their_id = id_of(ours), id_of(theirs)
    if our_id is None or their_id is None or our_id == their_id:
        return None
    if is_seed(ours) or sides.ours_unpushed:
        return OURS
    return THEIRS if is_seed(theirs) or sides.theirs_unpushed else None


def _identified(agent: Agent, known_id: str | None) -> Agent:
    if known_id is None or id_of(agent) == known_id:
        return agent
    return {**agent, "id": known_id} if "id" in agent else {"id": known_id, **agent}


def _with_id(merged: Merged, known_id: str | None) -> Merged:
    """Give a version that was taken whole, byte for byte unless its id has to be put back."""
    agent = _read(merged.data)
    if agent is None or known_id is None or id_of(agent) == known_id:
        return merged
    return Merged(render(_identified(agent, known_id)), merged.kept, merged.faults)


def _read(data: bytes | None) -> Agent | None:
    try:
        return None if data is None else parse(data)
    except Malformed:
        return None


def _id_in(data: bytes | None) -> str | None:
    agent = _read(data)
    return None if agent is None else id_of(agent)


def _swapped(sides: Sides) -> Sides:
    return Sides(
        sides.theirs_time,
        sides.ours_time,
        inner=sides.inner,
        ours_unpushed=sides.theirs_unpushed,
        theirs_unpushed=sides.ours_unpushed,
    )
