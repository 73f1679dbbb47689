"""The index of the soul, kept in step with ``main`` so that plain git sees a clean tree."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from soulsync.repo import leftovers
from soulsync.repo.paths import encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soulsync.repo.soul import Soul

SECONDS = 300
PAUSES = (0.05, 0.2, 0.5)
"""A person's ``git status`` holds the lock of the index for milliseconds."""
_FATAL = 128
"""What ``update-index -q --refresh`` ends with, in silence, when it can't lock the index (git 2.39)."""


def refresh(soul: Soul, absent: Sequence[str] = ()) -> None:
    """Make the index say what ``main`` says; the stat data of files that are equal stay.

    ``absent``: paths that exist in the tree and not here; plain git must not take that for a deletion (§6).
    """
    head = soul.head
    if head is None:
        return
    _run(soul, "read-tree", "--reset", head)
    if absent:
        names = b"\0".join(map(encode, absent)) + b"\0"
        _run(soul, "update-index", "-z", "--skip-worktree", "--stdin", names=names)
    if _renew_stats(soul) == _FATAL:
        _free(soul)
        _renew_stats(soul)


def _renew_stats(soul: Soul) -> int:
    return soul.git.run("update-index", "-q", "--refresh", check=False, timeout=SECONDS).code


def _free(soul: Soul) -> None:
    """Set aside the lock of the index that a git left which was killed: by SIGBUS, when a file was cut short under it.

    Raises ``BusyError`` (75) while another git is at work.
    """
    leftovers.set_aside_locks(soul, soul.engine.parent / "recovery")


def _run(soul: Soul, *argv: str, names: bytes | None = None) -> None:
    """Run a command that writes the index, again when somebody else holds its lock, or a killed git left it behind."""
    for pause in PAUSES:
        result = soul.git.run(*argv, input=names, check=False, timeout=SECONDS)
        if result.code == 0:
            return
        if "index.lock" not in result.err:
            break
        time.sleep(pause)
    else:
        _free(soul)
    soul.git.run(*argv, input=names, timeout=SECONDS)
