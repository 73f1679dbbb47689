"""``soulsync status``: where this body stands, without network."""

from __future__ import annotations

import click

from soulsync.cli.context import body_of, print_json


@click.command(name="status", short_help="Where this body stands, without network.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Where this body stands: what waits to be sent, what arrived last, what was left out. Uses no network.

    \b
    Example:
      soulsync status
    """
    from soulsync.body.standing import standing
    from soulsync.cli.standing_text import lines

    stands = standing(*body_of(ctx))
    if as_json:
        print_json(stands)
        return
    for line in lines(stands):
        click.echo(line)
