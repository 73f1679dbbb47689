"""Candidates for ``.agent/memory`` from the soul: each memory a stable fact, each journal section an event.

No model: the texts go over as they are, so the same soul gives the same candidates.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body import moments
from soulsync.body.search import passages
from soulsync.formats import entries
from soulsync.formats.cortex import DAY, EPISODIC_DAYS, MAX_TITLE
from soulsync.formats.cortex_rules import is_date, is_tag
from soulsync.formats.instants import instant, timestamp
from soulsync.formats.text import STRIP
from soulsync.repo.objects import file_at, tree_of
from soulsync.stores.cortex.distilling import Candidate

if TYPE_CHECKING:
    from soulsync.body.search import Passage
    from soulsync.repo.soul import Soul

ORIGIN = "soul:"


def candidates(soul: Soul, now: int, since: str | None = None) -> tuple[list[Candidate], int]:
    """What the soul offers, memories first, and how many journal sections are left out since they would have expired.

    ``now`` in milliseconds since the epoch. ``since`` (a day, a time): only memories that were not there before, and
    sections from then on. Raises ``UsageError`` (2) for what is no time.
    """
    start = None if since is None else moments.since(soul, since)
    known = _known_before(soul, start)
    found, stale = [], 0
    for passage in passages(soul.root):
        if passage.kind == "memory" and passage.text not in known.get(passage.path, ()):
            found.append(_fact(passage, timestamp(now)))
        elif passage.kind == "journal":
            created = _time_of(passage)
            if created is None or _is_before(created, start) or not (passage.title[5:] + passage.text).strip(STRIP):
                continue
            if _is_stale(created, now):
                stale += 1
            else:
                found.append(_event(passage, created))
    return found, stale


def _known_before(soul: Soul, start: int | None) -> dict[str, set[str]]:
    """The entries that stood in the memories files at the last commit before ``start``."""
    if start is None:
        return {}
    commit = soul.git.text("rev-list", "-1", f"--before={start - 1}", spec.MAIN_REF)
    if not commit:
        return {}
    tree = tree_of(soul.repo, commit)
    paths = (spec.MEMORY_MD, spec.USER_MD)
    return {path: set(entries.parse(file_at(soul.repo, tree, path) or b"")) for path in paths}


def _fact(passage: Passage, created: str) -> Candidate:
    about_user = passage.path == spec.USER_MD
    fields = {
        "type": "semantic",
        "content": passage.text,
        "scope": "user" if about_user else "project",
        "source_run_id": f"{ORIGIN}{passage.path}",
    }
    return Candidate(fields, created, passage.path)


def _event(passage: Passage, created: str) -> Candidate:
    """A journal section; the title alone where nothing stands below it. The body that wrote it becomes a tag."""
    title = passage.title[5:].strip(STRIP)
    text = passage.text.strip(STRIP)
    body = (passage.body or "").lstrip("-")
    fields = {
        "type": "episodic",
        "content": text or title,
        "title": title if text and 0 < len(title) <= MAX_TITLE else None,
        "tags": [tag for tag in ("journal", body) if is_tag(tag)],
        "source_run_id": f"{ORIGIN}{passage.path}#{passage.title[:5]}".rstrip("#"),
    }
    return Candidate(fields, created, f"{passage.path} {passage.title[:5]}".rstrip())


def _time_of(passage: Passage) -> str | None:
    """The section's own time, read as UTC: a journal does not tell the time zone, and every body must say the same."""
    day = passage.path.rpartition("/")[2][:10]
    time = passage.title[:5] or "00:00"
    return f"{day}T{time}:00.000Z" if is_date(day) else None


def _is_before(created: str, start: int | None) -> bool:
    """Whether a section's local time lies before ``start``: the day that a person names is the day that they write."""
    return start is not None and datetime.fromisoformat(created.removesuffix("Z")).timestamp() < start


def _is_stale(created: str, now: int) -> bool:
    """Whether a memory of this event would have expired: the day on which it does begins at 00:00 UTC."""
    micros = instant(created)
    return micros is None or micros // DAY * DAY + EPISODIC_DAYS * DAY < now * 1000
