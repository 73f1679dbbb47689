"""Files that may be caught in the middle of being written: read again before they are believed (soul-repo-v4 §4)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.formats import agent, entries
from soulsync.formats.text import Malformed
from soulsync.lang import tr
from soulsync.merge.result import Sides
from soulsync.merge.rules import merge_file
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    Reread = Callable[[], bytes | None]
    """Reads the file once more: its content as a blob would hold it, None where no file can be read."""

PAUSE = 0.15
"""Seconds after which a file that looks half-written is read again."""
LOOKS = 12
"""How often memories that shrank are read again before they are believed.

A program that has emptied its file can stand still for over half a second when the disk or the processors are busy.
"""


def identity(data: bytes, reread: Reread) -> bytes | None:
    """An ``agent.json`` that parses, after up to two more looks; None where it does not (rule 12)."""
    for _ in range(2):
        if _parses(data):
            return data
        time.sleep(PAUSE)
        data = reread() or data
    return data if _parses(data) else None


def with_last_id(data: bytes, last: bytes) -> tuple[bytes, list[str]]:
    """The identity with the id that it had in the last commit, because an id never changes; and what to tell."""
    merged = merge_file("soul-agent", spec.AGENT_JSON, last, data, last, Sides()).data or data
    if agent.agent_id(data) == agent.agent_id(merged):
        return merged, []
    return merged, [tr("The id in agent.json was changed; it was put back, an id never changes.")]


def whole(path: str, data: bytes, last: bytes, reread: Reread) -> bytes:
    """``data``, or what a later look finds, where memories have shrunk to less than half of ``last``.

    A program that writes in place empties the file first; one that does it many times a second may be caught at it in
    every look but one.
    """
    for _ in range(LOOKS if spec.is_memories(path) else 0):
        if not _shrank(data, last):
            break
        time.sleep(PAUSE)
        again = reread()
        data = data if again is None else again
    return data


def _shrank(data: bytes, last: bytes) -> bool:
    return len(data) * 2 < len(last)


def memories(path: str, data: bytes, last: bytes, reread: Reread) -> tuple[bytes, list[str]]:
    """Memories that shrink by more than half are read again before they are believed, and always reported."""
    data = whole(path, data, last, reread)
    if not _shrank(data, last):
        return data, []
    before, after = (len(entries.parse(content)) for content in (last, data))
    place = shown(path)
    return data, [
        tr(
            "{place} shrank from {before} to {after} entries; `soulsync restore {place}` brings them back.",
            place=place,
            before=before,
            after=after,
        )
    ]


def _parses(data: bytes) -> bool:
    try:
        agent.parse(data)
    except Malformed:
        return False
    return True
