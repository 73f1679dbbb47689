"""What a sync brought, in memory terms: who sent how many memories, notes, journal sections."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from soulsync.repo import changes, history

if TYPE_CHECKING:
    from soulsync.repo.soul import Soul

MAX_COMMITS = 200
"""More commits than this are counted as commits alone."""

KINDS = {
    "entry-added": "memories",
    "entry-edited": "memories",
    "entry-removed": "forgotten",
    "note-written": "notes",
    "note-edited": "notes",
    "note-moved": "notes",
    "note-deleted": "notes",
    "journal-section": "journal",
    "identity": "identity",
    "soul": "personality",
    "file-added": "files",
    "file-changed": "files",
    "file-deleted": "files",
    "file-moved": "files",
}


def of_incoming(soul: Soul, incoming: list[dict[str, Any]]) -> dict[str, Counter[str]]:
    """Body to kinds of thing to how many, for the commits that a sync brought; merges bring nothing of their own."""
    found: dict[str, Counter[str]] = {}
    for item in incoming[:MAX_COMMITS]:
        commit = history.commits(soul, item["commit"], limit=1)[0]
        if len(commit.parents) > 1:
            continue
        counts = Counter(KINDS[c.kind] for c in changes.of_commit(soul, commit) if c.kind in KINDS)
        if counts:
            found.setdefault(commit.body, Counter()).update(counts)
    return found
