"""The union of two lists of texts in which nothing is lost and each side keeps its own order."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Item = tuple[str, int]
    """A text and how often the same text stands before it: a line of dashes may occur many times."""
    Key = Callable[[Item], "tuple[str, bytes]"]


def numbered(texts: Iterable[str]) -> list[Item]:
    """Tell equal texts apart by their number."""
    seen: dict[str, int] = {}
    items = []
    for text in texts:
        number = seen.get(text, 0)
        items.append((text, number))
        seen[text] = number + 1
    return items


def edited(side: list[Item], edits: dict[Item, Item]) -> list[Item]:
    """Put the other side's edited version in the place of each item that it edited."""
    held = set(side)
    items = []
    for item in side:
        new = edits.get(item)
        if new is None:
            items.append(item)
        elif new not in held:
            held.add(new)
            items.append(new)
    return items


def weave(ours: list[Item], theirs: list[Item], key: Key) -> list[Item] | None:
    """Merge by what both sides hold: between two such items the smaller ``key`` first, in each side's own order.

    None when the two sides hold their common items in different orders. Symmetric.
    """
    common = set(ours) & set(theirs)
    spine = [item for item in ours if item in common]
    if spine != [item for item in theirs if item in common]:
        return None
    # Loaded here only: most merges of journals are appends that never weave.
    from heapq import merge

    woven: list[Item] = []
    for one, other, joint in zip(_blocks(ours, common), _blocks(theirs, common), [*spine, None], strict=True):
        woven += merge(one, other, key=key)
        if joint is not None:
            woven.append(joint)
    return woven


def _blocks(items: list[Item], common: set[Item]) -> list[list[Item]]:
    blocks: list[list[Item]] = [[]]
    for item in items:
        if item in common:
            blocks.append([])
        else:
            blocks[-1].append(item)
    return blocks
