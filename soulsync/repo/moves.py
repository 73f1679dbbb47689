"""Exact moves: a file that one side moved unchanged and the other edited ends edited at the new place (§4 rule 10).

Git's own similarity guess is not used: it pairs a deleted memory with a stranger.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from soulsync import spec

if TYPE_CHECKING:
    from soulsync.repo.objects import Change, Entry

EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


class Followed(NamedTuple):
    """What following the moves decided: entries for paths that need no further merge."""

    edits: dict[str, Entry | None]


def movable(path: str) -> str | None:
    """The kind of place within which a file may be moved: notes, or extras; None for everything else."""
    if spec.never_vanishes(path):
        return None
    if path.startswith("notes/"):
        return "notes"
    return None if spec.is_spec_path(path) else "extras"


def find_moves(changes: dict[str, Change]) -> dict[str, str]:
    """Old path to new path, for each blob of which exactly one path is gone and exactly one is new."""
    gone = {path: old for path, (old, new) in changes.items() if old is not None and new is None}
    new_ones = {path: new for path, (old, new) in changes.items() if old is None and new is not None}
    left, came = (Counter(e.id for e in side.values()) for side in (gone, new_ones))
    new_place = {entry.id: path for path, entry in new_ones.items()}
    return {
        path: new_place[entry.id]
        for path, entry in gone.items()
        if entry.id != EMPTY_BLOB
        and left[entry.id] == came[entry.id] == 1
        and new_ones[new_place[entry.id]].mode == entry.mode
        and movable(path) is not None
        and movable(path) == movable(new_place[entry.id])
    }


def follow_moves(ours: dict[str, Change], theirs: dict[str, Change]) -> Followed:
    """Take edits of one side to the place where the other side moved the file.

    Both dictionaries are changed in place: the move and the edit are taken out, and stand in the result.
    """
    edits: dict[str, Entry | None] = {}
    for mover, editor in ((ours, theirs), (theirs, ours)):
        for old, new in find_moves(mover).items():
            edited = editor.get(old)
            if edited is None or edited[1] is None or new in editor:
                continue
            edits[old], edits[new] = None, edited[1]
            for changes in (mover, editor):
                changes.pop(old, None)
            mover.pop(new)
    return Followed(edits)
