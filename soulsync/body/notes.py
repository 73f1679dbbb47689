"""Shared notes: one file per topic below ``notes/`` (soul-repo-v4 §3.4)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync.body.writing import Writer, writing
from soulsync.errors import SoulSyncError
from soulsync.formats import note
from soulsync.lang import tr
from soulsync.repo.paths import shown

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
    """Write the note of a topic, new or in place of the old text; its path."""
    if not text.strip():
        raise SoulSyncError(tr("The text is empty."), tr("Give the note's text."))
    path = path_of(topic)
    data = note.render(topic.rstrip("/").rpartition("/")[2], text, summary)
    with writing(home, config) as writer:
        _refuse_twin(writer, path)
        writer.change(path, lambda _old: data)
    return path


def move(home: Home, config: Config, old: str, new: str) -> tuple[str, str]:
    """Move a note to another topic, its text unchanged; the two paths."""
    source, target = path_of(old), path_of(new)
    with writing(home, config) as writer:
        if writer.read(source) is None:
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
    path = path_of(topic)
    data = Writer(home, config).read(path)
    if data is None:
        raise _unknown(topic)
    return path, data


def listed(config: Config) -> list[Listed]:
    """All notes, by path; conflict copies are skipped, links not followed."""
    top = config.soul / "notes"
    found = []
    for folder, folders, files in os.walk(top):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)  # noqa: PTH118 - os.walk gives text
            if name.endswith(".md") and ".incoming" not in name and not os.path.islink(path):  # noqa: PTH114
                found.append(_listed(os.path.relpath(path, config.soul), path))
    return found


def _listed(path: str, file: str) -> Listed:
    with open(file, "rb") as opened:  # noqa: PTH123
        parsed = note.parse(opened.read(4096))
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


def _refuse_twin(writer: Writer, path: str, moved: str | None = None) -> None:
    """Two names that differ only in case or Unicode form are one file on other systems."""
    known = [item.path for item in listed(writer.config) if item.path != moved]
    spelled = note.beside(path, known)
    if spelled != path:
        raise SoulSyncError(
            tr("{path} differs from {other} only in case or Unicode form.", path=shown(path), other=shown(spelled)),
            tr("Use that spelling; on other systems the two are one file."),
        )


def _unknown(topic: str) -> SoulSyncError:
    return SoulSyncError(tr("There is no note {topic}.", topic=shown(topic)), tr("See `soulsync note list`."))
