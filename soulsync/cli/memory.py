"""``soulsync memory``: entries of the memories files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from soulsync.cli.context import body_of, print_json, printable, say
from soulsync.cli.texts import after_writing, json_option, sync_option, text_or_editor, user_option
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.group(name="memory", short_help="The agent's memories: list, add, replace, remove.")
def command() -> None:
    """The agent's memories, entry by entry; --user for those about the user.

    \b
    Example:
      soulsync memory add "The server room key hangs behind the door"
    """


@command.command(name="list")
@user_option
@json_option
@click.pass_context
def list_(ctx: click.Context, user: bool, as_json: bool) -> None:
    """The entries, in order.

    \b
    Example:
      soulsync memory list --user
    """
    from soulsync.body import memory
    from soulsync.cli import pages
    from soulsync.formats.entries import entry_hash

    found = memory.listed(*body_of(ctx), user=user)
    if as_json:
        print_json({"entries": [{"text": text, "hash": entry_hash(text)} for text in found]})
        return
    pages.show(line for number, text in enumerate(found, 1) for line in _numbered(number, text))


def _numbered(number: int, text: str) -> Iterator[str]:
    """An entry with its number; further lines stand below the first."""
    for i, line in enumerate(text.split("\n")):
        yield f"{number if i == 0 else '':>3}  {printable(line)}"


@command.command(name="add")
@click.argument("text", required=False)
@user_option
@sync_option
@json_option
@click.pass_context
def add(ctx: click.Context, text: str | None, user: bool, at_once: bool, as_json: bool) -> int:
    """Add an entry: TEXT, or - for standard input, or what you write in $EDITOR. Adding one twice changes nothing.

    \b
    Example:
      soulsync memory add "Prefers tea"
    """
    from soulsync.body import memory

    home, config = body_of(ctx)
    added = memory.add(home, config, text_or_editor(text), user=user)

    def told() -> None:
        if as_json:
            print_json({"added": added})
        else:
            say(tr("Added.") if added else tr("It is there already."))

    return after_writing(home, config, at_once, as_json, told)


@command.command(name="replace")
@click.argument("old")
@click.argument("new", required=False)
@user_option
@sync_option
@json_option
@click.pass_context
def replace(ctx: click.Context, old: str, new: str | None, user: bool, at_once: bool, as_json: bool) -> int:
    """Put NEW in place of the entry OLD: its whole text, or a part that no other entry holds.

    \b
    Example:
      soulsync memory replace "Prefers tea" "Prefers green tea"
    """
    from soulsync.body import memory

    home, config = body_of(ctx)
    if new is None:  # the editor shows the entry that is meant, and that very one is replaced
        old = memory.find(memory.listed(home, config, user=user), old)
    gone = memory.replace(home, config, old, text_or_editor(new, beginning=old), user=user)

    def told() -> None:
        if as_json:
            print_json({"replaced": gone})
        else:
            say(tr("Replaced: {text}", text=gone))

    return after_writing(home, config, at_once, as_json, told)


@command.command(name="remove")
@click.argument("old")
@user_option
@sync_option
@json_option
@click.pass_context
def remove(ctx: click.Context, old: str, user: bool, at_once: bool, as_json: bool) -> int:
    """Take out the entry OLD: its whole text, or a part that no other entry holds.

    \b
    Example:
      soulsync memory remove "Prefers tea"
    """
    from soulsync.body import memory

    home, config = body_of(ctx)
    gone = memory.remove(home, config, old, user=user)

    def told() -> None:
        if as_json:
            print_json({"removed": gone})
        else:
            say(tr("Removed: {text}", text=gone))

    return after_writing(home, config, at_once, as_json, told)
