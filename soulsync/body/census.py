"""Who lives in a soul, when each was last seen, and what each wrote."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from soulsync import spec
from soulsync.body import registration
from soulsync.body.clocks import FUTURE_SECONDS as FUTURE_SECONDS
from soulsync.body.clocks import from_the_future as from_the_future
from soulsync.formats import body as registry
from soulsync.formats import entries
from soulsync.formats.text import Malformed
from soulsync.repo import history, objects

if TYPE_CHECKING:
    from soulsync.repo.soul import Soul

DAYS = 30
DAY = 86_400


@dataclass(slots=True)
class Inhabitant:
    """One body: what its registry file says, and what the history knows of it.

    ``entries``: memories that it was the first to write. ``days``: commits of the last 30 days, oldest day first.
    ``unseen``: commits here that it did not have when it last committed, the most that it can lack; None where it never
    did. ``shares_key_with``: bodies that name the same key.
    """

    body: str
    kind: str | None = None
    program: str | None = None
    last_seen: str | None = None
    fingerprint: str | None = None
    entries: int = 0
    commits: int = 0
    days: list[int] = field(default_factory=lambda: [0] * DAYS)
    from_the_future: bool = False
    unseen: int | None = None
    shares_key_with: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """``{body, kind, lastSeen, entries, commits}`` of the contract, and more."""
        return {
            "body": self.body,
            "kind": self.kind,
            "lastSeen": self.last_seen,
            "entries": self.entries,
            "commits": self.commits,
            "version": self.program,
            "keyFingerprint": self.fingerprint,
            "days": self.days,
            "fromTheFuture": self.from_the_future,
            "unseen": self.unseen,
            "sharesKeyWith": self.shares_key_with,
        }


def count(soul: Soul, mine: str | None = None) -> list[Inhabitant]:
    """Every body that is registered or ever committed, by name; ``mine``, this one, has seen all that is here."""
    head = soul.head
    found: dict[str, Inhabitant] = {}
    if head is None:
        return []
    tree = objects.tree_of(soul.repo, head)
    for path in registration.files_in(soul, tree):
        body = registration.name_in(path)
        found[body] = _registered(body, objects.file_at(soul.repo, tree, path))
    for names in registration.shared_keys({one.body: one.fingerprint for one in found.values()}):
        for body in names:
            found[body].shares_key_with = [name for name in names if name != body]
    _add_history(soul, head, found)
    if mine in found:
        found[mine].unseen = 0
    return sorted(found.values(), key=lambda one: one.body)


def _registered(body: str, data: bytes | None) -> Inhabitant:
    try:
        values = registry.parse(data or b"")
    except Malformed:
        return Inhabitant(body)

    def text(name: str) -> str | None:
        value = values.get(name)
        return value if isinstance(value, str) else None

    program = next((text(name) for name in ("bridge", "runtime", "framework") if text(name)), None)
    return Inhabitant(body, text("kind"), program, text("lastSeen"), text("keyFingerprint"))


def _add_history(soul: Soul, head: str, found: dict[str, Inhabitant]) -> None:
    now = time.time()
    for commit in history.commits(soul, head):
        one = found.setdefault(commit.body, Inhabitant(commit.body))
        if not one.commits:  # the newest first: what it committed last, it knew
            one.unseen = int(soul.git.text("rev-list", "--count", head, f"^{commit.id}"))
        one.commits += 1
        age = now - commit.time
        if age < -FUTURE_SECONDS:
            one.from_the_future = True
        elif age < DAYS * DAY:
            one.days[DAYS - 1 - max(0, int(age // DAY))] += 1
    for body, number in _first_writers(soul, head).items():
        found.setdefault(body, Inhabitant(body)).entries = number


def _first_writers(soul: Soul, head: str) -> Counter[str]:
    """How many memories each body was the first to write; merges write none."""
    known: set[tuple[str, str]] = set()
    counts: Counter[str] = Counter()
    versions: dict[str, frozenset[str]] = {}
    log = history.commits(soul, "--no-merges", "--full-history", "--reverse", head, paths=("memories",))
    for commit in log:
        parent = objects.tree_of(soul.repo, commit.parents[0]) if commit.parents else None
        for path, (old, new) in _memories_changed(soul, parent, objects.tree_of(soul.repo, commit.id)):
            for text in _texts(soul, new, versions) - _texts(soul, old, versions):
                if (path, text) not in known:
                    known.add((path, text))
                    counts[commit.body] += 1
    return counts


def _memories_changed(soul: Soul, parent: str | None, tree: str) -> list[tuple[str, objects.Change]]:
    folders = [objects.lookup(soul.repo, t, "memories") if t else None for t in (parent, tree)]
    below = objects.diff(soul.repo, *(f.id if f and f.mode == objects.TREE else None for f in folders))
    return [(path, change) for path, change in below.items() if spec.is_memories(f"memories/{path}")]


def _texts(soul: Soul, entry: objects.Entry | None, versions: dict[str, frozenset[str]]) -> frozenset[str]:
    if entry is None or not entry.is_file or objects.blob_size(soul.repo, entry.id) > spec.MAX_CHECKOUT_BYTES:
        return frozenset()
    if entry.id not in versions:
        versions[entry.id] = frozenset(entries.parse(objects.read_blob(soul.repo, entry.id)))
    return versions[entry.id]
