"""``soulsync sync``: one round. What cron runs."""

from __future__ import annotations

import click


@click.command(name="sync", short_help="One round: commit, fetch, merge, push.")
@click.option("--dry-run", is_flag=True, help="Only say what a sync would do; nothing is changed.")
@click.option("--no-push", is_flag=True, help="Commit and merge, but send nothing.")
@click.option("--all", "everyone", is_flag=True, help="Every agent on this machine, one after the other.")
@click.option("--quiet", is_flag=True, help="Say nothing unless something went wrong.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; with --all an array of them.")
@click.option("--scheduled", type=click.IntRange(0, 60), hidden=True)
@click.pass_context
def command(
    ctx: click.Context, dry_run: bool, no_push: bool, everyone: bool, quiet: bool, as_json: bool, scheduled: int | None
) -> int:
    """One round: commit what changed here, fetch, merge by the rules, push.

    `soulsync schedule install` repeats it by the clock. With --all one agent that fails keeps no other from its
    sync; the exit code is that of the first failure.

    \b
    Example:
      soulsync sync
    """
    from soulsync.cli import sync_run

    wishes = sync_run.Wishes(dry_run=dry_run, push=not no_push, quiet=quiet, as_json=as_json, scheduled=scheduled)
    if everyone:
        return sync_run.everyone(ctx.obj["home"], wishes)
    return sync_run.named(ctx.obj["home"], ctx.obj["agent"], wishes)
