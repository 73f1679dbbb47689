"""A list of memories, carried both ways by the rule of the two baselines (bridges §1)."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from soulsync.body.bridge.carried import ADDED, REMOVED, TO_NATIVE, TO_SOUL
from soulsync.body.bridge.crossing import MAX_TRIES, emptied, missing, soulless, unsettled
from soulsync.formats import entries
from soulsync.merge.bridge import Shown, absorbed
from soulsync.repo.foreign_lock import locked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soulsync.body.bridge.carried import Carried
    from soulsync.body.bridge.crossing import Crossing
    from soulsync.body.bridge.mapping import Entries
    from soulsync.body.bridge.native import NativeFault


def carry(crossing: Crossing, pairing: Entries) -> None:
    """Absorb what the framework added and removed, then show it what the soul has and its limit takes.

    Raises ``NativeFault`` where nothing may be concluded from what is there.
    """
    file = crossing.relative(pairing.native)
    wants_lock = pairing.locked and not crossing.dry  # the lock is a file that would be made
    with locked(crossing.native.root, file) if wants_lock else contextlib.nullcontext():
        for _ in range(MAX_TRIES):
            if _once(crossing, pairing, file):
                return
    raise unsettled(str(pairing.native))


def _once(crossing: Crossing, pairing: Entries, file: str) -> bool:
    """One look at both sides; False where the native file was written before ours was in place."""
    shown = crossing.baseline.entries(pairing.key)
    data = crossing.native.read(file)
    held = [entry for entry in pairing.parse(data or b"") if entries.is_entry(entry)]
    gone = missing(str(pairing.native)) if data is None else emptied(str(pairing.native))
    soul = _absorb(crossing, pairing, (held, shown), None if held or crossing.accept_empty else gone)
    wanted = pairing.project(data or b"", [entry for entry in soul if _is_utf8(entry)])
    target = pairing.render(data or b"", wanted)
    following = list(dict.fromkeys(pairing.parse(target)))
    _note(crossing.carried, TO_NATIVE, pairing.soul, held, following)
    crossing.carried.left_out = [one for one in crossing.carried.left_out if one[0] != pairing.soul]
    seen = set(following)
    crossing.carried.left_out += [(pairing.soul, entry) for entry in dict.fromkeys(soul) if entry not in seen]
    return crossing.dry or _show(crossing, pairing, (file, data, target), (shown, following))


def _absorb(crossing: Crossing, pairing: Entries, seen: tuple[list[str], Shown], gone: NativeFault | None) -> list[str]:
    """Bring what is new into the soul's file; its entries then. Raises ``gone`` before that would remove any."""
    held, shown = seen
    before: list[str] = []
    after: list[str] = []

    def change(data: bytes | None) -> bytes | None:
        if data is None:
            raise soulless(pairing.soul)
        before[:] = entries.parse(data)
        if gone is not None and not shown.certain.isdisjoint(before):
            raise gone
        after[:] = absorbed(before, held, shown)
        return None if after == before else entries.render(after)

    if crossing.dry:
        change(crossing.writer.read(pairing.soul))
    else:
        crossing.writer.change(pairing.soul, change)
    _note(crossing.carried, TO_SOUL, pairing.soul, before, after)
    return after


def _show(
    crossing: Crossing, pairing: Entries, native: tuple[str, bytes | None, bytes], seen: tuple[Shown, list[str]]
) -> bool:
    """Write the native file. What is about to be shown is noted first, so that a run that is cut off here is known."""
    (file, data, target), (shown, following) = native, seen
    if target != (data or b""):
        crossing.baseline.save_entries(pairing.key, Shown(shown.entries, following))
        if not crossing.native.write(file, data, target):
            return False
    crossing.baseline.save_entries(pairing.key, Shown(following))
    return True


def _is_utf8(entry: str) -> bool:
    """Whether a framework that reads strict UTF-8 can read the entry."""
    return entry.isascii() or not any("\ud800" <= char <= "\udfff" for char in entry)


def _note(carried: Carried, direction: str, path: str, before: Sequence[str], after: Sequence[str]) -> None:
    old, new = set(before), set(after)
    for entry in dict.fromkeys(after):
        if entry not in old:
            carried.note(direction, ADDED, path, entry)
    for entry in dict.fromkeys(before):
        if entry not in new:
            carried.note(direction, REMOVED, path, entry)
