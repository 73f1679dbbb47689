"""Files that a merge by other hands left with conflict markers (soul-repo-v4 §4).

Another implementation was killed half-way and pushed what stood there, or a person committed it. In a merge commit such
a file is read as the two sides of its conflict, which are merged by the rules; anywhere else markers are content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body import second_memories
from soulsync.lang import tr
from soulsync.merge import markers
from soulsync.merge.rules import merge_file, rule_for
from soulsync.repo import commit, merge, objects
from soulsync.repo.objects import Entry
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from soulsync.body.engine import Engine
    from soulsync.body.foreign_merges import Merge
    from soulsync.merge.markers import Conflict
    from soulsync.repo.soul import Soul

MAX_BYTES = 16 * 1024 * 1024
"""A larger file is not searched for markers."""


@dataclass(frozen=True, slots=True)
class Torn:
    """A file that a merge left with conflict markers: what they say, and the version at the merge base."""

    path: str
    entry: Entry
    conflict: Conflict
    base: bytes | None


def left_by(soul: Soul, merges: list[Merge], tip: str) -> list[Torn]:
    """The files that still hold markers which a merge wrote and none of its parents had."""
    now = objects.tree_of(soul.repo, tip)
    found: dict[str, Torn] = {}
    for one in merges:
        if len(one.parents) != 2:
            continue  # git itself refuses to make a merge of three with a conflict in it
        made = objects.tree_of(soul.repo, one.commit)
        trees = [objects.tree_of(soul.repo, parent) for parent in one.parents]
        changed = [set(objects.diff(soul.repo, tree, made)) for tree in trees]
        for path in sorted((changed[0] & changed[1]) - found.keys()):
            conflict = _conflict_in(soul, path, made, trees)
            entry, data = file_at(soul, now, path)
            if conflict is None or entry is None or data is None or any(b not in data for b in conflict.blocks):
                continue
            standing = markers.read(data)
            if standing is not None:
                base = merge.base_tree(soul, merge.merge_bases(soul, *one.parents))
                found[path] = Torn(path, entry, standing, file_at(soul, base, path)[1])
    return list(found.values())


def _conflict_in(soul: Soul, path: str, made: str, trees: list[str]) -> Conflict | None:
    """The conflict in the merged version of ``path``, if no parent's version has a marker of its own."""
    data = file_at(soul, made, path)[1]
    if data is None or any(markers.holds_marker(file_at(soul, tree, path)[1] or b"") for tree in trees):
        return None
    return markers.read(data)


def file_at(soul: Soul, tree: str | None, path: str) -> tuple[Entry | None, bytes | None]:
    """A file of a tree with its content; nothing where it is no file, or too large to be searched."""
    entry = objects.lookup(soul.repo, tree, path)
    if entry is None or not entry.is_file or objects.blob_size(soul.repo, entry.id) > MAX_BYTES:
        return None, None
    return entry, objects.read_blob(soul.repo, entry.id)


def mended(engine: Engine, merges: list[Merge], tip: str) -> str:
    """``tip``, or a commit on it in which the two sides of each file that ``merges`` tore are merged; no ref moves.

    It brings back what they left out of memory stores too.
    """
    soul = engine.soul
    edits: dict[str, Entry | None] = {}
    for file in left_by(soul, merges, tip):
        data = _joined(file)
        if data is not None:
            edits[file.path] = Entry(file.entry.mode, objects.write_blob(soul.repo, data))
            engine.report.warn(
                [tr("{path} held the conflict markers of a merge; both sides were merged.", path=shown(file.path))]
            )
    subject = "合并冲突标记两侧的内容" if edits else "补上合并时漏下的记忆与索引"
    left_out = second_memories.left_out(soul, merges, tip)
    engine.report.warn([_back(path) for path in left_out])
    edits.update(left_out)
    if not edits:
        return tip
    tree = objects.edit(soul.repo, objects.tree_of(soul.repo, tip), edits)
    return commit.create(soul, engine.author(tree), subject, tree, [tip])


def _back(path: str) -> str:
    if spec.is_oxsoul_index(path):
        return tr("{path} was rebuilt: a merge had left it behind its memories.", path=shown(path))
    return tr("{path} is back: a merge had left out the second memory of one name.", path=shown(path))


def _joined(file: Torn) -> bytes | None:
    from soulsync.merge.result import Sides

    base = file.base if file.base is not None else file.conflict.base
    sides = file.conflict.ours, file.conflict.theirs
    return merge_file(rule_for(file.path), file.path, base, sides[0], sides[1], Sides()).data
