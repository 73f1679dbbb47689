"""The index of the soul, kept in step with ``main`` so that plain git sees a clean tree."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from soulsync.repo.paths import encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soulsync.repo.soul import Soul

SECONDS = 300
PAUSES = (0.05, 0.2, 0.5)
"""A person's ``git status`` holds the lock of the index for milliseconds."""


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
    soul.git.run("update-index", "-q", "--refresh", check=False, timeout=SECONDS)


def _run(soul: Soul, *argv: str, names: bytes | None = None) -> None:
    """Run a command that writes the index, again when somebody else holds its lock."""
    for pause in PAUSES:
        result = soul.git.run(*argv, input=names, check=False, timeout=SECONDS)
        if result.code == 0:
            return
        if "index.lock" not in result.err:
            break
        time.sleep(pause)
    soul.git.run(*argv, input=names, timeout=SECONDS)
