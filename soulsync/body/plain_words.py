"""Command lines that are understood before click is loaded, which takes 25 ms: those of cron and of a shell prompt."""

from __future__ import annotations

import sys

from soulsync.lang import LANGUAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_OPTIONS = {"sync": ("--quiet", "--json", "--no-push"), "status": ("--json",)}
"""Of each command those options that it is understood with."""
_VALUES = ("--home", "--agent", "--lang")


class PlainWords:
    """A command line: the ``command`` with its ``options``, and what ``--home``, ``--agent`` and ``--lang`` say."""

    __slots__ = ("agent", "command", "home", "lang", "options")

    def __init__(self, command: str, options: Sequence[str], values: dict[str, str]) -> None:
        self.command, self.options = command, frozenset(options)
        self.home, self.agent, self.lang = (values.get(name) for name in _VALUES)


def read(argv: Sequence[str]) -> PlainWords | None:
    """Understand a command line; None for one that click must read, a wrong one among them.

    With a closed stream, or one of another encoding, none is understood: on the way to click that is seen to.
    """
    if any(stream is None or stream.encoding != "utf-8" for stream in (sys.stdout, sys.stderr)):
        return None
    words, values = list(argv), {}
    while len(words) > 2 and words[0] in _VALUES:
        values[words[0]] = words[1]
        del words[:2]
    command, options = words[0] if words else "", words[1:]
    if command not in _OPTIONS or not set(options) <= set(_OPTIONS[command]):
        return None
    return PlainWords(command, options, values) if values.get("--lang", LANGUAGES[0]) in LANGUAGES else None
