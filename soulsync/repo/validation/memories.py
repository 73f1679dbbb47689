"""``memories/*.md``: entries in canonical form (soul-repo-v4 §3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.formats.entries import DELIMITER, STRIP
from soulsync.formats.finding import Finding
from soulsync.formats.text import plain
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(path: str, data: bytes) -> Iterator[Finding]:
    """Name what a reader that takes the file apart at ``LF § LF`` would stumble over. An empty file has no entries."""
    lines = plain(data).split("\n")
    if lines[-1]:
        yield Finding(path, len(lines), "final-newline", tr("the last line has no line end"))
    else:
        lines.pop()
    begin = 0
    for at, line in enumerate([*lines, DELIMITER]):
        if not (line[:1] == DELIMITER and line.rstrip(" \t") == DELIMITER):
            continue
        if line != DELIMITER:
            yield Finding(path, at + 1, "delimiter", tr("blanks follow the § that parts two entries"))
        if lines:
            yield from _entry(path, begin + 1, "\n".join(lines[begin:at]))
        begin = at + 1


def _entry(path: str, line: int, text: str) -> Iterator[Finding]:
    stripped = text.strip(STRIP)
    if not stripped:
        yield Finding(path, line, "empty-entry", tr("an entry is empty"))
    elif stripped != text:
        yield Finding(path, line, "entry-blanks", tr("an entry has blanks or empty lines around it"))
