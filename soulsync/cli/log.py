"""``soulsync log``: the autobiography, in memory terms."""

from __future__ import annotations

import time
from itertools import chain
from typing import TYPE_CHECKING

import click

from soulsync.cli.context import body_of, print_json, say
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from soulsync.body.autobiography import Chapter


@click.command(name="log", short_help="The autobiography: what was learned and forgotten, where and when.")
@click.option("-n", "count", type=click.IntRange(min=1), metavar="N", help="At most N commits (default: 20).")
@click.option("--path", metavar="P", help="Only what touched this file or folder.")
@click.option("--body", metavar="B", help="Only what this body did.")
@click.option("--since", metavar="WHEN", help="From this time on: 2026-11-30, today, yesterday, '2 weeks ago'.")
@click.option("--until", metavar="WHEN", help="Up to this time; a day counts whole.")
@click.option("--grep", "text", metavar="TEXT", help="Only changes whose text holds TEXT, in any case.")
@click.option("--rescue", is_flag=True, help="List where main was before a sync, an undo or a join moved it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@click.pass_context
def command(
    ctx: click.Context,
    count: int | None,
    path: str | None,
    body: str | None,
    since: str | None,
    until: str | None,
    text: str | None,
    rescue: bool,
    as_json: bool,
) -> None:
    """The autobiography: per commit which body, when, and what it added, forgot, edited, wrote or moved.

    \b
    Example:
      soulsync log --since yesterday --body phone
    """
    from soulsync.body.autobiography import Wanted, read, rescues
    from soulsync.body.named_path import inside
    from soulsync.body.sync import open_soul
    from soulsync.cli import pages

    soul = open_soul(*body_of(ctx))
    if rescue:
        _rescues(rescues(soul), as_json)
        return
    place = (inside(soul.root, path) or None) if path is not None else None
    chapters = read(soul, Wanted(count or 20, place, body, since, until, text))
    if as_json:
        print_json([chapter.as_json() for chapter in chapters])
    else:
        found = next(chapters, None)
        if found is None:
            say(tr("No commit matches."))
        else:
            pages.show(_lines(chain([found], chapters)))


def _lines(chapters: Iterable[Chapter]) -> Iterator[str]:
    from soulsync.cli.changes_text import commit_lines

    now = time.time()
    for chapter in chapters:
        yield from commit_lines(chapter.commit, chapter.changes, now)


def _rescues(found: list[dict[str, str]], as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    for rescue in found:
        click.echo(f"{rescue['commit'][:7]}  {rescue['time']}  {rescue['ref']}")
