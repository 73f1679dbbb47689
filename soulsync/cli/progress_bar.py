"""A bar for long work on a terminal; nothing in a pipe or under cron."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from soulsync import progress
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 0.7
"""Seconds of work before a bar appears: most syncs are over by then."""


@contextmanager
def shown(*, wanted: bool = True) -> Iterator[None]:
    """Show on standard error how far the work in the ``with`` block has got, if that is a terminal."""
    if not wanted or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    tasks: dict[str, int] = {}
    begun = time.monotonic()

    def listen(what: str, done: int, total: int) -> None:
        if time.monotonic() - begun < PATIENCE:
            return
        if not tasks:
            bar.start()
        if what not in tasks:
            tasks[what] = bar.add_task(_words(what))
        bar.update(bar.task_ids[tasks[what]], completed=done, total=total)

    try:
        with progress.told_to(listen):
            yield
    finally:
        bar.stop()


def _words(what: str) -> str:
    """What git and the engine call the step, for a person."""
    return {
        "Enumerating objects": tr("counting"),
        "Counting objects": tr("counting"),
        "Compressing objects": tr("compressing"),
        "Writing objects": tr("sending"),
        "Receiving objects": tr("receiving"),
        "Resolving deltas": tr("unpacking"),
        "merging": tr("merging"),
        "placing files": tr("placing files"),
    }.get(what, what)
