"""``soulsync diff``: what differs between two commits, or between the last commit and the files here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from soulsync.cli.context import body_of, print_json
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.repo.changes import Change
    from soulsync.repo.soul import Soul


@click.command(name="diff", short_help="What differs between two commits, or was not committed yet.")
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@click.pass_context
def command(ctx: click.Context, a: str | None, b: str | None, as_json: bool) -> None:
    """What differs, in memory terms: from A to B, from A to the last commit, or from the last commit to the files here.

    \b
    Example:
      soulsync diff HEAD~3 HEAD
    """
    from soulsync.body.sync import open_soul
    from soulsync.cli import pages
    from soulsync.cli.changes_text import change_lines

    home, config = body_of(ctx)
    soul = open_soul(home, config)
    found = _uncommitted(soul, config) if a is None else _between(soul, a, b or "HEAD")
    if as_json:
        print_json([change.as_json() for change in found])
    elif found:
        pages.show(line for change in found for line in _with_path(change, list(change_lines(change))))
    else:
        click.echo(tr("Nothing differs."))


def _with_path(change: Change, lines: list[str]) -> list[str]:
    return [f"{change.path}: {line}" if change.kind.startswith("entry-") else line for line in lines]


def _between(soul: Soul, a: str, b: str) -> list[Change]:
    from soulsync.repo import changes, objects
    from soulsync.repo.revisions import find

    old, new = (objects.tree_of(soul.repo, find(soul, revision)) for revision in (a, b))
    return changes.between(soul, old, new)


def _uncommitted(soul: Soul, config: Config) -> list[Change]:
    from soulsync.repo import changes, objects, snapshot, status
    from soulsync.repo.worktree import WorkTree

    worktree = WorkTree(soul.root, soul.staging)
    taken = snapshot.take(soul, worktree, status.read(soul), config.body)
    head = soul.head
    old = objects.tree_of(soul.repo, head) if head else None
    return changes.between(soul, old, objects.edit(soul.repo, old, taken.edits))
