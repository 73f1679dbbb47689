"""``soulsync oxsoul``: an OxSoul store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from soulsync.cli.context import print_json, printable, say
from soulsync.cli.numbers import Share
from soulsync.cli.oxsoul_options import CATEGORIES, SOURCES, place_of, place_options, store_option
from soulsync.cli.texts import json_option, soul_locked
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.stores.oxsoul.reading import Stored


@click.group(name="oxsoul", short_help="An OxSoul store: list, add, import, index, trash, restore, validate.")
def command() -> None:
    """An OxSoul store of memories, one Markdown file each: the user's own, and those of projects, employees, engines.

    \b
    Example:
      soulsync oxsoul list --category preference
    """


@command.command(name="list")
@place_options
@click.option("--category", type=click.Choice(CATEGORIES), help="Only of this category.")
@click.option("--source", type=click.Choice(SOURCES), help="Only from this source.")
@click.option("--tag", metavar="TAG", help="Only with this tag.")
@click.option("--min-importance", type=Share(), metavar="X", help="Only at least this important.")
@click.option("--min-confidence", type=Share(), metavar="X", help="Only at least this sure, 0 to 1.")
@json_option
def list_(
    store: str | None, project: str | None, employee: str | None, engine: str | None, category: str | None,
    source: str | None, tag: str | None, min_importance: float | None, min_confidence: float | None, as_json: bool,
) -> None:  # fmt: skip
    """The memories of a place, the newest first, and the files that can't be read as one.

    \b
    Example:
      soulsync oxsoul list --category preference --tag pnpm
    """
    from soulsync.cli import oxsoul_text, pages
    from soulsync.formats import oxsoul_index
    from soulsync.stores.oxsoul import reading

    place = place_of(store, project, employee, engine)
    found = reading.scan(place)

    def wanted(one: Stored) -> bool:
        memory = one.memory
        return (
            category in (None, memory.category)
            and source in (None, memory.source)
            and (tag is None or tag in memory.tags)
            and (min_importance is None or (memory.importance or 0.0) >= min_importance)
            and (min_confidence is None or (memory.confidence or 0.0) >= min_confidence)
        )

    memories = oxsoul_index.order(one for one in found.memories if wanted(one))
    if as_json:
        oxsoul_text.print_memories(place, memories, found.problems)
        return
    pages.show(oxsoul_text.listing(memories, found.problems))


@command.command(name="index")
@place_options
@json_option
def index(
    store: str | None, project: str | None, employee: str | None, engine: str | None, as_json: bool
) -> None:  # fmt: skip
    """Rebuild the index MEMORY.md of a place; without one, of every place of the store.

    \b
    Example:
      soulsync oxsoul index
    """
    from soulsync.stores.oxsoul import places, reading, writing

    place = place_of(store, project, employee, engine)
    named = any(one is not None for one in (project, employee, engine))
    with soul_locked(place.root), writing.locked(place.root):
        asked = [place] if named else places.every(place.root)
        held = [one for one in asked if reading.names(one.folder) or one.index_file.exists()]
        written = [(one, writing.rebuild(one)) for one in held]
    if as_json:
        print_json([{"path": str(one.index_file), "memories": count} for one, count in written])
        return
    for one, count in written:
        say(tr("{path}: {count} memories.", path=one.index_file, count=count))
    if not written:
        say(tr("There is no memory yet in {path}.", path=place.folder))


@command.command(name="trash")
@click.argument("name")
@place_options
@json_option
def trash(
    name: str, store: str | None, project: str | None, employee: str | None, engine: str | None, as_json: bool
) -> None:  # fmt: skip
    """Move the memory NAME into the trash of the store, from where `restore` brings it back.

    \b
    Example:
      soulsync oxsoul trash prefers-pnpm
    """
    from soulsync.stores.oxsoul import trash as bin_

    place = place_of(store, project, employee, engine)
    with soul_locked(place.root):
        there = bin_.put(place, name)
    if as_json:
        print_json({"trashed": name, "name_in_trash": there})
    else:
        say(tr("{name} is in the trash; `soulsync oxsoul restore {there}` brings it back.", name=name, there=there))


@command.command(name="restore")
@click.argument("name")
@store_option
@click.option("--rename", is_flag=True, help="Under another name where the old one is taken.")
@json_option
def restore(name: str, store: str | None, rename: bool, as_json: bool) -> None:
    """Bring the memory NAME back from the trash to where it came from.

    \b
    Example:
      soulsync oxsoul restore prefers-pnpm
    """
    from soulsync.stores.oxsoul import places
    from soulsync.stores.oxsoul import trash as bin_

    root = places.home(store)
    with soul_locked(root):
        place, there = bin_.restore(root, name, rename=rename)
    if as_json:
        print_json({"restored": there, "scope": place.scope})
    else:
        say(tr("{name} is back in {path}.", name=there, path=place.folder))


@command.command(name="validate")
@place_options
@json_option
def validate(
    store: str | None, project: str | None, employee: str | None, engine: str | None, as_json: bool
) -> int:  # fmt: skip
    """Check the store, or one place of it, against the format; nothing is changed. Exit code 1 when something is wrong.

    \b
    Example:
      soulsync oxsoul validate
    """
    from soulsync.cli import pages
    from soulsync.stores.oxsoul import checking

    place = place_of(store, project, employee, engine)
    found = checking.check(place.root, place if place.below else None)
    if as_json:
        print_json({"ok": not found, "findings": [one.as_json() for one in found]})
    elif found:
        lines = ((f"{one.path}:{one.line}" if one.line else one.path, one) for one in found)
        pages.show(printable(f"{where}: {one.message} [{one.rule}]") for where, one in lines)
    else:
        say(tr("Nothing is wrong in {path}.", path=place.folder))
    return 1 if found else 0


def _add_writing_commands() -> None:
    from soulsync.cli import oxsoul_add, oxsoul_import

    command.add_command(oxsoul_add.command)
    command.add_command(oxsoul_import.command)


_add_writing_commands()
