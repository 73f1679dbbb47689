"""Where a body stands, from what is on this disk alone (contract §3, ``status --json``)."""

from __future__ import annotations

import json
import time

from soulsync import spec
from soulsync.body import backoff, clocks
from soulsync.body.opened import open_soul
from soulsync.body.schedule.record import Schedule, ScheduledRun
from soulsync.body.shared_keys import shared_keys
from soulsync.body.state import Status
from soulsync.formats.instants import timestamp
from soulsync.repo import plain, status
from soulsync.repo.paths import shown
from soulsync.repo.soul import SEEN_REF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from soulsync.body.config import Config
    from soulsync.body.home import Home
    from soulsync.repo.soul import Soul


def standing(home: Home, config: Config) -> dict[str, Any]:
    """Everything that ``status`` shows."""
    soul, now = open_soul(home, config), time.time()
    with soul.git.asked(*status.QUESTIONS, *([clocks.question(soul.head, now)] if soul.head else [])):
        return _standing(home, config, soul, now)


def _standing(home: Home, config: Config, soul: Soul, now: float) -> dict[str, Any]:
    last = Status.load(home)
    bodies = [_body(path) for path in sorted((config.soul / "bodies").glob("*.json"))]
    ahead, behind = _distance(soul) if config.remote else (0, 0)
    found = status.read(soul)
    return {
        "agent": config.agent,
        "body": config.body,
        "remote": config.remote,
        "dir": str(config.soul),
        "head": found.head,
        "ahead": ahead,
        "behind": behind,
        "dirty": sorted(shown(path) for path in {*found.tracked, *found.untracked, *found.unmerged}),
        "last_sync": last.last_sync,
        "last_success": last.last_success,
        "last_pull": last.last_pull,
        "last_push": last.last_push,
        "last_error": last.last_error,
        "outcome": last.outcome,
        "failures": last.failures,
        **_by_the_clock(home, last, now),
        "skipped": last.skipped,
        "merged": last.merged,
        "warnings": last.warnings,
        "lease": lease_of(config.soul / spec.LEASE_JSON, config.body, now),
        "shared_keys": shared_keys({body["body"]: key for body, key in bodies}),
        "from_the_future": [shown(name) for name in clocks.from_the_future(soul, now)],
        "bodies": [body for body, _ in bodies],
    }


def _by_the_clock(home: Home, last: Status, now: float) -> dict[str, Any]:
    """The recurring sync as it was installed, and until when it keeps away from the server; null where there is none.

    Whether cron or systemd really has it only these can tell: ``schedule show`` and ``doctor`` ask them.
    """
    schedule = Schedule.load(home)
    if schedule.backend is None or schedule.every is None:
        return {"schedule": None, "backoff": None}
    until = backoff.until(last, now)
    return {
        "schedule": {
            "backend": schedule.backend,
            "every": schedule.every,
            "last_run": ScheduledRun.load(home).last_run,
        },
        "backoff": None if until is None else {"until": timestamp(int(until * 1000)), "failures": last.failures},
    }


def _distance(soul: Soul) -> tuple[int, int]:
    """How many commits we have and the remote had not when last seen, and the reverse."""
    seen, head = soul.ref(SEEN_REF), soul.head
    if head is None or seen == head:
        return 0, 0
    if seen is None:
        return int(soul.git.text("rev-list", "--count", head)), 0
    ahead, behind = soul.git.text("rev-list", "--left-right", "--count", f"{head}...{seen}").split()
    return int(ahead), int(behind)


def lease_of(file: Path, body: str, now: float) -> dict[str, Any]:
    """The lease that lies in the work tree, as ``lease status --json`` shows it; ``now`` in seconds since the epoch."""
    from soulsync.formats import lease
    from soulsync.formats.text import Malformed

    try:
        found = lease.parse(plain.read(file))
    except (OSError, Malformed):
        return {"held": False, "body": None, "until": None, "mine": False, "expired": False}
    expired = found.until <= now * 1000
    return {
        "held": not expired,
        "body": found.body,
        "until": timestamp(found.until),
        "mine": found.body == body,
        "expired": expired,
    }


def _body(path: Path) -> tuple[dict[str, Any], str | None]:
    """What a registry file of the work tree says, and the fingerprint of the body's key."""
    try:
        values = json.loads(plain.read(path))
    except (OSError, ValueError, RecursionError):
        values = {}
    if not isinstance(values, dict):
        values = {}
    key = values.get("keyFingerprint")
    told = {"body": path.stem, "kind": values.get("kind"), "lastSeen": values.get("lastSeen")}
    return told, key if isinstance(key, str) else None
