"""``soulsync restore``: an older version of a path, as a commit on top."""

from __future__ import annotations

import click

from soulsync.cli.context import body_of, print_json, say
from soulsync.lang import tr


@click.command(name="restore", short_help="Bring an older version of a path back.")
@click.argument("path")
@click.option("--at", metavar="COMMIT", help="Take it from this commit (default: the last version that differs).")
@click.option(
    "--exact", is_flag=True, help="For memories: the whole file as it was, instead of adding what is missing."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, path: str, at: str | None, exact: bool, as_json: bool) -> None:
    """Bring an older version of PATH back: the one that lost in a merge, or the last one that differs from today's.

    \b
    Example:
      soulsync restore notes/travel.md
    """
    from soulsync.body.engine import Engine
    from soulsync.body.restore import restore
    from soulsync.body.sync import open_soul

    home, config = body_of(ctx)
    engine = Engine(home, config, open_soul(home, config))
    engine.prepare()
    done = restore(engine, path, at=at, exact=exact)
    if as_json:
        print_json(done.as_json())
    elif done.commit is None:
        say(tr("{path} is already as in {source}.", path=done.path, source=done.source[:7]))
    else:
        say(
            tr(
                "{path} is back as in {source}, in the commit {commit}.",
                path=done.path,
                source=done.source[:7],
                commit=done.commit[:7],
            )
        )
