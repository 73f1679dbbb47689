"""What a merge by other hands left out of memory stores (soul-repo-v4 §4 rule 14).

Plain git without our hooks, or another implementation, writes one file where two bodies invented one name: the other
memory stands in that merge's parent, and comes back here, unless somebody has deleted it since. And it merges an index
line by line, or takes one side's: it is rebuilt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.merge.rules import STORE_RULES as STORES
from soulsync.merge.rules import rule_for
from soulsync.merge.second import RULES
from soulsync.repo import memory_stores, merge, objects

if TYPE_CHECKING:
    from collections.abc import Iterable

    from soulsync.body.foreign_merges import Merge
    from soulsync.repo.objects import Entry
    from soulsync.repo.soul import Soul


def left_out(soul: Soul, merges: Iterable[Merge], tip: str) -> dict[str, Entry]:
    """What ``tip`` needs, by path: second memories where the rules put them, indexes as a rebuild gives them."""
    differing = {one: _differing(soul, one) for one in merges if len(one.parents) == 2}
    touched = {path for paths in differing.values() for path in paths}
    if not touched:
        return {}
    now = objects.tree_of(soul.repo, tip)
    found: dict[str, Entry] = {}
    for one, paths in differing.items():
        if any(paths.values()):
            found.update(_seconds(soul, one, tip, now))
    with_seconds = objects.edit(soul.repo, now, found)
    return found | memory_stores.indexes(soul.repo, with_seconds, [*touched, *found])


def _differing(soul: Soul, one: Merge) -> dict[str, bool]:
    """The paths of stores at which the parents differ, and for each whether both have a memory there."""
    trees = [objects.tree_of(soul.repo, parent) for parent in one.parents]
    changes = objects.diff(soul.repo, trees[0], trees[1])
    return {path: rule in RULES and None not in changes[path] for path in changes if (rule := rule_for(path)) in STORES}


def _seconds(soul: Soul, one: Merge, tip: str, now: str) -> dict[str, Entry]:
    """The second memories of one merge that the tree ``now`` lacks and that nobody has touched since."""
    ruled = merge.merge_commits(soul, one.parents[0], one.parents[1])
    found = {}
    for path in ruled.seconds.values():
        entry = objects.lookup(soul.repo, ruled.tree, path)
        if entry is not None and objects.lookup(soul.repo, now, path) is None and not _touched(soul, one, tip, path):
            found[path] = entry
    return found


def _touched(soul: Soul, one: Merge, tip: str, path: str) -> bool:
    """Whether a commit after the merge wrote or deleted ``path``."""
    return bool(soul.git.text("rev-list", "--max-count=1", tip, f"^{one.commit}", "--", path))
