"""Help texts in the language in use: English in the code, translated as one when a command is looked up."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import click

from soulsync.cli.wide_help import Context
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator


def translate(command: click.Command) -> click.Command:
    """Set the help of a command, of its options and of the commands below it to the language in use."""
    for holder, name, english in texts(command):
        setattr(holder, name, "\n\n".join(_spoken(paragraph) for paragraph in english.split("\n\n")))
        if isinstance(holder, click.Command):
            holder.context_class = Context
    return command


def texts(command: click.Command) -> Iterator[tuple[object, str, str]]:
    """Every help text as (what holds it, its attribute, the English text)."""
    for holder in (command, *(p for p in command.params if isinstance(p, click.Option))):
        for name in ("help", "short_help"):
            english = _english(holder, name)
            if english:
                yield holder, name, inspect.cleandoc(english)  # Python 3.13 strips the indentation itself
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        yield from texts(below)


def keys(english: str) -> list[str]:
    """The keys of a help text in the catalogue: each paragraph on one line; of an example its heading alone."""
    return [_key(paragraph)[0] for paragraph in english.split("\n\n")]


def _key(paragraph: str) -> tuple[str, str]:
    """What of a paragraph is translated, and the lines below it that stay; ``\\b`` is click's mark of such lines."""
    if not paragraph.startswith("\b\n"):
        return " ".join(paragraph.split()), ""
    heading, _, lines = paragraph.removeprefix("\b\n").partition("\n")
    return heading, lines


def _spoken(paragraph: str) -> str:
    key, lines = _key(paragraph)
    return f"\b\n{tr(key)}\n{lines}" if lines else tr(key)


def _english(holder: object, name: str) -> str | None:
    """The text as the code has it, also after it was translated."""
    kept: dict[str, str | None] = holder.__dict__.setdefault("_english", {})
    return kept.setdefault(name, getattr(holder, name, None))
