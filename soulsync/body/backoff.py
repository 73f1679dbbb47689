"""Failures that repeat: the schedule waits longer each time before it asks the server again.

Only runs that the schedule starts stay away, and they commit here all the same. Whoever types ``soulsync sync`` gets
one, and when it succeeds the schedule goes on at once.
"""

from __future__ import annotations

from datetime import datetime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from soulsync.body.state import Status

PATIENCE = 3
"""Failures in a row that change nothing: a server may restart, a laptop wake up."""
FIRST_PAUSE = 600
LONGEST_PAUSE = {"offline": 900, "denied": 3600, "refused": 3600}
"""The longest pause in seconds by outcome.

A server that can't be reached comes back by itself, and then the soul shall be in step soon; no access and a refusal
wait for a person. Everything else (a full disk, an open rebase) is between soulsync and this machine: no pause.
"""


def pause(outcome: str | None, failures: int) -> int:
    """Seconds that the schedule keeps away after ``failures`` in a row of which the last was ``outcome``."""
    longest = LONGEST_PAUSE.get(outcome or "", 0)
    if failures < PATIENCE:
        return 0
    return min(FIRST_PAUSE << min(failures - PATIENCE, 10), longest)


def until(status: Status, now: float) -> float | None:
    """The end of the pause that is under way at ``now``, both in seconds since the epoch; None when there is none.

    A clock that was set back does not make it longer.
    """
    try:
        last = datetime.fromisoformat(status.last_sync or "").timestamp()
    except ValueError:
        return None
    seconds = pause(status.outcome, status.failures)
    return last + seconds if last <= now < last + seconds else None
