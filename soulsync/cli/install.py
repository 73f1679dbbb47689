"""``soulsync install``: merge drivers and hooks for plain git."""

from __future__ import annotations

from pathlib import Path

import click

from soulsync.cli.context import body_of, say
from soulsync.lang import tr


@click.command(name="install", short_help="Install merge drivers and hooks for plain git.")
@click.option(
    "--repo",
    type=click.Path(path_type=Path),
    help="Another repository: a soul or one with memory stores (default: this soul).",
)
@click.pass_context
def command(ctx: click.Context, repo: Path | None) -> None:
    """Install merge drivers and hooks, so that plain `git merge`, `pull` and `push` follow the rules too.

    In a repository that is no soul the stores of OxSoul and `.agent/memory` are looked for: they get their drivers and
    the hook `post-merge`, and nothing else changes.

    \b
    Example:
      soulsync install
    """
    from soulsync.cli.installing import checked, in_own_soul, in_repository

    done = in_repository(checked(repo)) if repo is not None else in_own_soul(*body_of(ctx))
    for line in (*done.found, *done.changed):
        say(f"  {line}")
    say(tr("Installed.") if done.changed else tr("Everything is installed already."))
