"""When within an interval a body has its turn, so that ten machines do not push in the same second.

Machines whose clocks are right all wake at the full minute, and collide again at each one
(ad-m/github-push-action#61). The offset comes from the names alone: it stays from one run to the next, so that a sync
stands in the logs at the same second.
"""

from __future__ import annotations

import hashlib

LONGEST_PAUSE = 59
"""Seconds that a run may wait, where what starts it counts minutes."""


def offset(agent: str, body: str, every: int) -> int:
    """Seconds from the beginning of each interval of ``every`` seconds."""
    return int.from_bytes(hashlib.sha256(f"{agent}/{body}".encode()).digest()[:8], "big") % every


def pause(agent: str, body: str, every: int) -> int:
    """Seconds that a run waits after a full minute; at most half of the interval, so that it ends before the next."""
    return offset(agent, body, every) % (min(LONGEST_PAUSE + 1, every // 2))
