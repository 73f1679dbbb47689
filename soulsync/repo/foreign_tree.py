"""What a fetched tree may hold: nothing that git itself would not put into an index (soul-repo-v4 §8).

A name like ``..`` or ``.GIT``, a name with a slash in it, a mode that git does not know: no program makes such a tree
by accident, and git refuses to work with it (CVE-2014-9390, CVE-2019-1353; verify_path in git's read-cache.c). It is
looked for before anything moves, so that a sync that is refused leaves no soul half way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.errors import RefusedError
from soulsync.lang import tr
from soulsync.repo import objects
from soulsync.repo.objects import BLOB, EXECUTABLE, SUBMODULE, SYMLINK, TREE
from soulsync.repo.paths import decode, is_safe, shown

if TYPE_CHECKING:
    import pygit2

    from soulsync.repo.objects import Entry

GROUP_WRITABLE = 0o100664
"""A mode that very old git wrote; git takes it for a plain file still."""
_MODES = frozenset((BLOB, EXECUTABLE, GROUP_WRITABLE, SYMLINK, SUBMODULE, TREE))


def refuse_impossible(repo: pygit2.Repository, old: str | None, new: str) -> None:
    """Raise ``RefusedError`` where the tree ``new`` brings against ``old`` what no work tree and no index can hold."""
    pending = [(b"", old, new)]
    seen = 0
    while pending:
        prefix, before_id, after_id = pending.pop()
        objects.check_bounds(prefix, seen)
        before = objects.read_tree(repo, before_id)
        for name, entry in objects.read_tree(repo, after_id).items():
            was = before.get(name)
            if was == entry:
                continue
            seen += 1
            _check(prefix, name, entry)
            if entry.mode == TREE:
                pending.append(
                    (prefix + name + b"/", was.id if was is not None and was.mode == TREE else None, entry.id)
                )


def _check(prefix: bytes, name: bytes, entry: Entry) -> None:
    segment = decode(name)
    if b"/" in name or not is_safe(segment) or (entry.mode == SYMLINK and _is_gits_own(segment)):
        raise _refused(decode(prefix + name), tr("a name that git itself refuses"))
    if entry.mode not in _MODES:
        raise _refused(decode(prefix + name), tr("of the unknown kind {mode:o}", mode=entry.mode))


def _is_gits_own(segment: str) -> bool:
    """Git takes no link for a file that it reads itself (``.gitmodules``; verify_path in git 2.39)."""
    return segment.lower().rstrip(". ") == ".gitmodules"


def _refused(path: str, what: str) -> RefusedError:
    return RefusedError(
        tr("The remote's tree holds {path}, {what}.", path=shown(path)[:200], what=what),
        tr("Find out which body's key pushed it, revoke that key, and push a commit without it. Nothing changed here."),
    )
