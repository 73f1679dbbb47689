"""One check of the doctor as lines for a person: a tick or a cross on a terminal, words in a pipe."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import click

from soulsync.cli.context import printable
from soulsync.cli.wrapping import rows
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.body.doctor import Check

NAME = 20
"""Columns of a check's name on a wide terminal."""
NARROW = 64


def lines(check: Check) -> Iterator[str]:
    """The check with its result; below one that failed, the remedy."""
    finding = check.finding
    if not sys.stdout.isatty():
        yield f"{tr('ok') if finding.ok else tr('failed')}: {check.name}: {printable(finding.detail)}"
        if finding.fix:
            yield f"  {tr('remedy: {text}', text=printable(finding.fix))}"
        return
    mark = click.style("✓", fg="green") if finding.ok else click.style("✗", fg="red", bold=True)
    yield from _wrapped(f"{mark} ", check.name, printable(finding.detail), None if finding.ok else "red")
    if finding.fix:
        yield from _wrapped("  ", "", f"→ {printable(finding.fix)}", "yellow")


def repaired(line: str) -> str:
    """What ``--fix`` did."""
    text = tr("repaired: {text}", text=printable(line))
    return click.style(text, fg="cyan") if sys.stdout.isatty() else text


def _wrapped(mark: str, name: str, text: str, colour: str | None) -> Iterator[str]:
    """``text`` in the columns right of the name; on a narrow terminal below it."""
    width = shutil.get_terminal_size().columns
    indent = 4 if width < NARROW else NAME + 3
    broken = rows(text, max(20, width - indent - 1))
    if width < NARROW:
        if name:
            yield f"{mark}{name}"
        head = " " * indent
    else:
        head = f"{mark}{name:<{NAME}} "
    for number, row in enumerate(broken):
        yield (head if number == 0 else " " * indent) + click.style(row, fg=colour)
