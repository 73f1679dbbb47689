"""Bringing an older version of a path back, as a commit on top."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body.named_path import inside
from soulsync.body.state import Status
from soulsync.body.targets import Target
from soulsync.errors import SoulSyncError
from soulsync.formats import entries
from soulsync.lang import tr
from soulsync.merge.result import Sides
from soulsync.merge.rules import merge_file
from soulsync.repo import commit, memory_stores, objects
from soulsync.repo.objects import Entry
from soulsync.repo.paths import shown
from soulsync.repo.revisions import find

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.body.engine import Engine
    from soulsync.repo.soul import Soul


@dataclass(slots=True)
class Restored:
    """``path`` is again as in ``source``; ``commit`` is the new commit, None when nothing had to change."""

    path: str
    source: str
    commit: str | None = None

    def as_json(self) -> dict[str, object]:
        """``{path, at, commit}``."""
        return {"path": self.path, "at": self.source, "commit": self.commit}


def restore(engine: Engine, path: str, *, at: str | None = None, exact: bool = False) -> Restored:
    """Bring ``path`` back: as it was in the commit ``at``, else the version that a merge named as lost, else the last
    version that differs from today's.

    Memories come back by entry: what is missing today is added, and nothing of today goes; ``exact`` takes the whole
    file. Raises ``SoulSyncError`` (1) for a path or a commit that never was.
    """
    soul = engine.soul
    path = inside(soul.root, path)
    if not path:
        remedy = tr("Name one file of it; `soulsync undo` takes a commit back.")
        raise SoulSyncError(tr("This is the whole soul."), remedy)
    result = Restored(path, "")

    def make(head: str | None) -> Target:
        if head is None:
            raise SoulSyncError(tr("This soul has no history yet."), tr("Nothing to restore."))
        now = objects.tree_of(soul.repo, head)
        source, entry = _source(engine, path, head, at, exact)
        result.source = source
        today = objects.lookup(soul.repo, now, path)
        wanted = entry if exact else _joined(soul, path, today, entry)
        if wanted == today:
            return Target(head)
        tree = objects.edit(soul.repo, now, {path: wanted})
        tree = objects.edit(soul.repo, tree, memory_stores.indexes(soul.repo, tree, [path]))
        if tree == now:
            return Target(head)
        result.commit = commit.create(soul, engine.author(tree), f"恢复 {shown(path)}", tree, [head])
        return Target(result.commit)

    engine.move_to(make, "restore")
    engine.settle()
    return result


def _source(engine: Engine, path: str, head: str, at: str | None, exact: bool) -> tuple[str, Entry]:
    soul = engine.soul
    if at is not None:
        chosen = find(soul, at)
        entry = objects.lookup(soul.repo, objects.tree_of(soul.repo, chosen), path)
        if entry is None or not entry.is_file:
            raise SoulSyncError(
                tr("{path} is not in the commit {chosen}.", path=shown(path), chosen=chosen[:7]),
                tr("Give another --at."),
            )
        return chosen, entry
    today = objects.lookup(soul.repo, objects.tree_of(soul.repo, head), path)
    seen = False
    for source in [*_losers(engine, path), *_versions(soul, path, head)]:
        entry = objects.lookup(soul.repo, objects.tree_of(soul.repo, source), path)
        if entry is None or not entry.is_file:
            continue
        seen = True
        if (entry if exact else _joined(soul, path, today, entry)) != today:
            return source, entry
    if not seen:
        raise SoulSyncError(
            tr("{path} was never in this soul.", path=shown(path)), tr("Check the path with `git log`.")
        )
    raise SoulSyncError(
        tr("No earlier version of {path} has anything that is missing today.", path=shown(path)),
        tr("Give one with --at."),
    )


def _losers(engine: Engine, path: str) -> list[str]:
    """The commits that hold versions which a merge on this machine named as lost, newest first."""
    found = [m["lost"] for m in Status.load(engine.home).merged if m.get("path") == shown(path) and m.get("lost")]
    return [c for c in found if engine.soul.git.run("cat-file", "-e", f"{c}^{{commit}}", check=False).code == 0]


def _versions(soul: Soul, path: str, head: str) -> Iterator[str]:
    """The commits around which ``path`` changed, newest first, each followed by its parents."""
    out = soul.git.text("rev-list", "--full-history", "--parents", head, "--", path)
    for line in out.splitlines():
        yield from line.split()


def _joined(soul: Soul, path: str, today: Entry | None, old: Entry) -> Entry:
    """The version to put in place: for memories today's entries and the old ones, else the old version whole."""
    if not spec.is_memories(path) or today is None or not today.is_file:
        return old
    now, then = (objects.read_blob(soul.repo, e.id) for e in (today, old))
    if set(entries.parse(then)) <= set(entries.parse(now)):
        return today
    merged = merge_file("soul-entries", path, None, now, then, Sides())
    return Entry(today.mode, objects.write_blob(soul.repo, merged.data or b""))
