"""``agent.json``, merged by field (soul-repo-v4 §4 rules 1, 8, 12)."""

from __future__ import annotations

from soulsync.formats.agent import Malformed, id_of, is_seed, parse, render
from soulsync.merge.fields import merge_fields
from soulsync.merge.newest import newer
from soulsync.merge.result import BOTH, OURS, THEIRS, Merged, Sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    Agent = dict[str, object]


def merge(_path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, sides: Sides) -> Merged:
    """Merge by field, ours where both sides changed one; the id stays what the base says."""
    known_id = _id_in(base)
    if ours in (theirs, base):
        return _with_id(theirs, known_id, BOTH, ())
    if theirs == base:
        return _with_id(ours, known_id, BOTH, ())
    if ours is None or theirs is None:
        return _with_id(ours or theirs, known_id, THEIRS if ours is None else OURS, ())
    if sides.inner and theirs < ours:
        # The result is a base: it must not depend on the names of the sides.
        ours, theirs, sides = theirs, ours, _swapped(sides)
    return _merge_changed(base or b"", ours, theirs, sides)


def _merge_changed(base: bytes, ours: bytes, theirs: bytes, sides: Sides) -> Merged:
    mine, my_faults = _read(ours, "our")
    other, other_faults = _read(theirs, "their")
    faults = my_faults + other_faults
    if mine is not None and other is not None:
        return _merge_parsed(_read(base, "the common")[0] or {}, mine, other, sides)
    one_reads = mine is not None or other is not None
    kept = (THEIRS if mine is None else OURS) if one_reads else newer(ours, theirs, sides)
    return _with_id(ours if kept == OURS else theirs, _id_in(base), kept, faults)


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


def _with_id(data: bytes | None, known_id: str | None, kept: str, faults: tuple[str, ...]) -> Merged:
    """Take one version whole, byte for byte unless its id has to be put back."""
    agent, _ = _read(data, "")
    if agent is not None:
        identified = _identified(agent, known_id)
        if identified is not agent:
            data = render(identified)
    return Merged(data, kept, faults)


def _read(data: bytes | None, whose: str) -> tuple[Agent | None, tuple[str, ...]]:
    if data is None:
        return None, ()
    try:
        return parse(data), ()
    except Malformed as fault:
        return None, (f"{whose} version is {fault}",)


def _id_in(data: bytes | None) -> str | None:
    agent, _ = _read(data, "")
    return None if agent is None else id_of(agent)


def _swapped(sides: Sides) -> Sides:
    return Sides(
        sides.theirs_time,
        sides.ours_time,
        inner=sides.inner,
        ours_unpushed=sides.theirs_unpushed,
        theirs_unpushed=sides.ours_unpushed,
    )
