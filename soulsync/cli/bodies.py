"""``soulsync bodies``: who lives in this soul."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from soulsync.cli import pages
from soulsync.cli.ages import age
from soulsync.cli.context import body_of, print_json, printable
from soulsync.cli.texts import json_option
from soulsync.lang import tr

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from soulsync.body.census import Inhabitant

SILENT_DAYS = 7
NARROW = 64
FINGERPRINT = 19
"""Characters of a key's fingerprint that are shown; `--json` has it whole."""
_BLOCKS = " ▁▂▃▄▅▆▇█"


@click.command(name="bodies", short_help="Who lives in this soul, when last seen, what each wrote.")
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Who lives in this soul: when last seen, memories written, commits, and the activity of the last 30 days.

    “behind” counts the commits that a body did not have when it last committed. Red: silent for a week, a clock that
    is ahead, a key that another body uses too. The star is this body.

    \b
    Example:
      soulsync bodies
    """
    from soulsync.body.census import count
    from soulsync.body.sync import open_soul

    home, config = body_of(ctx)
    found = count(open_soul(home, config), config.body)
    if as_json:
        print_json([one.as_json() for one in found])
        return
    console = pages.console()
    if console.width < NARROW:
        for one in found:
            console.print(_block(one, config.body, time.time()))
    else:
        console.print(_table(found, config.body, time.time(), console.width))


def _block(one: Inhabitant, mine: str, now: float) -> Text:
    """One body on a narrow terminal, such as a phone's."""
    from rich.text import Text

    text = Text(printable(one.body) + (" *" if one.body == mine else ""), style="bold")
    text.append(f"  {printable(one.program or '')}\n  ", style="not bold dim")
    text.append(*_seen(one, now))
    numbers = tr("{memories} memories, {commits} commits", memories=one.entries, commits=one.commits)
    text.append(f"\n  {numbers}\n", style="not bold")
    if one.unseen:
        text.append(f"  {tr('{count} commits behind', count=one.unseen)}\n", style="not bold")
    if one.fingerprint:
        print_, style = _key(one)
        text.append(f"  {print_}\n", style=f"not bold {style}")
    text.append(f"  {timeline(one.days)}\n", style="not bold")
    return text


def _table(found: list[Inhabitant], mine: str, now: float, width: int) -> Table:
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE, pad_edge=False, show_edge=False)
    numbers = (tr("behind"), tr("memories"), tr("commits"))
    for title in (tr("body"), tr("last seen"), *numbers, tr("30 days")):
        table.add_column(title, overflow="fold", justify="right" if title in numbers else "left")
    for one in found:
        name = Text(printable(one.body) + (" *" if one.body == mine else ""))
        name.append(f"\n{printable(one.kind or '?')} {printable(one.program or '')}".rstrip(), style="dim")
        if one.fingerprint:
            print_, style = _key(one)
            name.append(f"\n{print_}", style=style)
        behind = "–" if one.unseen is None else str(one.unseen)
        bar = timeline(grouped(one.days, _days_a_block(width)))
        table.add_row(name, Text(*_seen(one, now)), behind, str(one.entries), str(one.commits), bar)
    return table


def _key(one: Inhabitant) -> tuple[str, str]:
    """The beginning of the key's fingerprint, enough to find it at the server, and the style: red for a shared key."""
    short = f"{printable(one.fingerprint or '')[:FINGERPRINT]}…"
    if one.shares_key_with:
        return tr("{key} = {bodies}", key=short, bodies=", ".join(map(printable, one.shares_key_with))), "red"
    return short, "dim"


def _days_a_block(width: int) -> int:
    """How many days one block stands for, so that the bar fits a terminal of ``width`` columns."""
    return 1 if width >= 96 else 2


def grouped(days: list[int], size: int) -> list[int]:
    """Commits per ``size`` days."""
    return [sum(days[i : i + size]) for i in range(0, len(days), size)]


def _seen(one: Inhabitant, now: float) -> tuple[str, str]:
    """How long ago the body was seen, and the style: red when silent for a week or writing from the future."""
    if one.from_the_future:
        return tr("its clock is ahead"), "red"
    stamp = _instant(one.last_seen)
    if stamp is None:
        return tr("never"), "red"
    return age(now - stamp), "red" if now - stamp > SILENT_DAYS * 86_400 else ""


def _instant(text: str | None) -> float | None:
    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def timeline(days: list[int]) -> str:
    """Commits per day as a bar of blocks, oldest day first."""
    most = max([1, *days])
    return "".join(_BLOCKS[0 if not n else max(1, round(n / most * (len(_BLOCKS) - 1)))] for n in days).replace(
        " ", "·"
    )
