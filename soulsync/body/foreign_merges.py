"""Merges that other hands made: plain git, a forge's button, another implementation (soul-repo-v4 §4, reports).

What such a merge dropped is named with the commit that still has it; ``torn`` repairs what it left with markers.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from soulsync.body import second_memories, torn
from soulsync.body.targets import Target
from soulsync.formats.text import encode
from soulsync.lang import tr
from soulsync.repo import audit, merge, objects
from soulsync.repo.audit import Trees
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.body.engine import Engine
    from soulsync.repo.audit import Miss
    from soulsync.repo.soul import Soul

MAX_MERGES = 50
"""How many merges of one sync are looked at, the newest first."""
MAX_LINES = 20
EXCERPT = 60


@dataclass(frozen=True, slots=True)
class Merge:
    """A merge as it stands in the history: mostly of two commits, of more where git was given several at once."""

    commit: str
    parents: tuple[str, ...]


def between(soul: Soul, old: str | None, new: str) -> list[Merge]:
    """The merges that ``new`` has and ``old`` has not (None: all), newest first, at most 50."""
    argv = ["rev-list", "--min-parents=2", "--parents", f"--max-count={MAX_MERGES}", new]
    if old is not None:
        argv.append(f"^{old}")
    lines = (line.split() for line in soul.git.text(*argv).splitlines())
    return [Merge(made, tuple(parents)) for made, *parents in lines]


def look_at_own(engine: Engine, sent: str | None, known: set[str]) -> None:
    """Before a push: look at the merges that a person made here by plain git, since the tip that the remote has.

    What they dropped is reported; files that they left torn by conflict markers are merged by the rules, and what
    they left out of memory stores is brought back. ``known``: our own merges, which were looked at before
    they became commits; those found now are added.
    """
    soul = engine.soul
    own = _not_sent(soul, sent, known)
    if not own:
        return
    known.update(one.commit for one in own)
    engine.report.warn(dropped(soul, own))
    head = soul.head
    if head is not None and (torn.left_by(soul, own, head) or second_memories.left_out(soul, own, head)):
        engine.move_to(lambda now: Target(torn.mended(engine, own, now or head)), "mend")


def _not_sent(soul: Soul, sent: str | None, known: set[str]) -> list[Merge]:
    """The merges on ``main`` that the remote lacks; most often none, which takes no process to find out."""
    if soul.head is None:
        return []
    walk = soul.repo.walk(soul.head)
    if sent is not None:
        walk.hide(sent)
    merges = (Merge(str(c.id), tuple(str(p) for p in c.parent_ids)) for c in walk if len(c.parent_ids) > 1)
    return list(islice((one for one in merges if one.commit not in known), MAX_MERGES))


def dropped(soul: Soul, merges: list[Merge]) -> list[str]:
    """What the merges lost that nobody deleted, one line each; nothing for a merge that followed the rules."""
    lines = [line for one in merges for line in _dropped(soul, one)]
    more = len(lines) - MAX_LINES
    return [*lines[:MAX_LINES], tr("… and {count} more.", count=more)] if more > 0 else lines


def _dropped(soul: Soul, one: Merge) -> Iterator[str]:
    for holder, miss in _missed_by_two(soul, one) if len(one.parents) == 2 else _missed_by_more(soul, one):
        yield tr(
            "The merge {merge} dropped {what} from {path}; `soulsync restore {path} --at {holder}` brings it back.",
            merge=one.commit[:7],
            what=_excerpt(miss.text),
            path=shown(miss.path),
            holder=holder[:12],
        )


def _missed_by_two(soul: Soul, one: Merge) -> Iterator[tuple[str, Miss]]:
    """What the merge of two commits lacks, with the parent that has it."""
    tree = objects.tree_of(soul.repo, one.commit)
    trees = [objects.tree_of(soul.repo, parent) for parent in one.parents]
    ruled = merge.merge_commits(soul, one.parents[0], one.parents[1])
    if tree == ruled.tree:
        return
    followed = frozenset(
        outcome.path
        for outcome in ruled.outcomes
        if objects.lookup(soul.repo, tree, outcome.path) == objects.lookup(soul.repo, ruled.tree, outcome.path)
    )
    for miss in audit.audit(soul.repo, Trees(ruled.base, trees[0], trees[1], tree), followed):
        if miss.path in ruled.seconds:
            continue  # a second memory, which a later commit may have brought, and else torn.mended does
        yield one.parents[0 if miss.side == audit.OURS else 1], miss


def _missed_by_more(soul: Soul, one: Merge) -> Iterator[tuple[str, Miss]]:
    """What the merge of three or more lacks of what the rules make of them, one after the other.

    Git asks no driver then and merges line by line (git 2.39, builtin strategy ``octopus``).
    """
    made, ruled = objects.tree_of(soul.repo, one.commit), _ruled(soul, one.parents)
    for miss in audit.audit(soul.repo, Trees(None, ruled, ruled, made)):
        if miss.side == audit.OURS:
            yield _holder(soul, one.parents, ruled, miss), miss


def _ruled(soul: Soul, parents: tuple[str, ...]) -> str:
    tree = merge.merge_commits(soul, parents[0], parents[1]).tree
    for number, parent in enumerate(parents[2:], 2):
        base = merge.base_tree(soul, merge.merge_bases(soul, parent, *parents[:number]))
        sides = merge.Side(tree), merge.Side(objects.tree_of(soul.repo, parent), parent)
        tree = merge.merge_trees(soul, base, *sides).tree
    return tree


def _holder(soul: Soul, parents: tuple[str, ...], ruled: str, miss: Miss) -> str:
    """The first parent whose version has what the merge lacks."""
    text = encode(miss.text) if miss.text is not None else None
    wanted = objects.lookup(soul.repo, ruled, miss.path)
    for parent in parents:
        entry, data = torn.file_at(soul, objects.tree_of(soul.repo, parent), miss.path)
        if (text is not None and data is not None and text in data) or (text is None and entry == wanted):
            return parent
    return parents[0]


def _excerpt(text: str | None) -> str:
    if text is None:
        return tr("one side's version")
    line = " ".join(text.split())
    return f"“{line if len(line) <= EXCERPT else line[: EXCERPT - 1] + '…'}”"
