"""``soulsync undo``: a reverse commit by the merge rules."""

from __future__ import annotations

import click

from soulsync.cli.context import body_of, print_json, say


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
    verb = "would be set back" if dry_run else "set back"
    for path in sorted(done.edits):
        say(f"  {verb}: {path}")
    for path, reason in sorted(done.left.items()):
        say(f"  left: {path} ({reason}" + ("; --force sets it back)" if reason == "changed since" else ")"))
    if not done.edits:
        say("Nothing to undo.")
    elif done.new:
        say(f"Undone in {done.new[:7]}. `soulsync sync` sends it; `soulsync undo {done.new[:7]}` takes it back.")
