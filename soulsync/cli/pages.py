"""Long output: through the pager on a terminal, as it comes into a pipe."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable


def show(lines: Iterable[str]) -> None:
    """Print the lines; on a terminal that they do not fit, through ``$PAGER`` (``less -R`` where none is set)."""
    if not sys.stdout.isatty():
        for line in lines:
            click.echo(line, color=False)
        return
    colour = None if "NO_COLOR" not in os.environ else False
    text = list(lines)
    if len(text) < shutil.get_terminal_size().lines - 1:
        for line in text:
            click.echo(line, color=colour)
        return
    os.environ.setdefault("LESS", "-FRX")
    click.echo_via_pager("".join(line + "\n" for line in text), color=colour)
