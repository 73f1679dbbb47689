"""``soulsync cortex forget``: memories into the store's trash."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from soulsync.cli.context import print_json, say
from soulsync.cli.cortex_options import micros_now, store_option
from soulsync.cli.texts import json_option, soul_locked
from soulsync.errors import UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.stores.cortex.forgetting import Going


@click.command(name="forget", short_help="Move memories to the store's trash.")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@store_option
@click.option("--expired", is_flag=True, help="Those that have expired and are not pinned.")
@click.option("--force", is_flag=True, help="Pinned ones too, where they are named.")
@click.option("--yes", is_flag=True, help="Do it; without this only the plan is shown.")
@json_option
def command(ids: tuple[str, ...], named: str | None, expired: bool, force: bool, yes: bool, as_json: bool) -> None:
    """Move the memories ID…, or all expired ones, to .trash in the store. Nothing is deleted.

    \b
    Example:
      soulsync cortex forget --expired --yes
    """
    from soulsync.stores.cortex import forgetting, place, reading

    if bool(ids) == expired:
        raise UsageError(tr("Give either ids or --expired."), tr("See `soulsync cortex forget --help`."))
    store, now = place.find(named, Path.cwd()), micros_now()
    with soul_locked(store) if yes else nullcontext():
        entries = reading.scan(store, thorough=False).entries
        going = forgetting.expired(entries, now) if expired else forgetting.asked(entries, ids, force=force)
        moved = forgetting.forget(store, going, now) if yes else [None] * len(going)
    if as_json:
        print_json({"forgotten": yes, "memories": [_as_json(*pair) for pair in zip(going, moved, strict=True)]})
        return
    for one in going:
        say(f"{one.entry['memory_id']}  {' '.join(str(one.entry.get('title') or one.entry['content']).split())[:100]}")
    if not going:
        say(tr("Nothing to forget."))
    elif yes:
        say(tr("{count} memories moved to {path}.", count=len(going), path=store / forgetting.TRASH))
    else:
        say(tr("{count} memories would be forgotten; `--yes` does it.", count=len(going)))


def _as_json(going: Going, moved: str | None) -> dict[str, object]:
    return {
        "memory_id": going.entry["memory_id"],
        "type": going.entry["type"],
        "reason": going.reason,
        "trash": moved,
    }
