"""``notes/[<category>/…/]<topic>.md`` and ``SOUL.md`` (soul-repo-v4 §2, §3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.formats import frontmatter, note
from soulsync.formats.finding import Finding
from soulsync.formats.text import STRIP, Malformed, plain
from soulsync.lang import tr
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

CLAUDE = "notes/claude/"
"""Notes that a bridge brought from Claude Code; their frontmatter names the topic (bridges §4)."""


def check(path: str, data: bytes) -> Iterator[Finding]:
    """Name what deviates in a note: its place, its name, its heading."""
    _, *segments = path.split("/")
    if len(segments) > spec.MAX_NOTE_LEVELS:
        message = tr("lies {levels} levels below notes/, over the limit of 4", levels=len(segments))
        yield Finding(path, None, "note-depth", message)
    if not path.endswith(".md"):
        yield Finding(path, None, "misplaced", tr("a note ends in .md"))
        return
    segments[-1] = segments[-1].removesuffix(".md")
    for segment in segments:
        clean = note.clean_segment(segment)
        if clean != segment:
            message = tr("“{segment}” would be written “{clean}”", segment=shown(segment), clean=shown(clean))
            yield Finding(path, None, "note-name", message)
    if note.parse(data).topic is None and not (path.startswith(CLAUDE) and _has_frontmatter(data)):
        yield Finding(path, 1, "note-heading", tr("the first line is not “# ” and the topic"))


def _has_frontmatter(data: bytes) -> bool:
    try:
        frontmatter.parse(data)
    except Malformed:
        return False
    return True


def check_soul(path: str, data: bytes, display_name: str | None) -> Iterator[Finding]:
    """Name a ``SOUL.md`` that does not begin with the agent's name; None: the name is not known."""
    first = plain(data).split("\n", 1)[0].rstrip(STRIP)
    if display_name is not None and first != f"# {display_name}".rstrip(STRIP):
        message = tr("the first line is not “# ” and the agent's display name, {name}", name=shown(display_name))
        yield Finding(path, 1, "soul-heading", message)
