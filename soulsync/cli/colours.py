"""Colours of a terminal for commands that start without click; the same bytes as ``click.style``."""

from __future__ import annotations

import sys

_COLOURS = {"red": "\x1b[31m", "green": "\x1b[32m", "yellow": "\x1b[33m"}
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def style(text: str, fg: str | None = None, *, bold: bool = False) -> str:
    """``text`` in a colour, or bold, on a terminal; plain elsewhere."""
    begin = (_COLOURS[fg] if fg else "") + (_BOLD if bold else "")
    return f"{begin}{text}{_PLAIN}" if begin and sys.stdout.isatty() else text
