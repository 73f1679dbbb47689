"""Merging two commits of a soul in memory: what changed on each side, path by path, by the rules of ``soulsync.merge``.

libgit2 runs no merge drivers, so the engine walks the three trees itself and calls the functions that the drivers call.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync import progress, spec
from soulsync.errors import SoulSyncError
from soulsync.lang import tr
from soulsync.merge import second
from soulsync.merge.result import BOTH, OURS, REBUILT, THEIRS, Sides
from soulsync.merge.rules import merge_file, rule_for
from soulsync.repo import memory_stores, objects
from soulsync.repo.faults import told
from soulsync.repo.file_or_folder import separate
from soulsync.repo.moves import follow_moves
from soulsync.repo.objects import BLOB, EXECUTABLE, Entry
from soulsync.repo.times import Touch, touched_by_both

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soulsync.repo.soul import Soul

MAX_MERGE_BYTES = 256 * 1024 * 1024
"""A file over this is not merged by content: the newer one stays whole, the other in history."""
MAX_CRISS_CROSS = 50
"""Merge bases of merge bases that we follow; below that one of them has to do."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One path that both sides changed.

    ``kept`` is ``both``, ``ours``, ``theirs`` or ``rebuilt``; ``lost`` is the commit that holds the losing version, or
    None.
    """

    path: str
    rule: str
    kept: str
    lost: str | None


@dataclass(slots=True)
class TreeMerge:
    """The merge of two trees on ``base`` (None: there is none): the ``tree``, what was decided where, what was odd.

    ``seconds`` tells for a path where the second of two memories went that came under its name.
    """

    tree: str
    base: str | None = None
    seconds: dict[str, str] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Side:
    """One side of a merge.

    ``commit`` is None inside a virtual merge base. ``unpushed``: its identity never reached a remote (§4 rule 12).
    ``touches`` tells when the side last changed a path.
    """

    tree: str | None
    commit: str | None = None
    unpushed: bool = False
    touches: Mapping[str, Touch] = field(default_factory=dict)

    def time(self, path: str) -> int | None:
        """When this side last changed ``path``, by its commits."""
        touch = self.touches.get(path)
        return touch.time if touch else None


def merge_bases(soul: Soul, ours: str, *theirs: str) -> list[str]:
    """All best common ancestors of a commit and (the merge of) others, in a fixed order; empty for unrelated ones."""
    result = soul.git.run("merge-base", "--all", ours, *theirs, check=False)
    if result.code not in (0, 1):
        raise SoulSyncError(
            tr("git merge-base failed: {err}.", err=result.err.strip()), tr("Run `git fsck` on the soul.")
        )
    return sorted(result.out.decode("ascii").split())


def merge_commits(soul: Soul, ours: str, theirs: str) -> TreeMerge:
    """Merge two commits by the rules; nothing is written but objects."""
    base = base_tree(soul, merge_bases(soul, ours, theirs))
    return merge_trees(soul, base, *sides(soul, ours, theirs))


def sides(soul: Soul, ours: str, theirs: str, *, unpushed: bool = False) -> tuple[Side, Side]:
    """Two commits as the sides of a merge; ``unpushed``: our identity never reached a remote."""
    mine, other = touched_by_both(soul, ours, theirs)
    return (
        Side(objects.tree_of(soul.repo, ours), ours, unpushed, mine),
        Side(objects.tree_of(soul.repo, theirs), theirs, False, other),
    )


def base_tree(soul: Soul, bases: list[str], *, depth: int = 0) -> str | None:
    """The tree of the merge base; several (a criss-cross history) are merged into a virtual one, like git does."""
    if not bases:
        return None
    tree = objects.tree_of(soul.repo, bases[0])
    if depth > MAX_CRISS_CROSS:
        return tree
    for number, other in enumerate(bases[1:], 1):
        below = base_tree(soul, merge_bases(soul, other, *bases[:number]), depth=depth + 1)
        sides = Side(tree), Side(objects.tree_of(soul.repo, other))
        tree = merge_trees(soul, below, *sides, inner=True).tree
    return tree


def merge_trees(soul: Soul, base: str | None, ours: Side, theirs: Side, *, inner: bool = False) -> TreeMerge:
    """Three-way merge of trees. ``inner``: the sides are merge bases themselves, so the result is only a base."""
    merger = _Merger(soul, base, ours, theirs, inner)
    with soul.many_objects(len(merger.our_changes.keys() & merger.their_changes.keys())):
        return merger.run()


class _Merger:
    def __init__(self, soul: Soul, base: str | None, ours: Side, theirs: Side, inner: bool) -> None:
        self.soul, self.base, self.ours, self.theirs, self.inner = soul, base, ours, theirs, inner
        self.result = TreeMerge(ours.tree or "", base)
        self.our_changes = objects.diff(soul.repo, base, ours.tree)
        self.their_changes = objects.diff(soul.repo, base, theirs.tree)
        self.both: list[second.Both] = []

    def run(self) -> TreeMerge:
        edits: dict[str, Entry | None] = {}
        touched = {*self.our_changes, *self.their_changes}
        followed = follow_moves(self.our_changes, self.their_changes)
        paths = sorted({*self.our_changes, *self.their_changes})
        for number, path in enumerate(paths):
            progress.tell("merging", number, len(paths))
            entry = self._merge_path(path)
            if entry != self._at(self.our_changes, path, self._base_entry(path)):
                edits[path] = entry
        edits.update(followed.edits)
        for beside, path in separate(self.soul.repo, self.ours.tree, edits).items():
            self._warn(
                tr(
                    "{path} is a file in one body and a folder in another; beside it there is now {beside}.",
                    path=path,
                    beside=beside,
                )
            )
            self.result.outcomes.append(Outcome(beside, "soul-newest", BOTH, None))
        self.result.tree = self._settled(objects.edit(self.soul.repo, self.ours.tree, edits), touched)
        return self.result

    def _settled(self, tree: str, touched: set[str]) -> str:
        """Write beside the merged files what no rule for one file can: second memories, rebuilt indexes (rule 14)."""
        settled = memory_stores.settled(self.soul.repo, tree, self.both, touched)
        self.result.seconds = settled.moved
        for path, other in settled.moved.items():
            self._warn(
                tr("Two memories were called {path}; the other one is now {other}.", path=path, other=other),
            )
            self._record(Outcome(path, rule_for(path), BOTH, None))
        edits = {}
        for path, data in settled.files.items():
            rule = rule_for(path)
            self._record(Outcome(path, rule, REBUILT if rule == second.INDEX else BOTH, None))
            edits[path] = Entry(BLOB, objects.write_blob(self.soul.repo, data))
        return objects.edit(self.soul.repo, tree, edits) if edits else tree

    def _record(self, outcome: Outcome) -> None:
        """Note an outcome in place of what its rule said."""
        self.result.outcomes = [one for one in self.result.outcomes if one.path != outcome.path] + [outcome]

    def _base_entry(self, path: str) -> Entry | None:
        change = self.our_changes.get(path) or self.their_changes.get(path)
        return change[0] if change else None

    @staticmethod
    def _at(changes: Mapping[str, objects.Change], path: str, base: Entry | None) -> Entry | None:
        return changes[path][1] if path in changes else base

    def _merge_path(self, path: str) -> Entry | None:
        base = self._base_entry(path)
        ours, theirs = (self._side(changes, path, base) for changes in (self.our_changes, self.their_changes))
        if ours == theirs:
            return ours
        if ours == base or theirs == base:
            return self._one_sided(path, base, theirs if ours == base else ours)
        return self._both_changed(path, base, ours, theirs)

    def _side(self, changes: Mapping[str, objects.Change], path: str, base: Entry | None) -> Entry | None:
        """What one side has at ``path``; where it lacks a file that the spec requires, it counts as unchanged."""
        entry = self._at(changes, path, base)
        gone = base is not None and base.is_file and (entry is None or not entry.is_file)
        if gone and spec.never_vanishes(path) and not self.inner:
            self._warn(tr("{path} was deleted in one body; the spec requires it, so it stays.", path=path))
            return base
        return entry

    def _one_sided(self, path: str, base: Entry | None, changed: Entry | None) -> Entry | None:
        """Only one side changed it: that side's, except that the id in agent.json never changes."""
        if path == spec.AGENT_JSON and base is not None and changed is not None and base.is_file and changed.is_file:
            data = [objects.read_blob(self.soul.repo, e.id) for e in (base, changed)]
            merged = merge_file("soul-agent", path, data[0], data[1], data[0], self._sides(path))
            self._faults(path, merged.faults)
            if merged.data is not None and merged.data != data[1]:
                return Entry(changed.mode, objects.write_blob(self.soul.repo, merged.data))
        return changed

    def _both_changed(self, path: str, base: Entry | None, ours: Entry | None, theirs: Entry | None) -> Entry | None:
        entries = [e for e in (ours, theirs) if e is not None]
        contents = self._contents(base, ours, theirs) if all(e.is_file for e in entries) else None
        if contents is None:
            return self._newest_whole(path, base, ours, theirs)
        rule = rule_for(path)
        merged = merge_file(rule, path, contents[0], contents[1], contents[2], self._sides(path))
        self._faults(path, merged.faults)
        self._report(path, rule, REBUILT if rule == second.INDEX else merged.kept, ours, theirs)
        if rule in second.RULES and contents[1] is not None and contents[2] is not None:
            self.both.append(second.Both(rule, path, contents[0], contents[1], contents[2]))
        if merged.data is None:
            return None
        if len(merged.data) > spec.MAX_FILE_BYTES and not self.inner:
            self._warn(
                tr(
                    "{path} is {count} bytes after the merge, over the limit of 1 MiB.",
                    path=path,
                    count=len(merged.data),
                )
            )
        for entry, content in ((ours, contents[1]), (theirs, contents[2])):
            if entry is not None and content == merged.data:
                return Entry(_mode(base, ours, theirs), entry.id)
        return Entry(_mode(base, ours, theirs), objects.write_blob(self.soul.repo, merged.data))

    def _contents(self, *entries: Entry | None) -> list[bytes | None] | None:
        """The three contents, or None where they are too much to take into memory."""
        files = [e for e in entries if e is not None and e.is_file]
        if sum(objects.blob_size(self.soul.repo, e.id) for e in files) > MAX_MERGE_BYTES:
            return None
        return [objects.read_blob(self.soul.repo, e.id) if e in files and e is not None else None for e in entries]

    def _newest_whole(self, path: str, base: Entry | None, ours: Entry | None, theirs: Entry | None) -> Entry | None:
        """A link, a submodule or something huge on either side: the newer act, by times alone; but a file that a body
        changed never yields to a link, which no body makes and none checks out (§6)."""
        if self.inner and base is not None:
            return base

        linked = any(entry is not None and not entry.is_file for entry in (ours, theirs))

        def rank(side: Side, entry: Entry | None) -> tuple[bool, int, str, int]:
            time, written = side.time(path), linked and entry is not None and entry.is_file
            return (written, -1 if time is None else time, entry.id if entry else "", entry.mode if entry else 0)

        ours_newer = rank(self.ours, ours) > rank(self.theirs, theirs)
        self._report(path, "soul-newest", OURS if ours_newer else THEIRS, ours, theirs)
        return ours if ours_newer else theirs

    def _sides(self, path: str) -> Sides:
        return Sides(
            self.ours.time(path),
            self.theirs.time(path),
            inner=self.inner,
            ours_unpushed=self.ours.unpushed,
            theirs_unpushed=self.theirs.unpushed,
        )

    def _report(self, path: str, rule: str, kept: str, ours: Entry | None, theirs: Entry | None) -> None:
        losers = {OURS: (self.theirs, theirs), THEIRS: (self.ours, ours)}
        lost = self._holder(path, *losers[kept]) if kept in losers else None
        self.result.outcomes.append(Outcome(path, rule, kept, lost))

    def _holder(self, path: str, side: Side, entry: Entry | None) -> str | None:
        """A commit that holds the side's version: the one that made it, where that is the latest, else the tip."""
        touch = side.touches.get(path)
        if touch is not None:
            tree = objects.tree_of(self.soul.repo, touch.commit)
            if objects.lookup(self.soul.repo, tree, path) == entry:
                return touch.commit
        return side.commit

    def _faults(self, path: str, faults: tuple[str, ...]) -> None:
        for fault in faults:
            self._warn(f"{path}: {told(fault)}")

    def _warn(self, text: str) -> None:
        if text not in self.result.warnings:
            self.result.warnings.append(text)


def _mode(base: Entry | None, ours: Entry | None, theirs: Entry | None) -> int:
    """The mode by three-way merge; executable wins where both changed it, so that the result has no sides."""
    modes = [e.mode for e in (ours, theirs) if e is not None]
    if len(modes) == 1 or modes[0] == modes[1]:
        return modes[0]
    if base is not None and base.mode in modes:
        return modes[1] if modes[0] == base.mode else modes[0]
    return EXECUTABLE if EXECUTABLE in modes else BLOB
