"""``soulsync uninstall``: take merge drivers and hooks out again."""

from __future__ import annotations

from pathlib import Path

import click

from soulsync.cli.context import body_of, say
from soulsync.lang import tr


@click.command(name="uninstall", short_help="Take merge drivers and hooks out again.")
@click.option(
    "--repo",
    type=click.Path(path_type=Path),
    help="Another repository: a soul or one with memory stores (default: this soul).",
)
@click.pass_context
def command(ctx: click.Context, repo: Path | None) -> None:
    """Take merge drivers and hooks out again; hooks that were there before come back. The soul stays untouched.

    \b
    Example:
      soulsync uninstall
    """
    from soulsync.cli.installing import checked
    from soulsync.repo import install

    done = install.uninstall(checked(repo) if repo is not None else body_of(ctx)[1].soul)
    for line in done:
        say(f"  {line}")
    say(tr("Uninstalled.") if done else tr("Nothing was installed."))
