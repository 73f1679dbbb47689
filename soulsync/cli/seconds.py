"""A stretch of time on the command line, in seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from soulsync.lang import tr

if TYPE_CHECKING:
    from click import Context, Parameter

LONGEST = 31 * 86_400
"""Nobody waits for longer, and no clock counts down from infinity."""


class Seconds(click.FloatRange):
    """A number of seconds from ``min`` on. Click's own range lets ``nan`` and ``inf`` pass, which no wait can end."""

    def convert(self, value: Any, param: Parameter | None, ctx: Context | None) -> float:
        """The number; wrong usage (2) for everything else."""
        number: float = super().convert(value, param, ctx)
        if not number <= LONGEST:
            self.fail(tr("{value} is not from 0 to {most} seconds", value=str(value), most=LONGEST), param, ctx)
        return number
