"""``soulsync show``: one commit in memory terms."""

from __future__ import annotations

import time

import click

from soulsync.cli.context import body_of, print_json


@click.command(name="show", short_help="One commit: what it added, forgot, edited, wrote or moved.")
@click.argument("commit")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, commit: str, as_json: bool) -> None:
    """What COMMIT did, in memory terms; of a merge, which versions lost and where they are.

    \b
    Example:
      soulsync show HEAD
    """
    from soulsync.body.autobiography import Chapter
    from soulsync.body.sync import open_soul
    from soulsync.cli import pages
    from soulsync.cli.changes_text import commit_lines
    from soulsync.repo import changes, history
    from soulsync.repo.revisions import find

    soul = open_soul(*body_of(ctx))
    found = history.commits(soul, find(soul, commit), limit=1)[0]
    chapter = Chapter(found, changes.of_commit(soul, found))
    if as_json:
        print_json(chapter.as_json())
    else:
        pages.show(commit_lines(found, chapter.changes, time.time()))
