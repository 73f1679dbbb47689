"""What a commit did, in terms of memory: entries, notes, journal sections, fields; not lines."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from soulsync import spec
from soulsync.formats import agent, entries, journal
from soulsync.formats.text import Malformed
from soulsync.repo import merge, objects
from soulsync.repo.moves import find_moves
from soulsync.repo.paths import shown
from soulsync.repo.words import SIMILAR, similarity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from soulsync.repo.history import Commit
    from soulsync.repo.objects import Entry
    from soulsync.repo.soul import Soul

MAX_PAIRS = 4000
MAX_WORK = 100_000_000
"""Pairs of entries, and of their characters, compared in one file; beyond that they are shown as removed and added."""
MAX_SHOWN_BYTES = 4 * spec.MAX_FILE_BYTES


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed.

    ``kind`` is one of ``entry-added entry-removed entry-edited``, ``note-written note-edited note-deleted note-moved``,
    ``journal-section``, ``identity`` (a field), ``soul``, ``body``, ``lease``,
    ``file-added file-changed file-deleted file-moved``, or ``replaced`` (a version that lost in a merge; ``commit``
    holds it). ``old`` and ``new`` are texts: an entry, a path of a move, a value.
    """

    kind: str
    path: str
    old: str | None = None
    new: str | None = None
    name: str | None = None
    commit: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The fields that are set."""
        return {key: value for key, value in asdict(self).items() if value is not None}


def of_commit(soul: Soul, commit: Commit) -> list[Change]:
    """What ``commit`` did against its parent; of a merge: which versions lost in it."""
    tree = objects.tree_of(soul.repo, commit.id)
    if not commit.parents:
        return between(soul, None, tree)
    trees = [objects.tree_of(soul.repo, parent) for parent in commit.parents]
    if len(trees) == 1:
        return between(soul, trees[0], tree)
    return _losers(soul, commit, trees, tree)


def _losers(soul: Soul, commit: Commit, trees: list[str], tree: str) -> list[Change]:
    """What the rules say of the two parents, where the commit, which another program may have made, says the same."""
    if len(trees) != 2:
        return []
    outcomes = merge.merge_commits(soul, commit.parents[0], commit.parents[1]).outcomes
    return [
        Change("replaced", shown(outcome.path), commit=outcome.lost)
        for outcome in outcomes
        if outcome.lost and _at(soul, outcome.lost, outcome.path) != objects.lookup(soul.repo, tree, outcome.path)
    ]


def _at(soul: Soul, commit: str, path: str) -> Entry | None:
    return objects.lookup(soul.repo, objects.tree_of(soul.repo, commit), path)


def between(soul: Soul, old: str | None, new: str) -> list[Change]:
    """What differs between two trees, in the order of the paths."""
    changes = objects.diff(soul.repo, old, new)
    found: list[Change] = []
    for gone, came in sorted(find_moves(changes).items()):
        kind = "note-moved" if came.startswith("notes/") else "file-moved"
        found.append(Change(kind, shown(came), old=shown(gone), new=shown(came)))
        del changes[gone], changes[came]
    for path, (before, after) in sorted(changes.items()):
        found.extend(_of_path(soul, path, before, after))
    return found


def _of_path(soul: Soul, path: str, before: Entry | None, after: Entry | None) -> Iterator[Change]:
    if path.endswith("/.gitkeep"):
        return
    describe = _describer(path)
    data = [_read(soul, entry) for entry in (before, after)]
    if describe is None or None in (
        content for content, entry in zip(data, (before, after), strict=True) if entry is not None
    ):
        yield _plain(path, before, after)
        return
    yield from describe(path, data[0], data[1])


def _describer(path: str) -> Callable[[str, bytes | None, bytes | None], Iterator[Change]] | None:
    if spec.is_memories(path):
        return _of_entries
    if path.startswith("journal/"):
        return _of_journal
    return _of_identity if path == spec.AGENT_JSON else None


def _read(soul: Soul, entry: Entry | None) -> bytes | None:
    if entry is None or not entry.is_file or objects.blob_size(soul.repo, entry.id) > MAX_SHOWN_BYTES:
        return None
    return objects.read_blob(soul.repo, entry.id)


def _plain(path: str, before: Entry | None, after: Entry | None) -> Change:
    act = "added" if before is None else "deleted" if after is None else "changed"
    if path.startswith("notes/"):
        return Change(f"note-{ {'added': 'written', 'deleted': 'deleted', 'changed': 'edited'}[act] }", shown(path))
    if path == spec.SOUL_MD:
        return Change("soul", path)
    if spec.is_registry(path):
        return Change("body", shown(path), name=path[len("bodies/") : -len(".json")])
    if path == spec.LEASE_JSON:
        return Change("lease", path, name=act)
    return Change(f"file-{act}", shown(path))


def _of_entries(path: str, before: bytes | None, after: bytes | None) -> Iterator[Change]:
    old, new, path = entries.parse(before or b""), entries.parse(after or b""), shown(path)
    removed, added = _without(old, new), _without(new, old)
    pairs = pair(removed, added)
    edited = dict(pairs)
    for text in removed:
        if text in edited:
            yield Change("entry-edited", path, old=text, new=edited[text])
        else:
            yield Change("entry-removed", path, old=text)
    taken = set(edited.values())
    for text in added:
        if text not in taken:
            yield Change("entry-added", path, new=text)


def _without(some: list[str], others: list[str]) -> list[str]:
    gone = set(others)
    return [text for text in dict.fromkeys(some) if text not in gone]


def pair(removed: list[str], added: list[str]) -> list[tuple[str, str]]:
    """Which removed entry became which added one: the most similar pairs first, each entry in at most one."""
    work = sum(map(len, removed)) * sum(map(len, added))
    if len(removed) * len(added) > MAX_PAIRS or work > MAX_WORK:
        return []
    scored = [(similarity(old, new), old, new) for old in removed for new in added]
    pairs, left, right = [], set(removed), set(added)
    for score, old, new in sorted(scored, reverse=True):
        if score >= SIMILAR and old in left and new in right:
            pairs.append((old, new))
            left.discard(old)
            right.discard(new)
    return pairs


def _of_journal(path: str, before: bytes | None, after: bytes | None) -> Iterator[Change]:
    old, new = journal.parse(before or b""), journal.parse(after or b"")
    had = {section.text.rstrip() for section in old.sections}
    came = [section for section in new.sections if section.text.rstrip() not in had]
    has = {section.text.rstrip() for section in new.sections}
    gone = [section for section in old.sections if section.text.rstrip() not in has]
    for section in came:
        yield Change("journal-section", shown(path), name=f"{section.time} {section.title}".strip(), new=section.body)
    if after is None:
        yield Change("file-deleted", shown(path))
    elif (gone and not came) or (not came and old.preamble != new.preamble):
        yield Change("file-changed" if before is not None else "file-added", shown(path))


def _of_identity(path: str, before: bytes | None, after: bytes | None) -> Iterator[Change]:
    try:
        old = agent.parse(before) if before is not None else {}
        new = agent.parse(after) if after is not None else {}
    except Malformed:
        yield Change("file-changed", path)
        return
    for field in dict.fromkeys((*old, *new)):
        if (old.get(field) or None) != (new.get(field) or None):  # an empty value says no more than none
            yield Change("identity", path, name=field, old=_value(old.get(field)), new=_value(new.get(field)))


def _value(value: object) -> str | None:
    from soulsync.formats import json_text

    if value is None or isinstance(value, str):
        return value
    return json_text.render(value).decode("utf-8", "replace").strip()
