"""Text broken to the columns of a terminal; a Chinese character takes two."""

from __future__ import annotations


def rows(text: str, width: int) -> list[str]:
    """One line of text in rows of at most ``width`` columns, broken at blanks where there are any."""
    from rich.console import Console
    from rich.text import Text

    console = Console(width=width, no_color=True, highlight=False)
    return [line.plain.rstrip() for line in Text(text).wrap(console, width)]
