"""What ``soulsync bridge`` tells a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.body.bridge.carried import TO_SOUL
from soulsync.cli import pages
from soulsync.cli.context import complain, printable
from soulsync.lang import tr
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from soulsync.body.bridge.carried import Carried, Change
    from soulsync.body.bridge.record import Bridge

MARKS = {"added": "+", "removed": "-", "changed": "~"}
WIDTH = 72
"""Characters of an entry's first line that are shown."""


def listed(bridges: Sequence[Bridge]) -> None:
    """A line for each bridge."""
    if not bridges:
        pages.show([tr("There is no bridge. Build one with `soulsync bridge add`.")])
        return
    pages.show(printable(_line(bridge)) for bridge in bridges)


def _line(bridge: Bridge) -> str:
    framework = bridge.framework + (f" ({bridge.project})" if bridge.project else "")
    return f"{bridge.name}  {framework}  {bridge.path}" + (f"  {tr('with hooks')}" if bridge.hooks else "")


def told(carried: Sequence[Carried], *, quiet: bool) -> None:
    """What went which way; faults as complaints of their own."""
    if not quiet:
        if not carried:
            listed([])
        pages.show(printable(line) for one in carried for line in _lines(one))
    for one in carried:
        for fault in one.faults:
            complain(f"{one.bridge.name}: {fault}")


def _lines(carried: Carried) -> Iterator[str]:
    if not carried.changes and not carried.faults:
        yield tr("{name}: nothing to copy", name=carried.bridge.name)
    for to_soul in (True, False):
        changes = [change for change in carried.changes if (change.direction == TO_SOUL) is to_soul]
        if changes:
            name = carried.bridge.name
            yield tr("{name}: into the soul", name=name) if to_soul else tr("{name}: out of the soul", name=name)
            yield from map(_change, changes)
    if carried.left_out:
        yield tr(
            "{name}: {count} entries of the soul are over the framework's limit and are not shown to it",
            name=carried.bridge.name,
            count=len(carried.left_out),
        )


def _change(change: Change) -> str:
    text = shown(change.path)
    if change.text is not None:
        first = change.text.split("\n", 1)[0]
        text += f": {first if len(first) <= WIDTH else first[: WIDTH - 1] + '…'}"
    return f"  {MARKS[change.done]} {text}"
