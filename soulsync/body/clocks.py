"""Bodies whose clocks are wrong, told by their commits (soul-repo-v4 §4 rule 3)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from soulsync.repo import history

if TYPE_CHECKING:
    from soulsync.repo.soul import Soul

FUTURE_SECONDS = 600
"""A body whose commits lie further ahead than this writes from the future (§4 rule 3)."""


def from_the_future(soul: Soul) -> list[str]:
    """The bodies whose own clock ran ahead of ours when they committed, by name; a cheap look, for every status.

    Only commits with a committer date ahead can be such: a body's committer date is never before its own clock.
    """
    latest = int(time.time()) + FUTURE_SECONDS
    if soul.head is None:
        return []
    return sorted({c.body for c in history.commits(soul, f"--since=@{latest}", soul.head) if c.time > latest})
