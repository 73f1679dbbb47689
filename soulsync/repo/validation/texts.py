"""What every file of a soul must be: text in UTF-8 with LF, without conflict markers (soul-repo-v4 §1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.formats.finding import Finding
from soulsync.lang import tr
from soulsync.merge import markers
from soulsync.repo.content import is_binary
from soulsync.repo.validation.lines import line_at

if TYPE_CHECKING:
    from collections.abc import Iterator

BOM = b"\xef\xbb\xbf"


def check(path: str, data: bytes) -> Iterator[Finding]:
    """Name what keeps ``data`` from being text of a soul, each fault once, at its first line."""
    if is_binary(data):
        yield Finding(path, None, "binary", tr("is binary; a soul holds text alone"))
        return
    if data.startswith(BOM):
        yield Finding(path, 1, "byte-order-mark", tr("begins with a byte order mark"))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as fault:
        yield Finding(path, line_at(data, fault.start), "utf-8", tr("is not UTF-8 here"))
    if b"\r" in data:
        yield Finding(path, line_at(data, data.index(b"\r")), "line-end", tr("the line ends in CR, not in LF alone"))
    if markers.holds_marker(data) and markers.read(data) is not None:
        lines = data.splitlines()
        first = next(number for number, line in enumerate(lines, 1) if markers.holds_marker(line))
        yield Finding(path, first, "conflict-marker", tr("a merge left its conflict markers here"))
