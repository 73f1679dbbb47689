"""Help texts in the language in use: English in the code, translated as one when a command is looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator


def translate(command: click.Command) -> click.Command:
    """Set the help of a command, of its options and of the commands below it to the language in use."""
    for holder, name, english in texts(command):
        setattr(holder, name, tr(english))
    return command


def texts(command: click.Command) -> Iterator[tuple[object, str, str]]:
    """Every help text as (what holds it, its attribute, the English text)."""
    for holder in (command, *(p for p in command.params if isinstance(p, click.Option))):
        for name in ("help", "short_help"):
            english = _english(holder, name)
            if english:
                yield holder, name, english
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        yield from texts(below)


def _english(holder: object, name: str) -> str | None:
    """The text as the code has it, also after it was translated."""
    kept: dict[str, str | None] = holder.__dict__.setdefault("_english", {})
    return kept.setdefault(name, getattr(holder, name, None))
