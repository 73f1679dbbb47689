"""This body's journal: sections with the local time, one file a day, only ever appended to (soul-repo-v4 §3.3)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from soulsync.body.writing import writing
from soulsync.errors import SoulSyncError
from soulsync.formats import journal
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.body.home import Home


def write(home: Home, config: Config, title: str, text: str) -> str:
    """Append a section; the path of the file. Day and time come from one look at the clock, so midnight is right."""
    if not title.strip() and not text.strip():
        raise SoulSyncError(tr("The journal section is empty."), tr("Give a title or a text."))
    now = datetime.now().astimezone()
    day = now.strftime("%Y-%m-%d")
    path = f"journal/{config.body}/{day}.md"
    section = journal.section(now.strftime("%H:%M"), title, text)
    with writing(home, config) as writer:
        writer.change(
            path, lambda data: journal.append(data or journal.header(day, config.body).encode("utf-8"), section)
        )
    return path


def read(config: Config, *, day: str | None = None, body: str | None = None) -> list[tuple[str, bytes]]:
    """The journal files of a day (default: today) and a body (default: all), as (path, content)."""
    wanted = day or datetime.now().astimezone().strftime("%Y-%m-%d")
    folder = config.soul / "journal"
    files = sorted(folder.glob(f"{body or '*'}/{wanted}*.md")) if "/" not in wanted and "/" not in (body or "") else []
    return [(str(f.relative_to(config.soul)), f.read_bytes()) for f in files if f.is_file() and not f.is_symlink()]
