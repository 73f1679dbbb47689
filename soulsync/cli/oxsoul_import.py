"""``soulsync oxsoul import``: candidates of others, shown first and written when a person says so."""

from __future__ import annotations

import sys

import click

from soulsync.cli.context import print_json, say
from soulsync.cli.numbers import Share
from soulsync.cli.oxsoul_options import place_of, place_options
from soulsync.cli.texts import MAX_INPUT, json_option, soul_locked
from soulsync.errors import SoulSyncError
from soulsync.lang import tr


@click.command(name="import", short_help="Memories from a file, a folder, an inbox or standard input.")
@click.argument("src")
@place_options
@click.option("--yes", is_flag=True, help="Write them; without it they are only shown.")
@click.option("--trust", is_flag=True, help="Let them be as sure as 0.8 instead of 0.6.")
@click.option("--confirm", "confirmed", multiple=True, metavar="NAME", help="Import NAME although it was flagged ⚠.")
@click.option("--min-confidence", type=Share(), default=0.0, metavar="X", help="Leave out what is less sure.")
@json_option
def command(
    src: str, store: str | None, project: str | None, employee: str | None, engine: str | None, yes: bool, trust: bool,
    confirmed: tuple[str, ...], min_confidence: float, as_json: bool,
) -> None:  # fmt: skip
    """Import memories from SRC: a file, a folder, a folder of the store's inbox by its name, or - for standard input.

    Shown are the source, how sure each may be at most, what says the same already, and warnings. What gives orders to
    an AI or holds a credential is imported only when it is confirmed by its name. SRC stays as it is.

    \b
    Example:
      soulsync oxsoul import inbox/web-app --yes
    """
    import contextlib

    from soulsync.cli import oxsoul_text
    from soulsync.stores.oxsoul import importing, sources, writing

    place = place_of(store, project, employee, engine)
    candidates = sources.read(place.root, src, _stdin() if src == sources.STDIN else b"")
    wishes = importing.Wishes(trust, confirmed, min_confidence)
    with contextlib.ExitStack() as locks:
        if yes:
            locks.enter_context(soul_locked(place.root))
            locks.enter_context(writing.locked(place.root))
        items = importing.plan(place, candidates, wishes, writing.now())
        written = importing.apply(place, items) if yes else []
    if as_json:
        print_json({"items": [item.as_json() for item in items], "written": bool(written)})
        return
    oxsoul_text.show_items(items)
    waiting = [item.name for item in items if item.action == importing.CONFIRM]
    if yes:
        say(tr("{count} memories imported.", count=len(written)))
    else:
        say(tr("Nothing was written; `--yes` imports what is marked so."))
    if waiting:
        say(tr("⚠ Look at {names}: `--confirm NAME` lets one in.", names=", ".join(waiting)))


def _stdin() -> bytes:
    data = sys.stdin.buffer.read(MAX_INPUT + 1) if sys.stdin is not None else b""
    if len(data) > MAX_INPUT:
        raise SoulSyncError(tr("The text is over 16 MiB."), tr("Nothing was written."))
    return data
