"""Which files of a framework can be notes: their names, and how deep they lie (soul-repo-v4 §3.4)."""

from __future__ import annotations

from soulsync import spec
from soulsync.repo.paths import is_portable


def to_soul(folder: str, path: str) -> str | None:
    """The note of a file that lies at ``path`` below a framework's folder; None where it can't be one.

    ``folder`` is where its notes lie, ``notes`` or a folder below. A note ends in ``.md``, lies at most 4 deep, is no
    conflict copy, and has a name that every system takes.
    """
    note = f"{folder}/{path}"
    deep = note.count("/")
    hidden = any(part.startswith(".") for part in path.split("/"))
    is_note = path.endswith(".md") and ".incoming" not in path.rpartition("/")[2] and not hidden
    return note if is_note and deep <= spec.MAX_NOTE_LEVELS and is_portable(note) else None
