"""``soulsync oxsoul add``: write a memory."""

from __future__ import annotations

import sys

import click

from soulsync.cli.context import print_json, say
from soulsync.cli.numbers import Share
from soulsync.cli.oxsoul_options import CATEGORIES, SOURCES, place_of, place_options
from soulsync.cli.texts import json_option, soul_locked, text_or_editor
from soulsync.lang import tr


@click.command(name="add", short_help="Write a memory.")
@click.argument("description")
@click.argument("text", required=False)
@place_options
@click.option("--name", metavar="NAME", help="Its name: a-z, 0-9 and - (default: made of the description).")
@click.option("--category", type=click.Choice(CATEGORIES), default="fact", show_default=True, help="What it is.")
@click.option("--source", type=click.Choice(SOURCES), default="manual", show_default=True, help="Who says so.")
@click.option("--importance", type=Share(), default=0.5, show_default=True, help="How important, 0 to 1.")
@click.option("--confidence", type=Share(), default=1.0, show_default=True, help="How sure, 0 to 1.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag; may be repeated.")
@click.option("--confirm", "confirmed", multiple=True, metavar="NAME", help="Write NAME although it was flagged ⚠.")
@json_option
def command(
    description: str, text: str | None, store: str | None, project: str | None, employee: str | None,
    engine: str | None, name: str | None, category: str, source: str, importance: float, confidence: float,
    tags: tuple[str, ...], confirmed: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Write a memory: DESCRIPTION is the one line by which it is found, TEXT what it says (- reads standard input).

    What gives orders to an AI or holds a credential is refused until it is confirmed by its name.

    \b
    Example:
      soulsync oxsoul add "User prefers pnpm" "In every project, since 2024." --category preference --tag pnpm
    """
    from soulsync.formats.oxsoul_names import clean_name
    from soulsync.stores.oxsoul import adding

    body = text_or_editor("-") if text == "-" and sys.stdin is not None else text or ""
    fields: dict[str, str | float | list[str]] = {
        "description": description.strip(), "category": category, "importance": importance,
        "confidence": confidence, "source": source,
    }  # fmt: skip
    if name is not None:
        fields["name"] = name
    if tags:
        fields["tags"] = list(tags)
    names = {clean_name(name or description, description)}
    place = place_of(store, project, employee, engine)
    with soul_locked(place.root):
        written, added = adding.add(place, fields, body, confirm=bool(names & set(confirmed)))
    if as_json:
        print_json({"added": added, "name": written if added else None, "duplicate_of": None if added else written})
    elif added:
        say(tr("Added {name}.", name=written))
    else:
        say(tr("{name} says the same; nothing was written.", name=written))
