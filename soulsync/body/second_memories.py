"""Second memories of one name that a merge by other hands left out (soul-repo-v4 §4 rule 14).

Plain git without our hooks, or another implementation, writes one file where two bodies invented one name. The other
memory stands in that merge's parent, and comes back here, unless somebody has deleted it since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.merge.rules import rule_for
from soulsync.merge.second import RULES
from soulsync.repo import memory_stores, merge, objects
from soulsync.repo.objects import BLOB, Entry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from soulsync.body.foreign_merges import Merge
    from soulsync.repo.soul import Soul


def missing(soul: Soul, merges: Iterable[Merge], tip: str) -> dict[str, Entry]:
    """Each second memory that ``tip`` lacks, by the path at which the rules put it."""
    now = objects.tree_of(soul.repo, tip)
    found: dict[str, Entry] = {}
    for one in merges:
        if len(one.parents) != 2 or not _share_a_name(soul, one):
            continue
        ruled = merge.merge_commits(soul, one.parents[0], one.parents[1])
        for path in ruled.seconds.values():
            entry = objects.lookup(soul.repo, ruled.tree, path)
            if (
                entry is not None
                and objects.lookup(soul.repo, now, path) is None
                and not _touched(soul, one, tip, path)
            ):
                found.setdefault(path, entry)
    return found


def with_indexes(soul: Soul, tree: str, brought: Iterable[str]) -> str:
    """``tree`` with the indexes of the folders of ``brought`` as a rebuild gives them."""
    files = memory_stores.settled(soul.repo, tree, [], brought).files
    return objects.edit(
        soul.repo, tree, {path: Entry(BLOB, objects.write_blob(soul.repo, data)) for path, data in files.items()}
    )


def _share_a_name(soul: Soul, one: Merge) -> bool:
    """Whether both parents have a memory of a store under one name, and not the same."""
    trees = [objects.tree_of(soul.repo, parent) for parent in one.parents]
    differing = objects.diff(soul.repo, trees[0], trees[1]).items()
    return any(None not in change and rule_for(path) in RULES for path, change in differing)


def _touched(soul: Soul, one: Merge, tip: str, path: str) -> bool:
    """Whether a commit after the merge wrote or deleted ``path``."""
    return bool(soul.git.text("rev-list", "--max-count=1", tip, f"^{one.commit}", "--", path))
