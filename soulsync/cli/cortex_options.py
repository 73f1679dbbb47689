"""What the commands of ``soulsync cortex`` share."""

from __future__ import annotations

import time

import click

TYPES = ("episodic", "semantic", "procedural")
SCOPES = ("user", "project", "skill", "runtime", "global")
"""As in :mod:`soulsync.formats.cortex`, which a help page need not load."""

store_option = click.option(
    "--store", "named", metavar="DIR", help="The store (default: the nearest .agent/memory upward)."
)


def micros_now() -> int:
    """The present in microseconds since the epoch."""
    return time.time_ns() // 1000
