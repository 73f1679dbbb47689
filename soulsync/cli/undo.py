"""``soulsync undo``: a reverse commit by the merge rules."""

from __future__ import annotations

import click

from soulsync.cli.context import body_of, print_json, say
from soulsync.lang import tr


@click.command(name="undo", short_help="Take back what one commit did; what came after it stays.")
@click.argument("commit")
@click.option("--dry-run", is_flag=True, help="Only say what would change.")
@click.option("--force", "forced", multiple=True, metavar="PATH", help="Set this path back although it changed since.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, commit: str, dry_run: bool, forced: tuple[str, ...], as_json: bool) -> None:
    """Take back what COMMIT did, as a new commit. Memories go and come back by entry, whatever changed beside them.

    \b
    Example:
      soulsync undo 3f2a91c --dry-run
    """
    from soulsync.body.engine import Engine
    from soulsync.body.sync import open_soul
    from soulsync.body.undo import undo

    home, config = body_of(ctx)
    engine = Engine(home, config, open_soul(home, config))
    engine.prepare()
    done = undo(engine, commit, force=frozenset(forced), dry_run=dry_run)
    if as_json:
        print_json(done.as_json())
        return
    verb = tr("would be set back") if dry_run else tr("set back")
    for path in sorted(done.edits):
        say(f"  {verb}: {path}")
    for path, reason in sorted(done.left.items()):
        say(tr("  left: {path} ({reason})", path=path, reason=_why(reason)))
    if not done.edits:
        say(tr("Nothing to undo."))
    elif done.new:
        say(tr("Undone in {new}. `soulsync sync` sends it; `soulsync undo {new}` takes it back.", new=done.new[:7]))


def _why(reason: str) -> str:
    """A reason of the undo, whose English words are fixed in the JSON."""
    from soulsync.body.undo import CHANGED_SINCE, NOT_UNDONE, REQUIRED

    told = {
        CHANGED_SINCE: tr("changed since; --force sets it back"),
        NOT_UNDONE: tr("journals, registry, lease and fixed files are not undone"),
        REQUIRED: tr("the spec requires it"),
    }
    return told.get(reason, reason)
