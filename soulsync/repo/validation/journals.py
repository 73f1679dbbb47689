"""``journal/<body>/<day>[-<slug>].md`` (soul-repo-v4 §3.3)."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.formats import journal
from soulsync.formats.finding import Finding
from soulsync.formats.text import plain
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

_DAY = re.compile(r"\d{4}-\d\d-\d\d(?=[-.])", re.ASCII)
_CLOCK = re.compile(r"## \d\d?:\d\d(?!\d)", re.ASCII)


def check(path: str, data: bytes) -> Iterator[Finding]:
    """Name what deviates in a journal. A name that is no day is an imported journal's, which keeps its own form."""
    parts = path.split("/")
    if len(parts) != 3 or not path.endswith(".md"):
        yield Finding(path, None, "misplaced", tr("a journal lies in journal/<body>/ and ends in .md"))
        return
    _, body, name = parts
    if not spec.is_body_name(body):
        yield Finding(path, None, "body-name", tr("the folder is no name of a body: a-z, 0-9 and -, at most 40"))
    day = _DAY.match(name)
    if day is None:
        return
    if not _is_day(day[0]):
        yield Finding(path, None, "journal-name", tr("there is no day {day}", day=day[0]))
    lines = plain(data).split("\n")
    heading = journal.header(day[0], body).rstrip("\n")
    if lines[0] != heading:
        yield Finding(path, 1, "journal-heading", tr("the first line is not “{heading}”", heading=heading))
    for number, line in enumerate(lines, 1):
        if _CLOCK.match(line) and not journal.is_heading(line):
            yield Finding(path, number, "journal-time", tr("the section does not begin with a time HH:MM"))


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
