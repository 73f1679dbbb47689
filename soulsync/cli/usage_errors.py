"""click's complaints about a command line, in the language in use."""

from __future__ import annotations

import click

from soulsync.lang import language, tr


def told(error: click.ClickException) -> str:
    """One complaint, as a sentence: click leaves the last stop out here and there, and more is said behind it.

    English is click's own, which may differ by its version; what has no translation stays English.
    """
    text = _said(error)
    return text if not text or text[-1] in ".?!。？！" else text + ("." if text[-1].isascii() else "。")


def _said(error: click.ClickException) -> str:
    if language() == "en":
        return _in_one_line(error)
    if isinstance(error, click.NoSuchOption):
        return _with_guesses(tr("No such option {name!r}.", name=error.option_name), error.possibilities)
    command = getattr(error, "command_name", None)  # NoSuchCommand, from click 8.4
    if command is not None:
        return _with_guesses(tr("No such command {name!r}.", name=command), getattr(error, "possibilities", None))
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _of_parameter(error, error.param)
    return error.format_message()


def _in_one_line(error: click.ClickException) -> str:
    """click's own words; where an argument is missing that has choices, it puts each of them into a line."""
    said = error.format_message()
    return " ".join(said.split()) if isinstance(error, click.MissingParameter) else said


def _of_parameter(error: click.BadParameter, parameter: click.Parameter) -> str:
    name = parameter.get_error_hint(error.ctx) if error.ctx is not None else parameter.human_readable_name
    if not isinstance(error, click.MissingParameter):
        return tr("Invalid value for {name}: {reason}", name=name, reason=error.message)
    if isinstance(parameter, click.Argument):
        return tr("Missing argument {name}.", name=name)
    return tr("Missing option {name}.", name=name)


def _with_guesses(text: str, names: list[str] | None) -> str:
    return f"{text} {tr('Did you mean {names}?', names=', '.join(names))}" if names else text
