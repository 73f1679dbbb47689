"""``soulsync note``: shared notes."""

from __future__ import annotations

import click

from soulsync.cli.context import body_of, print_json, printable, say
from soulsync.cli.texts import after_writing, json_option, sync_option, text_or_editor
from soulsync.lang import tr


@click.group(name="note", short_help="Notes that all bodies share: write, list, show, move.")
def command() -> None:
    """Notes that all bodies share, one per topic, in folders by category: at most 4 levels, the note counted.

    \b
    Example:
      soulsync note write travel/kyoto "Kyoto in April, by train"
    """


@command.command(name="write")
@click.argument("topic")
@click.argument("text", required=False)
@click.option("--summary", metavar="TEXT", help="One line that says what the note is about.")
@sync_option
@json_option
@click.pass_context
def write(ctx: click.Context, topic: str, text: str | None, summary: str | None, at_once: bool, as_json: bool) -> int:
    """Write the note of TOPIC: TEXT, or - for standard input, or $EDITOR. An older text stays in the history.

    \b
    Example:
      soulsync note write travel/kyoto "By train" --summary "Spring trip"
    """
    from soulsync.body import notes

    home, config = body_of(ctx)
    path = notes.write(home, config, topic, text_or_editor(text), summary)

    def told() -> None:
        if as_json:
            print_json({"path": path})
        else:
            say(tr("Written to {path}.", path=path))

    return after_writing(home, config, at_once, as_json, told)


@command.command(name="list")
@json_option
@click.pass_context
def list_(ctx: click.Context, as_json: bool) -> None:
    """All notes with their summaries.

    \b
    Example:
      soulsync note list
    """
    from soulsync.body import notes
    from soulsync.cli import pages

    _, config = body_of(ctx)
    found = notes.listed(config)
    if as_json:
        print_json([{"path": item.path, "topic": item.topic, "summary": item.summary} for item in found])
        return
    pages.show(printable(f"{item.path}" + (f" — {item.summary}" if item.summary else "")) for item in found)


@command.command(name="show")
@click.argument("topic")
@json_option
@click.pass_context
def show(ctx: click.Context, topic: str, as_json: bool) -> None:
    """The note of TOPIC.

    \b
    Example:
      soulsync note show travel/kyoto
    """
    from soulsync.body import notes
    from soulsync.cli import pages

    path, data = notes.show(*body_of(ctx), topic)
    if as_json:
        print_json({"path": path, "text": data.decode("utf-8", "replace")})
    else:
        pages.show_text(data)


@command.command(name="move")
@click.argument("old")
@click.argument("new")
@sync_option
@json_option
@click.pass_context
def move(ctx: click.Context, old: str, new: str, at_once: bool, as_json: bool) -> int:
    """Move the note OLD to the topic NEW; edits that other bodies make meanwhile follow it.

    \b
    Example:
      soulsync note move kyoto travel/kyoto
    """
    from soulsync.body import notes

    home, config = body_of(ctx)
    source, target = notes.move(home, config, old, new)

    def told() -> None:
        if as_json:
            print_json({"from": source, "to": target})
        else:
            say(tr("Moved {old} to {new}.", old=source, new=target))

    return after_writing(home, config, at_once, as_json, told)
