"""The order in which two edited lists come together (soul-repo-v4 §4 rule 11), whichever is called ours."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Key = Callable[[list[str]], bytes]


def merge_lists(base: list[str], ours: list[str], theirs: list[str], key: Key) -> list[str]:
    """Merge three lists of distinct texts: what either side added is in, what either side removed is not.

    ``key`` writes a list as the bytes by which two lists are compared.
    """
    in_base, in_ours, in_theirs = set(base), set(ours), set(theirs)
    survivors = [text for text in base if text in in_ours and text in in_theirs]
    alive = set(survivors)
    ours_alive, theirs_alive = ([text for text in side if text in alive] for side in (ours, theirs))
    order = _order(survivors, ours_alive, theirs_alive, key)
    wanted = alive | (in_ours - in_base) | (in_theirs - in_base)
    kept_orders = ((ours, ours_alive), (theirs, theirs_alive))
    ready = [side for side, kept in kept_orders if kept == order and set(side) == wanted]
    if ready:
        return min(ready, key=key)
    return _woven(order, _blocks(ours, alive, in_base), _blocks(theirs, alive, in_base), key)


def _order(base: list[str], ours: list[str], theirs: list[str], key: Key) -> list[str]:
    """Choose among three orders of the survivors: the one that one side alone chose, else the smaller bytes."""
    if ours in (theirs, base):
        return theirs
    return ours if theirs == base else min(ours, theirs, key=key)


def _blocks(side: list[str], alive: set[str], in_base: set[str]) -> dict[str | None, list[str]]:
    """Group a side's new texts by the survivor before them; None stands for the start."""
    blocks: dict[str | None, list[str]] = {}
    anchor = None
    for text in side:
        if text in alive:
            anchor = text
        elif text not in in_base:
            blocks.setdefault(anchor, []).append(text)
    return blocks


def _woven(
    order: list[str], ours: dict[str | None, list[str]], theirs: dict[str | None, list[str]], key: Key
) -> list[str]:
    """Put each block behind its anchor; a text that both sides added stands at its first place."""
    woven: list[str] = []
    for anchor in (None, *order):
        if anchor is not None:
            woven.append(anchor)
        if anchor in ours or anchor in theirs:  # in few places
            for block in sorted((ours.get(anchor, []), theirs.get(anchor, [])), key=key):
                woven += block
    return list(dict.fromkeys(woven))
