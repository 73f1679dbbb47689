"""Long output: through the pager on a terminal, as it comes into a pipe."""

from __future__ import annotations

import os
import shutil
import sys
from itertools import chain, islice
from typing import TYPE_CHECKING

import click

from soulsync.cli.context import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console


def show(lines: Iterable[str]) -> None:
    """Print the lines; on a terminal that they do not fit, through ``$PAGER`` (``less -R`` where none is set).

    No more of them are made than are asked for: a long history begins to show at once.
    """
    if not sys.stdout.isatty():
        for line in lines:
            click.echo(line, color=False)
        return
    colour = None if wants_colour() else False
    rest = iter(lines)
    screen = shutil.get_terminal_size()
    begin = list(islice(rest, max(1, screen.lines - 1)))
    if sum(_rows(line, screen.columns) for line in begin) < screen.lines - 1:
        for line in begin:
            click.echo(line, color=colour)
        return
    os.environ.setdefault("LESS", "-FRX")
    os.environ.setdefault("LESSCHARSET", "utf-8")  # in the C locale less shows every Han character as bytes
    click.echo_via_pager((f"{line}\n" for line in chain(begin, rest)), color=colour)


def show_text(data: bytes) -> None:
    """Print a file's content: with control characters escaped on a terminal, as it is into a pipe."""
    if not sys.stdout.isatty():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    show(printable(line) for line in data.decode("utf-8", "surrogateescape").splitlines())


def console() -> Console:
    """What prints tables; where its reader leaves it says so like all other output, instead of ending with 1."""
    from rich.console import Console

    class _Console(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return _Console(highlight=False, no_color=not wants_colour())


def wants_colour() -> bool:
    """Whether the person wants colour: no ``NO_COLOR`` (https://no-color.org: set and not empty), no dumb terminal."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _rows(line: str, columns: int) -> int:
    from rich.cells import cell_len

    return max(1, -(-cell_len(click.unstyle(line)) // max(1, columns)))
