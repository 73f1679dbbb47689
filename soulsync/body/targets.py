"""What ``main`` shall become: a merge, a join, a filled-in structure. Nothing here touches a file or a ref.

Each function gives one that takes the present tip; the engine calls it when the work tree has been looked at under its
lock, so what was written meanwhile is in that tip.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body import fill_in, guards, subjects
from soulsync.errors import SoulSyncError
from soulsync.lang import tr
from soulsync.repo import audit, commit, merge, objects
from soulsync.repo.audit import Trees
from soulsync.repo.history import contains as contains
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from soulsync.body.engine import Engine
    from soulsync.repo.merge import Outcome, TreeMerge
    from soulsync.repo.soul import Soul


@dataclass(frozen=True, slots=True)
class Target:
    """A commit that ``main`` shall move to, and how it came about."""

    commit: str
    outcomes: list[Outcome] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    merged: bool = False


def merged_with(engine: Engine, tip: str) -> Callable[[str | None], Target]:
    """Bring in ``tip``, which shares history with ours: nothing to do, fast-forward, or a merge."""
    soul = engine.soul

    def make(head: str | None) -> Target:
        if head is None or contains(soul, tip, head):
            return Target(tip)
        if contains(soul, head, tip):
            return Target(head)
        result = merge.merge_commits(soul, head, tip)
        ours, theirs = (objects.tree_of(soul.repo, side) for side in (head, tip))
        refuse_losses(soul, Trees(result.base, ours, theirs, result.tree), result)
        new = commit.create(soul, engine.author(result.tree), "合并另一具身体的更新", result.tree, [head, tip])
        return Target(new, result.outcomes, result.warnings, merged=True)

    return make


def joined_onto(engine: Engine, tip: str, *, unpushed: bool) -> Callable[[str | None], Target]:
    """Bring a soul that began here onto a remote that it never met (soul-repo-v4 §8).

    Our content whole as one commit on the remote's tip, then the merged content as a second: nothing is lost, and our
    own root stays out of the shared history.
    """
    soul = engine.soul

    def make(head: str | None) -> Target:
        if head is None:
            return Target(tip)
        theirs = objects.tree_of(soul.repo, tip)
        ours = objects.tree_of(soul.repo, head)
        whole = commit.create(soul, engine.author(ours), "带来本机已有的内容", ours, [tip])
        mine, other = merge.sides(soul, head, tip, unpushed=unpushed)
        # Fixed files that the remote has are left as they are: filling in never overwrites (§2).
        fixed = {path: objects.lookup(soul.repo, theirs, path) for path in spec.FIXED_FILES}
        mine.tree = objects.edit(soul.repo, ours, {path: e for path, e in fixed.items() if e is not None})
        # The soul's id must not change by our joining, although its last agent.json can't be read (§4 rule 12).
        good = guards.last_identity(soul, tip)
        other.tree = objects.edit(soul.repo, theirs, {spec.AGENT_JSON: good} if good else {})
        result = merge.merge_trees(soul, None, mine, other)
        refuse_losses(soul, Trees(None, mine.tree, other.tree, result.tree), result)
        final = commit.create(soul, engine.author(theirs), "合并本机与远端的内容", result.tree, [whole])
        return Target(final, result.outcomes, result.warnings, merged=True)

    return make


def filled_in(engine: Engine, identity: bytes) -> Callable[[str | None], Target]:
    """Complete the structure and register this body, in one commit."""
    soul, registration = engine.soul, engine.registration

    def make(head: str | None) -> Target:
        tree = objects.tree_of(soul.repo, head) if head else None
        files = fill_in.missing(soul.repo, tree, identity)
        if not registration.is_ours(tree):
            files[registration.path] = registration.renewed()
            files.pop("bodies/.gitkeep", None)
        if not files and head is not None:
            return Target(head)
        filled = objects.edit(soul.repo, tree, fill_in.entries(soul.repo, files))
        what = fill_in.SUBJECT if set(files) - {registration.path} else subjects.REGISTERED
        return Target(commit.create(soul, engine.author(filled), what, filled, [head] if head else []))

    return make


def refuse_losses(soul: Soul, trees: Trees, result: TreeMerge) -> None:
    """The loss audit: a merge that drops what nobody deleted never becomes a commit; both sides stay untouched."""
    named = frozenset(outcome.path for outcome in result.outcomes)
    misses = audit.audit(soul.repo, trees, named)
    if misses:
        first = [f"{shown(m.path)} ({m.side}): {(m.text or tr('the whole file'))[:80]}" for m in misses[:5]]
        raise SoulSyncError(
            tr(
                "The merge would lose {count} things that nobody deleted, so it was not made: {first}.",
                count=len(misses),
                first="; ".join(first),
            ),
            tr("Both sides are untouched. This is a fault of soulsync; please report it."),
        )
