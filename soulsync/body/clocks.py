"""Bodies whose clocks are wrong, told by their commits (soul-repo-v4 §4 rule 3)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from soulsync.repo.soul import Soul

FUTURE_SECONDS = 600
"""A body whose commits lie further ahead than this writes from the future (§4 rule 3)."""


def question(head: str, now: float) -> tuple[str, ...]:
    """The words that ask git for a commit from the future, as seen at ``now``, in seconds since the epoch."""
    return ("rev-list", "--max-count=1", f"--since=@{_latest(now)}", head)


def _latest(now: float) -> int:
    return int(now) + FUTURE_SECONDS


def from_the_future(soul: Soul, now: float) -> list[str]:
    """The bodies whose own clock ran ahead of ours when they committed, by name; a cheap look, for every status.

    Only commits with a committer date ahead can be such: a body's committer date is never before its own clock.
    """
    latest = _latest(now)
    if soul.head is None or not soul.git.out(*question(soul.head, now)):
        return []
    from soulsync.repo import history

    return sorted({c.body for c in history.commits(soul, f"--since=@{latest}", soul.head) if c.time > latest})
