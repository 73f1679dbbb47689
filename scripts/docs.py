"""Write docs/commands.md from the program's own help texts; ``--check`` only says whether it is up to date."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from soulsync import lang
from soulsync.cli.main import cli

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
WIDTH = 90


def page() -> str:
    """The whole page: every command with its help, as a terminal of 90 columns shows it."""
    lang.use("en")
    parts = ["# Commands\n\nMade by `scripts/docs.py` from the help texts; `soulsync COMMAND --help` says the same.\n"]
    for names, command in walk(("soulsync",), cli):
        context = click.Context(command, info_name=" ".join(names), max_content_width=WIDTH, terminal_width=WIDTH)
        parts.append(f"\n## {' '.join(names)}\n\n```\n{command.get_help(context)}\n```\n")
    return "".join(parts)


def walk(names: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """A command and those below it, in the order of the help."""
    yield names, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from walk((*names, name), below)


def main() -> int:
    """Write the page, or with ``--check`` compare it."""
    text = page()
    if "--check" in sys.argv:
        return 0 if PAGE.read_text("utf-8") == text else 1
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
