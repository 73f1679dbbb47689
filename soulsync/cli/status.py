"""``soulsync status``: where this body stands, without network."""

from __future__ import annotations

import click


@click.command(name="status", short_help="Where this body stands, without network.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Where this body stands: what waits to be sent, what arrived last, what was left out. Uses no network.

    \b
    Example:
      soulsync status
    """
    from soulsync.cli.standing_run import show

    show(ctx.obj["home"], ctx.obj["agent"], as_json=as_json)
