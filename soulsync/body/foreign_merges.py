"""Merges that other hands made: plain git, a forge's button, another implementation (soul-repo-v4 §4, reports).

What such a merge dropped is named with the commit that still has it. Where it left conflict markers in a file, because
it was killed half-way and pushed what stood there, the file is merged again by the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync.lang import tr
from soulsync.merge import markers
from soulsync.merge.rules import merge_file, rule_for
from soulsync.repo import audit, commit, merge, objects
from soulsync.repo.audit import Trees
from soulsync.repo.objects import Entry
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.body.engine import Engine
    from soulsync.merge.markers import Conflict
    from soulsync.repo.soul import Soul

MAX_MERGES = 50
"""How many merges of one sync are looked at, the newest first."""
MAX_LINES = 20
MAX_BYTES = 16 * 1024 * 1024
"""A larger file is not searched for markers."""
EXCERPT = 60


@dataclass(frozen=True, slots=True)
class Merge:
    """A merge of two commits as it stands in the history, with the tree of its virtual or real merge base."""

    commit: str
    parents: tuple[str, str]
    base: str | None


def between(soul: Soul, old: str | None, new: str) -> list[Merge]:
    """The merges of two parents that ``new`` has and ``old`` has not (None: all), newest first, at most 50."""
    argv = ["rev-list", "--min-parents=2", "--max-parents=2", "--parents", f"--max-count={MAX_MERGES}", new]
    if old is not None:
        argv.append(f"^{old}")
    found = []
    for line in soul.git.text(*argv).splitlines():
        made, ours, theirs = line.split()
        found.append(Merge(made, (ours, theirs), merge.base_tree(soul, merge.merge_bases(soul, ours, theirs))))
    return found


def dropped(soul: Soul, merges: list[Merge]) -> list[str]:
    """What the merges lost that nobody deleted, one line each; nothing for a merge that followed the rules."""
    lines = [line for one in merges for line in _dropped(soul, one)]
    more = len(lines) - MAX_LINES
    return [*lines[:MAX_LINES], tr("… and {count} more.", count=more)] if more > 0 else lines


def _dropped(soul: Soul, one: Merge) -> Iterator[str]:
    tree = objects.tree_of(soul.repo, one.commit)
    trees = [objects.tree_of(soul.repo, parent) for parent in one.parents]
    ruled = merge.merge_commits(soul, *one.parents)
    if tree == ruled.tree:
        return
    followed = frozenset(
        outcome.path
        for outcome in ruled.outcomes
        if objects.lookup(soul.repo, tree, outcome.path) == objects.lookup(soul.repo, ruled.tree, outcome.path)
    )
    for miss in audit.audit(soul.repo, Trees(one.base, trees[0], trees[1], tree), followed):
        holder = one.parents[0 if miss.side == audit.OURS else 1][:12]
        place = shown(miss.path)
        yield tr(
            "The merge {merge} dropped {what} from {path}; `soulsync restore {path} --at {holder}` brings it back.",
            merge=one.commit[:7],
            what=_excerpt(miss.text),
            path=place,
            holder=holder,
        )


def _excerpt(text: str | None) -> str:
    if text is None:
        return tr("one side's version")
    line = " ".join(text.split())
    return f"“{line if len(line) <= EXCERPT else line[: EXCERPT - 1] + '…'}”"


@dataclass(frozen=True, slots=True)
class Torn:
    """A file that a merge left with conflict markers: what they say, and the version at the merge base."""

    path: str
    entry: Entry
    conflict: Conflict
    base: bytes | None


def torn(soul: Soul, merges: list[Merge], tip: str) -> list[Torn]:
    """The files that still hold markers which a merge wrote and none of its parents had."""
    now = objects.tree_of(soul.repo, tip)
    found: dict[str, Torn] = {}
    for one in merges:
        made = objects.tree_of(soul.repo, one.commit)
        trees = [objects.tree_of(soul.repo, parent) for parent in one.parents]
        changed = [set(objects.diff(soul.repo, tree, made)) for tree in trees]
        for path in sorted((changed[0] & changed[1]) - found.keys()):
            conflict = _left_by(soul, path, made, trees)
            entry, data = _file(soul, now, path)
            if conflict is None or entry is None or data is None or any(b not in data for b in conflict.blocks):
                continue
            standing = markers.read(data)
            if standing is not None:
                found[path] = Torn(path, entry, standing, _file(soul, one.base, path)[1])
    return list(found.values())


def _left_by(soul: Soul, path: str, made: str, trees: list[str]) -> Conflict | None:
    """The conflict in the merged version of ``path``, if no parent's version has a marker of its own."""
    data = _file(soul, made, path)[1]
    if data is None or any(markers.holds_marker(_file(soul, tree, path)[1] or b"") for tree in trees):
        return None
    return markers.read(data)


def _file(soul: Soul, tree: str | None, path: str) -> tuple[Entry | None, bytes | None]:
    entry = objects.lookup(soul.repo, tree, path)
    if entry is None or not entry.is_file or objects.blob_size(soul.repo, entry.id) > MAX_BYTES:
        return None, None
    return entry, objects.read_blob(soul.repo, entry.id)


def mended(engine: Engine, torn_files: list[Torn], tip: str) -> str:
    """A commit on ``tip`` in which the two sides of each torn file are merged by the rules; no ref moves."""
    soul = engine.soul
    edits: dict[str, Entry | None] = {}
    for file in torn_files:
        data = _joined(file)
        if data is not None:
            edits[file.path] = Entry(file.entry.mode, objects.write_blob(soul.repo, data))
            engine.report.warn(
                [tr("{path} arrived with conflict markers; both sides were merged.", path=shown(file.path))]
            )
    if not edits:
        return tip
    tree = objects.edit(soul.repo, objects.tree_of(soul.repo, tip), edits)
    return commit.create(soul, engine.author(tree), "合并冲突标记两侧的内容", tree, [tip])


def _joined(file: Torn) -> bytes | None:
    from soulsync.merge.result import Sides

    base = file.base if file.base is not None else file.conflict.base
    sides = file.conflict.ours, file.conflict.theirs
    return merge_file(rule_for(file.path), file.path, base, sides[0], sides[1], Sides()).data
