"""Help pages that count the columns of a terminal: a Chinese character takes two, and click counts one."""

from __future__ import annotations

import re
import shutil
import unicodedata
from typing import TYPE_CHECKING

import click

from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterable

NARROWEST = 30
_FILL = "\ue000"
"""Stands behind a wide character while click wraps, so that its length is its width; of the private use area."""
_NOT_FIRST = "，。；：、！？）》”"
_NOT_LAST = "（《"
"""Signs that no line of Chinese begins or ends with."""
_WIDENED = re.compile(rf"{_FILL}|(?<=[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]) ")
"""What is taken out again: the fillings, and one space behind a character that stood alone or before another."""


class Formatter(click.HelpFormatter):
    """click's formatter, with its own words in the language in use."""

    def __init__(self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None) -> None:
        if width is None:  # click takes 50 columns at least; a phone has fewer
            width = max(min(shutil.get_terminal_size().columns, max_width or 80) - 2, NARROWEST)
        super().__init__(indent_increment, width, max_width)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The first line."""
        super().write_usage(prog, args, _filled(tr("Usage: ")) if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """The heading of a section."""
        spoken = {"Options": tr("Options"), "Commands": tr("Commands")}.get(heading, heading)
        self.write(" " * self.current_indent + tr("{heading}:", heading=spoken) + "\n")

    def write_text(self, text: str) -> None:
        """A text in paragraphs."""
        super().write_text(_filled(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Options or commands with what they do."""
        super().write_dl([(first, _filled(_spoken(second))) for first, second in rows], col_max, col_spacing)

    def getvalue(self) -> str:
        """The page."""
        return _WIDENED.sub("", super().getvalue())


class Context(click.Context):
    """A context whose help pages are written by :class:`Formatter`."""

    formatter_class = Formatter


def _filled(text: str) -> str:
    """``text`` with a second column behind every wide character: a space where a line may end there."""
    return "".join(
        c + (_FILL if after in _NOT_FIRST or c in _NOT_LAST else " ") if _is_wide(c) else c
        for c, after in zip(text, f"{text[1:]} ", strict=True)
    )


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _spoken(text: str) -> str:
    """What click itself says of an option."""
    if text == "Show this message and exit.":
        return tr("Show this message and exit.")
    return text.replace("[default: ", tr("[default: ")).replace("[required]", tr("[required]"))
