"""Shared notes: one file per topic below ``notes/`` (soul-repo-v4 §3.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body.writing import MAX_TRIES, Writer, writing
from soulsync.errors import BusyError, SoulSyncError
from soulsync.formats import note
from soulsync.lang import tr
from soulsync.repo.paths import is_safe, shown
from soulsync.repo.worktree import FILE, WorkTree

if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.body.home import Home


@dataclass(frozen=True, slots=True)
class Listed:
    """A note in a list: its ``path``, ``topic`` and ``summary``."""

    path: str
    topic: str
    summary: str | None


def write(home: Home, config: Config, topic: str, text: str, summary: str | None = None) -> str:
    """Write the note of a topic, new or in place of the old text, which stays in the history; its path."""
    if not text.strip():
        raise SoulSyncError(tr("The text is empty."), tr("Give the note's text."))
    data = note.render(_name(topic), text, summary)
    for _ in range(MAX_TRIES):
        kept = _keep_old(home, config, topic, data)
        with writing(home, config) as writer:
            path = _standing(writer, topic)
            if path is None:
                path = path_of(topic)
                _refuse_twin(writer, path)
            if writer.read(path) in (None, kept, data):  # else another command was faster, and its text is not kept
                writer.change(path, lambda _old: data)
                return path
    raise BusyError(
        tr("Another program keeps writing {path}.", path=shown(path_of(topic))), tr("Nothing was written; try again.")
    )


def _keep_old(home: Home, config: Config, topic: str, new: bytes) -> bytes | None:
    """Let the text that a note has now be committed before another one takes its place; that text."""
    writer = Writer(home, config)
    path = _standing(writer, topic)
    old = writer.read(path) if path is not None else None
    if path is not None and old is not None and old != new:
        from soulsync.body.local_round import keep_old

        keep_old(home, config, path, old)
    return old


def move(home: Home, config: Config, old: str, new: str) -> tuple[str, str]:
    """Move a note to another topic, its text unchanged; the two paths."""
    target = path_of(new)
    with writing(home, config) as writer:
        source = _standing(writer, old)
        if source is None:
            raise _unknown(old)
        _refuse_twin(writer, target, moved=source)
        try:
            writer.move(source, target)
        except FileExistsError as e:
            raise SoulSyncError(
                tr("There is a note {path} already.", path=shown(target)), tr("Choose another topic.")
            ) from e
    return source, target


def show(home: Home, config: Config, topic: str) -> tuple[str, bytes]:
    """The path and content of a note. Raises ``SoulSyncError`` (1) when there is none."""
    writer = Writer(home, config)
    path = _standing(writer, topic)
    data = writer.read(path) if path is not None else None
    if path is None or data is None:
        raise _unknown(topic)
    return path, data


def listed(config: Config) -> list[Listed]:
    """All notes, by path; conflict copies are skipped, links not followed."""
    worktree = WorkTree(config.soul, config.soul / ".git" / "soulsync")
    paths = sorted(path for path in worktree.files_below("notes") if is_note(path))
    found = ((path, worktree.look(path, limit=spec.MAX_CHECKOUT_BYTES)) for path in paths)
    return [_listed(path, file.data or b"") for path, file in found if file.kind == FILE]


def is_note(path: str) -> bool:
    """Whether a path below ``notes/`` is a note: no conflict copy, no other file."""
    return path.endswith(".md") and ".incoming" not in path.rpartition("/")[2]


def _listed(path: str, data: bytes) -> Listed:
    parsed = note.parse(data)
    return Listed(path, parsed.topic or path.removeprefix("notes/").removesuffix(".md"), parsed.summary)


def path_of(topic: str) -> str:
    """The path of a topic. Raises ``SoulSyncError`` (1) for too many levels."""
    try:
        return note.clean_path(topic.removeprefix("notes/"))
    except ValueError as e:
        raise SoulSyncError(
            tr("{topic} has too many levels: a note lies at most 4 deep, itself counted.", topic=shown(topic)),
            tr("Use fewer slashes."),
        ) from e


def _name(topic: str) -> str:
    """The last part of a topic: what stands in the title line."""
    parts = [part for part in topic.removesuffix(".md").split("/") if part.strip()]
    return parts[-1].strip() if parts else note.UNTITLED


def _standing(writer: Writer, topic: str) -> str | None:
    """The path of the note that a topic names: as it is written, since other programs name freely, else cleaned."""
    literal = f"notes/{topic.removeprefix('notes/').removesuffix('.md')}.md"
    if is_safe(literal) and writer.worktree.look(literal).kind == FILE:
        return literal
    cleaned = path_of(topic)
    return cleaned if writer.worktree.look(cleaned).kind == FILE else None


def _refuse_twin(writer: Writer, path: str, moved: str | None = None) -> None:
    """Two names that differ only in case or Unicode form are one file on other systems."""
    known = [other for other in writer.worktree.files_below("notes") if other != moved]
    spelled = note.beside(path, known)
    if spelled != path:
        raise SoulSyncError(
            tr("{path} differs from {other} only in case or Unicode form.", path=shown(path), other=shown(spelled)),
            tr("Use that spelling; on other systems the two are one file."),
        )


def _unknown(topic: str) -> SoulSyncError:
    return SoulSyncError(tr("There is no note {topic}.", topic=shown(topic)), tr("See `soulsync note list`."))
