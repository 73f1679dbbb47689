"""``soulsync search``: what the agent knows about something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from soulsync.cli.context import body_of, print_json, printable, say
from soulsync.cli.texts import json_option
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.body.search import Hit


@click.command(name="search", short_help="What the agent knows about something.")
@click.argument("text")
@click.option("-n", "limit", default=20, show_default=True, type=click.IntRange(min=1), help="At most N passages.")
@json_option
@click.pass_context
def command(ctx: click.Context, text: str, limit: int, as_json: bool) -> None:
    """Memories, notes and journals of all bodies that hold TEXT or its words, the best first.

    \b
    Example:
      soulsync search "server room"
    """
    from soulsync.body.search import search
    from soulsync.cli import pages

    _, config = body_of(ctx)
    hits = search(config.soul, text, limit)
    if as_json:
        print_json([hit.as_json() for hit in hits])
        return
    if not hits:
        say(tr("Nothing found."))
        return
    pages.show(line for hit in hits for line in _lines(hit))


def _lines(hit: Hit) -> Iterator[str]:
    path, title = hit.passage.path, hit.passage.title
    yield click.style(printable(f"{path}  {title}" if title else path), fg="cyan")
    yield f"    {printable(hit.excerpt)}"
