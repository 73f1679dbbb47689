"""``soulsync key``: this body's deploy key."""

from __future__ import annotations

import click

from soulsync.cli.context import body_of, print_json, say


@click.group(name="key", short_help="This body's deploy key.")
def command() -> None:
    """This body's deploy key: made on this machine, never copied to another.

    \b
    Example:
      soulsync key show
    """


@command.command(name="show")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def show(ctx: click.Context, as_json: bool) -> None:
    """Print the public half of the key, the line to add as a deploy key with write access.

    \b
    Example:
      soulsync key show
    """
    from soulsync.access.key import check_private, fingerprint, public_line

    home, _ = body_of(ctx)
    check_private(home.key)
    line = public_line(home.key)
    if as_json:
        print_json({"public_key": line, "fingerprint": fingerprint(line)})
    else:
        say(line)
