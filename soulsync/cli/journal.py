"""``soulsync journal``: this body's journal."""

from __future__ import annotations

import click

from soulsync.cli.context import body_of, print_json, say
from soulsync.cli.texts import after_writing, json_option, sync_option, text_or_editor
from soulsync.lang import tr


@click.group(name="journal", short_help="This body's journal; reading those of all bodies.")
def command() -> None:
    """This body's journal: sections with the local time, one file a day, only ever appended to.

    \b
    Example:
      soulsync journal write "Morning" "Talked about the trip."
    """


@command.command(name="write")
@click.argument("title")
@click.argument("text", required=False)
@sync_option
@json_option
@click.pass_context
def write(ctx: click.Context, title: str, text: str | None, at_once: bool, as_json: bool) -> int:
    """Append a section to today's journal: TEXT, or - for standard input, or what you write in $EDITOR.

    \b
    Example:
      soulsync journal write "Evening" "Finished the report."
    """
    from soulsync.body import diary

    home, config = body_of(ctx)
    path = diary.write(home, config, title, text_or_editor(text))

    def told() -> None:
        if as_json:
            print_json({"path": path})
        else:
            say(tr("Written to {path}.", path=path))

    return after_writing(home, config, at_once, as_json, told)


@command.command(name="show")
@click.option("--day", metavar="YYYY-MM-DD", help="The day (default: today).")
@click.option("--body", metavar="B", help="Only this body's journal (default: all).")
@json_option
@click.pass_context
def show(ctx: click.Context, day: str | None, body: str | None, as_json: bool) -> None:
    """The journal of a day, of all bodies or one.

    \b
    Example:
      soulsync journal show --day 2026-11-30
    """
    from soulsync.body import diary
    from soulsync.cli import pages

    _, config = body_of(ctx)
    found = diary.read(config, day=day, body=body)
    if as_json:
        texts = [(path, data.decode("utf-8", "replace")) for path, data in found]
        print_json([{"path": path, "body": path.split("/")[1], "text": text} for path, text in texts])
    elif found:
        pages.show_text(b"\n".join(data for _, data in found))
    else:
        say(tr("Nothing was written that day."))
