"""The real clock of this machine."""

from __future__ import annotations

import time

from soulsync.formats.instants import timestamp


def now() -> str:
    """The present time: ISO 8601, UTC, milliseconds, ``Z``."""
    return timestamp(int(time.time() * 1000))
