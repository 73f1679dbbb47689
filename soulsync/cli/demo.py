"""``soulsync demo``: two bodies, a real SSH remote on this machine, concurrent edits, a merge, an undo."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(name="demo", short_help="See the whole thing on this machine, in seconds.")
@click.option("--keep", type=click.Path(path_type=Path), metavar="DIR", help="Leave everything in DIR to look at.")
def command(keep: Path | None) -> None:
    """Two bodies of one agent, a real SSH remote on this machine, both writing at once, a merge, an undo.

    Nothing outside a temporary folder is touched, and nothing is sent anywhere.

    \b
    Example:
      soulsync demo --keep /tmp/demo
    """
    from soulsync.cli.demonstration import run

    run(keep)
