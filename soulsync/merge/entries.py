"""Memories, merged by entry (soul-repo-v4 §4 rules 1, 2, 4, 11); the same bytes whichever side is called ours."""

from __future__ import annotations

from soulsync.formats.entries import parse, render
from soulsync.merge.result import Merged, Sides


def merge(_path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, _sides: Sides) -> Merged:
    """Keep what either side added, drop what either side deleted.

    A deleted file counts as one without entries; when nothing is left beside it, the deletion stands.
    """
    merged = merge_entries(*(_distinct(parse(data or b"")) for data in (base, ours, theirs)))
    if not merged and (ours is None or theirs is None):
        return Merged(None)
    return Merged(render(merged))


def merge_entries(base: list[str], ours: list[str], theirs: list[str]) -> list[str]:
    """Merge three lists of distinct entries into one, in the order of rule 11."""
    in_base, in_ours, in_theirs = set(base), set(ours), set(theirs)
    survivors = [entry for entry in base if entry in in_ours and entry in in_theirs]
    alive = set(survivors)
    order = _order(survivors, *([entry for entry in side if entry in alive] for side in (ours, theirs)))
    wanted = alive | (in_ours - in_base) | (in_theirs - in_base)
    ready = [
        side for side in (ours, theirs) if set(side) == wanted and [entry for entry in side if entry in alive] == order
    ]
    if ready:
        return min(ready, key=render)
    return _woven(order, _blocks(ours, alive, in_base), _blocks(theirs, alive, in_base))


def _distinct(entries: list[str]) -> list[str]:
    return list(dict.fromkeys(entries))


def _order(base: list[str], ours: list[str], theirs: list[str]) -> list[str]:
    """Choose among three orders of the surviving entries: the one that one side alone chose, else the smaller bytes."""
    if ours in (theirs, base):
        return theirs
    return ours if theirs == base else min(ours, theirs, key=render)


def _blocks(side: list[str], alive: set[str], in_base: set[str]) -> dict[str, list[str]]:
    """Group a side's new entries by the surviving entry before them; ``""``, never an entry, stands for the start."""
    blocks: dict[str, list[str]] = {}
    anchor = ""
    for entry in side:
        if entry in alive:
            anchor = entry
        elif entry not in in_base:
            blocks.setdefault(anchor, []).append(entry)
    return blocks


def _woven(order: list[str], ours: dict[str, list[str]], theirs: dict[str, list[str]]) -> list[str]:
    """Put each block behind its anchor; an entry that both sides added stands at its first place."""
    woven: list[str] = []
    for anchor in ["", *order]:
        if anchor:
            woven.append(anchor)
        for block in sorted((ours.get(anchor, []), theirs.get(anchor, [])), key=render):
            woven += block
    return _distinct(woven)
