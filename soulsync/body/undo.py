"""Undoing a commit by the merge rules (soul-repo-v4 §5): a reverse commit on top, nothing is rewritten."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body import fill_in
from soulsync.body.targets import Target
from soulsync.errors import SoulSyncError
from soulsync.formats import agent
from soulsync.formats.text import Malformed
from soulsync.lang import tr
from soulsync.merge.result import OURS, THEIRS, Sides
from soulsync.merge.rules import merge_file, rule_for
from soulsync.merge.second import INDEX
from soulsync.repo import commit, memory_stores, merge, objects
from soulsync.repo.moves import follow_moves
from soulsync.repo.objects import Entry
from soulsync.repo.revisions import resolve

if TYPE_CHECKING:
    from soulsync.body.engine import Engine
    from soulsync.repo.soul import Soul

CHANGED_SINCE = "changed since"
NOT_UNDONE = "journals, registry, lease and fixed files are not undone"
REQUIRED = "the spec requires it"


@dataclass(slots=True)
class Undone:
    """What an undo does: the tree ``edits``, and the paths it leaves with the reason."""

    commit: str
    edits: dict[str, Entry | None] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    new: str | None = None

    def as_json(self) -> dict[str, object]:
        """``{undone, commit, changed, left}``."""
        left = [{"path": path, "reason": reason} for path, reason in sorted(self.left.items())]
        return {"undone": self.commit, "commit": self.new, "changed": sorted(self.edits), "left": left}


def undo(engine: Engine, revision: str, *, force: frozenset[str] = frozenset(), dry_run: bool = False) -> Undone:
    """Take back what one commit did, path by path, and keep everything that came after it.

    ``force``: paths to set back although they changed since, or one's own journal. Raises ``SoulSyncError`` (1) for a
    commit that is unknown, not in the history of ``main``, the root, or a fill-in.
    """
    soul = engine.soul
    head = soul.head
    if head is None:
        raise SoulSyncError(tr("This soul has no history yet."), tr("Nothing to undo."))
    target = resolve(soul, revision, head)
    undone = Undone(target)
    _refuse(soul, target)

    def make(tip: str | None) -> Target:
        now = tip or head
        undone.edits, undone.left = _plan(soul, target, now, force, engine.config.body)
        if not undone.edits:
            return Target(now)
        tree = objects.edit(soul.repo, objects.tree_of(soul.repo, now), undone.edits)
        undone.new = commit.create(soul, engine.author(tree), f"撤销 {target[:7]}", tree, [now])
        return Target(undone.new)

    if dry_run:
        undone.edits, undone.left = _plan(soul, target, head, force, engine.config.body)
    else:
        engine.move_to(make, "undo")
        engine.settle()
    return undone


def _refuse(soul: Soul, target: str) -> None:
    found = objects.commit_of(soul.repo, target)
    if not found.parents:
        raise SoulSyncError(
            tr("{target} is the beginning of this soul; it can't be undone.", target=target[:7]),
            tr("Undo a later commit."),
        )
    if found.message.startswith(fill_in.SUBJECT):
        raise SoulSyncError(
            tr("{target} filled in the structure of this soul; it can't be undone.", target=target[:7]),
            tr("Undo another."),
        )


def _plan(
    soul: Soul, target: str, head: str, force: frozenset[str], body: str
) -> tuple[dict[str, Entry | None], dict[str, str]]:
    parents = [str(p) for p in objects.commit_of(soul.repo, target).parent_ids]
    planner = _Planner(soul, target, head, force, body)
    if len(parents) > 1:
        planner.restore_losers(parents)
    else:
        planner.reverse(parents[0])
    planner.rebuild_indexes()
    return planner.edits, planner.left


class _Planner:
    def __init__(self, soul: Soul, target: str, head: str, force: frozenset[str], body: str) -> None:
        self.soul, self.force, self.body = soul, force, body
        self.then = objects.tree_of(soul.repo, target)
        self.now = objects.tree_of(soul.repo, head)
        self.target = target
        self.edits: dict[str, Entry | None] = {}
        self.left: dict[str, str] = {}

    def reverse(self, parent: str) -> None:
        """The merge of (commit, head, parent of the commit), by the rules."""
        wanted = objects.diff(self.soul.repo, self.then, objects.tree_of(self.soul.repo, parent))
        since = objects.diff(self.soul.repo, self.then, self.now)
        # Where the commit moved a file that was edited since, the edit goes back to the old place.
        self.edits.update(follow_moves({**since}, wanted).edits)
        for path, (then, before) in sorted(wanted.items()):
            now = since[path][1] if path in since else then
            self._set_back(path, then, now, before)

    def restore_losers(self, parents: list[str]) -> None:
        """For each path where the merge had a loser: the loser."""
        ours, theirs = parents[:2]
        result = merge.merge_commits(self.soul, ours, theirs)
        for outcome in result.outcomes:
            if outcome.rule == "soul-agent":
                self._restore_fields(outcome.path, ours, theirs)
            elif outcome.kept in (OURS, THEIRS):
                loser = theirs if outcome.kept == OURS else ours
                then, now = (objects.lookup(self.soul.repo, tree, outcome.path) for tree in (self.then, self.now))
                self._set_back(
                    outcome.path, then, now, objects.lookup(self.soul.repo, _tree(self.soul, loser), outcome.path)
                )

    def rebuild_indexes(self) -> None:
        """The index of an OxSoul store follows its memories, whatever came after the commit (oxsoul-v0)."""
        tree = objects.edit(self.soul.repo, self.now, self.edits)
        for path, entry in memory_stores.indexes(self.soul.repo, tree, self.edits).items():
            self.edits[path] = entry
            if entry == objects.lookup(self.soul.repo, self.now, path):
                del self.edits[path]
        for path in [path for path in self.left if rule_for(path) == INDEX]:
            del self.left[path]

    def _set_back(self, path: str, then: Entry | None, now: Entry | None, before: Entry | None) -> None:
        if now == before:
            return
        if path not in self.force or spec.owner_of(path) not in (None, self.body):
            reason = self._protected(path, before)
            if reason:
                self.left[path] = reason
                return
        if now == then or path in self.force:
            self.edits[path] = before
            return
        joined = self._by_rule(path, then, now, before)
        if joined is None:
            self.left[path] = CHANGED_SINCE
        elif joined != now:
            self.edits[path] = joined

    def _protected(self, path: str, before: Entry | None) -> str | None:
        if spec.is_fixed(path) or path.startswith(("journal/", "bodies/", "locks/")):
            return NOT_UNDONE
        return REQUIRED if before is None and spec.never_vanishes(path) else None

    def _by_rule(self, path: str, then: Entry | None, now: Entry | None, before: Entry | None) -> Entry | None:
        """Memories by entry and identity by field; None for everything else, which changed as a whole."""
        rule = rule_for(path)
        if rule not in ("soul-entries", "soul-agent") or now is None:
            return None
        data = [objects.read_blob(self.soul.repo, e.id) if e is not None else None for e in (then, now, before)]
        if rule == "soul-entries":
            data = [content or b"" for content in data]
        merged = merge_file(rule, path, data[0], data[1], data[2], Sides())
        return None if merged.data is None else Entry(now.mode, objects.write_blob(self.soul.repo, merged.data))

    def _restore_fields(self, path: str, ours: str, theirs: str) -> None:
        """The fields of ``agent.json`` that both sides of a merge had changed get the value that lost."""
        bases = merge.merge_bases(self.soul, ours, theirs)
        trees = [
            merge.base_tree(self.soul, bases),
            _tree(self.soul, ours),
            _tree(self.soul, theirs),
            self.then,
            self.now,
        ]
        try:
            values = [agent.parse(objects.file_at(self.soul.repo, tree, path) or b"") for tree in trees]
        except Malformed:
            self.left[path] = CHANGED_SINCE
            return
        fields = _lost_fields(*values)
        if not fields:
            return
        restored = agent.render({**values[4], **fields})
        entry = objects.lookup(self.soul.repo, self.now, path)
        if entry is not None:
            self.edits[path] = Entry(entry.mode, objects.write_blob(self.soul.repo, restored))


Fields = dict[str, object]


def _lost_fields(base: Fields, ours: Fields, theirs: Fields, then: Fields, now: Fields) -> Fields:
    """Fields that both sides changed and that still hold what won, with the value that lost."""
    lost: Fields = {}
    for name in (ours.keys() | theirs.keys()) - {"id"}:
        versions = [values.get(name) for values in (base, ours, theirs)]
        disputed = versions[0] not in versions[1:] and versions[1] != versions[2]
        if disputed and now.get(name) == then.get(name):
            loser = versions[2] if then.get(name) == versions[1] else versions[1]
            if loser is not None:
                lost[name] = loser
    return lost


def _tree(soul: Soul, commit_id: str) -> str:
    return objects.tree_of(soul.repo, commit_id)
