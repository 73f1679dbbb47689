"""What every command needs: the body it works on, and how results leave the program."""

from __future__ import annotations

import json
import sys

from soulsync import spec
from soulsync.body import config as config_file
from soulsync.body import home as homes
from soulsync.lang import suggest
from soulsync.repo import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import click

    from soulsync.body.config import Config
    from soulsync.body.home import Home


def body_of(ctx: click.Context) -> tuple[Home, Config]:
    """The home and config that ``--home``, ``--agent`` and the environment name. Raises ``UsageError`` (2)."""
    return named_body(ctx.obj["home"], ctx.obj["agent"])


def named_body(folder: str | None, agent: str | None) -> tuple[Home, Config]:
    """The home and config of the body that these options, else the environment, name. Raises ``UsageError`` (2)."""
    home = homes.find(folder, agent)
    config = config_file.load(home)
    suggest(_language_of(config))
    return home, config


def _language_of(config: Config) -> object:
    """The agent's own language, spoken where neither the person nor the environment names one."""
    try:
        return json.loads(plain.read(config.soul / spec.AGENT_JSON)).get("language")
    except (OSError, ValueError, AttributeError, RecursionError):
        return None


def print_json(value: Any) -> None:
    """One JSON value on standard output; text of any language unescaped, but for what UTF-8 can't hold."""
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    sys.stdout.write(text.encode("utf-8", "backslashreplace").decode("utf-8"))  # a lone surrogate is \udc80 in JSON too


def say(text: str) -> None:
    """Lines for a person; control characters in content are escaped, odd bytes shown."""
    sys.stdout.write("".join(printable(line) + "\n" for line in text.split("\n")))


def complain(text: str) -> None:
    """One line on standard error."""
    sys.stderr.write(f"soulsync: {printable(text)}\n")


def printable(text: str) -> str:
    """``text`` without characters that move the cursor, change colours or the direction of writing.

    Blanks of any width stay, and the joiners that emoji and Persian are written with.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _HARMLESS else _escaped(c) for c in text)


_HARMLESS = "\t\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\u200c\u200d"


def _escaped(character: str) -> str:
    return "\ufffd" if "\ud800" <= character <= "\udfff" else character.encode("unicode_escape").decode("ascii")
