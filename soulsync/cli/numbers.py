"""Numbers on the command line: those that a memory can hold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from soulsync.lang import tr

if TYPE_CHECKING:
    from click import Context, Parameter


class Share(click.FloatRange):
    """A number from 0 to 1. Click compares with the ends of a range alone, which NaN is neither below nor above."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def convert(self, value: Any, param: Parameter | None, ctx: Context | None) -> float:
        """The number; wrong usage (2) for everything else, ``nan`` too."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(tr("{key} is not between 0 and 1", key=str(value)), param, ctx)
        return number
