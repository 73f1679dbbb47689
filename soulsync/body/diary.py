"""This body's journal: sections with the local time, one file a day, only ever appended to (soul-repo-v4 §3.3)."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body.writing import writing
from soulsync.errors import SoulSyncError, UsageError
from soulsync.formats import journal
from soulsync.lang import tr
from soulsync.repo.paths import shown
from soulsync.repo.worktree import FILE, WorkTree

if TYPE_CHECKING:
    from collections.abc import Callable

    from soulsync.body.config import Config
    from soulsync.body.home import Home


def local_now() -> datetime:
    """The local time of this machine."""
    return datetime.now().astimezone()


def write(home: Home, config: Config, title: str, text: str, clock: Callable[[], datetime] = local_now) -> str:
    """Append a section; the path of the file.

    Day and time come from one look at the clock, so midnight is right, and under the lock, so sections stand in order.
    """
    if not title.strip() and not text.strip():
        raise SoulSyncError(tr("The journal section is empty."), tr("Give a title or a text."))
    with writing(home, config) as writer:
        now = clock()
        day = now.strftime("%Y-%m-%d")
        path = f"journal/{config.body}/{day}.md"
        section = journal.section(now.strftime("%H:%M"), title, text)
        header = journal.header(day, config.body).encode("utf-8")
        writer.change(path, lambda data: journal.append(data or header, section))
    return path


def read(config: Config, *, day: str | None = None, body: str | None = None) -> list[tuple[str, bytes]]:
    """The journal files of a day (``YYYY-MM-DD``, default: today) and a body (default: all), as (path, content).

    Raises ``UsageError`` (2) for what is no day. Links are not followed.
    """
    wanted = local_now().strftime("%Y-%m-%d") if day is None else _checked(day)
    worktree = WorkTree(config.soul, config.soul / ".git" / "soulsync")
    found = []
    for path in sorted(worktree.files_below("journal")):
        parts = path.split("/")
        if len(parts) != 3 or not parts[2].startswith(wanted) or not path.endswith(".md") or ".incoming" in parts[2]:
            continue
        if body is None or parts[1] == body:
            file = worktree.look(path, limit=spec.MAX_CHECKOUT_BYTES)
            if file.kind == FILE and file.data is not None:
                found.append((path, file.data))
    return found


def _checked(day: str) -> str:
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        raise UsageError(tr("{text} is no day.", text=shown(day)), tr("Write it as 2026-11-30.")) from None
