"""The loss audit: what a merge result lacks, found without the merge code (reports: protected files vanished silently).

Every memory entry, journal section, identity field and file of both sides must be in the result, or one side must have
deleted it since the base, or the merge must name the path at which a rule let one version win. It runs before a merge
becomes a commit, before a push, and over merges that other hands made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.formats import agent, entries, journal
from soulsync.formats.text import STRIP, Malformed, decode
from soulsync.repo import audit_stores, objects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pygit2

    from soulsync.repo.objects import Change, Entry

OURS, THEIRS = "ours", "theirs"
MAX_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Miss:
    """Something of one ``side`` (``ours`` or ``theirs``) that the result lacks though nobody deleted it.

    ``text`` is the entry, section or field; None where the whole file's version is meant.
    """

    path: str
    side: str
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Trees:
    """The four trees of a merge; an absent one is None."""

    base: str | None
    ours: str | None
    theirs: str | None
    result: str | None


def audit(repo: pygit2.Repository, trees: Trees, named: frozenset[str] = frozenset()) -> list[Miss]:
    """What ``trees.result`` lost. ``named``: paths at which the merge itself reports a losing version."""
    return list(_Audit(repo, trees, named).misses())


class _Audit:
    def __init__(self, repo: pygit2.Repository, trees: Trees, named: frozenset[str]) -> None:
        self.repo, self.named, self.tree = repo, named, trees.result
        self.ours, self.theirs, self.result = (
            objects.diff(repo, trees.base, tree) for tree in (trees.ours, trees.theirs, trees.result)
        )
        # A version may stand at another place: a file that was moved, or stepped aside for a folder.
        self.arrived = {after.id for before, after in self.result.values() if after is not None and before != after}
        # What a move took to another place is nothing new; the edit that followed it is looked for by its own blob.
        self.known = {b.id for changes in (self.ours, self.theirs) for b, _ in changes.values() if b is not None}

    def misses(self) -> Iterator[Miss]:
        for path in sorted({*self.ours, *self.theirs, *self.result}):
            base = next(changes[path][0] for changes in (self.ours, self.theirs, self.result) if path in changes)
            held = {OURS: _now(self.ours, path, base), THEIRS: _now(self.theirs, path, base)}
            result = _now(self.result, path, base)
            if result == held[OURS] == held[THEIRS]:
                continue
            yield from self._at(path, base, held, result)

    def _at(self, path: str, base: Entry | None, held: dict[str, Entry | None], result: Entry | None) -> Iterator[Miss]:
        if spec.is_oxsoul_index(path):
            return  # it says nothing that the memories beside it do not say
        read = _reader(path)
        versions = (base, *held.values(), result)
        if read is None or not all(self._readable(entry) for entry in versions):
            yield from self._whole(path, base, held, result)
            return
        if audit_stores.reader(path) is not None:
            yield from self._memory(path, base, held, result)
            return
        had, kept = self._items(read, base), self._items(read, result)
        sides = {side: self._items(read, entry) for side, entry in held.items()}
        for side, items in sides.items():
            other = sides[THEIRS if side == OURS else OURS]
            for item in items:
                deleted = item in had and item not in other
                if item not in kept and not deleted and not _yields(path, item, items, other, had):
                    yield Miss(path, side, item)

    def _whole(
        self, path: str, base: Entry | None, held: dict[str, Entry | None], result: Entry | None
    ) -> Iterator[Miss]:
        if path in self.named:
            return
        for side, entry in held.items():
            if entry is None or (result is not None and entry.id == result.id) or _same_file(entry, base):
                continue
            if not entry.is_file and spec.never_vanishes(path):
                continue  # a link in place of a file that the spec requires is a deletion, which is not believed
            if entry.id not in self.arrived and entry.id not in self.known:
                yield Miss(path, side)
        if result is None and base is not None and held[OURS] == base == held[THEIRS]:
            yield Miss(path, OURS)

    def _memory(
        self, path: str, base: Entry | None, held: dict[str, Entry | None], result: Entry | None
    ) -> Iterator[Miss]:
        """One memory of a store, or two that came under one name: then the folder must hold what both say."""
        versions = {side: entry for side, entry in held.items() if entry is not None}
        lost = None
        if result is not None and len(versions) == len(held):
            sides = {side: objects.read_blob(self.repo, entry.id) for side, entry in versions.items()}
            known, merged = (objects.read_blob(self.repo, entry.id) if entry else b"" for entry in (base, result))
            lost = audit_stores.lost(path, known, sides, merged, lambda: self._folder(path))
        if lost is None:
            yield from self._whole(path, base, held, result)
        else:
            yield from (Miss(path, side, text) for side, text in lost)

    def _folder(self, path: str) -> Iterator[bytes]:
        """The files that the result has beside ``path``, and at it."""
        folder = objects.lookup(self.repo, self.tree, path.rpartition("/")[0])
        for entry in objects.read_tree(self.repo, folder.id if folder else None).values():
            if entry.is_file and self._readable(entry):
                yield objects.read_blob(self.repo, entry.id)

    def _readable(self, entry: Entry | None) -> bool:
        return entry is None or (entry.is_file and objects.blob_size(self.repo, entry.id) <= MAX_BYTES)

    def _items(self, read: Callable[[bytes], list[str] | None], entry: Entry | None) -> dict[str, None]:
        """The parts of a version, in order; one that can't be read has none."""
        found = read(objects.read_blob(self.repo, entry.id)) if entry is not None else None
        return dict.fromkeys(found or ())


def _yields(path: str, item: str, items: dict[str, None], other: dict[str, None], had: dict[str, None]) -> bool:
    """Of an identity field that both sides changed one value wins, and of two identities one; history has the other."""
    if path != spec.AGENT_JSON:
        return False
    name = _name(item)
    ids = [{i for i in side if _name(i) == "id"} for side in (items, other)]
    return ids[0] != ids[1] or any(_name(o) == name and o != item and o not in had for o in other)


def _name(field: str) -> str:
    return field.partition("\n")[0]


def _now(changes: dict[str, Change], path: str, base: Entry | None) -> Entry | None:
    return changes[path][1] if path in changes else base


def _same_file(entry: Entry, base: Entry | None) -> bool:
    return base is not None and entry.id == base.id


def _reader(path: str) -> Callable[[bytes], list[str] | None] | None:
    """What takes a version apart, for the formats that are merged by parts."""
    if spec.is_memories(path):
        return entries.parse
    if path.startswith("journal/") and path.endswith(".md"):
        return _sections
    return _fields if path == spec.AGENT_JSON else audit_stores.reader(path)


def _sections(data: bytes) -> list[str]:
    """The sections of a journal; what stands before them, line by line."""
    parsed = journal.parse(data)
    lines = [line.strip(STRIP) for line in parsed.preamble.split("\n")]
    return [line for line in lines if line] + [section.text.strip(STRIP) for section in parsed.sections]


def _fields(data: bytes) -> list[str] | None:
    """The fields of an identity as ``name``, line break, value."""
    from soulsync.formats import json_text

    try:
        parsed = agent.parse(data)
    except Malformed:
        return None
    return [f"{name}\n{decode(json_text.render(value))}" for name, value in parsed.items()]
