"""The public half of a key as a person takes it to the server: in a box by itself, and where it goes.

The line is printed whole and stands alone between two rules: a terminal that folds it still copies it as one line,
which side walls or our own line breaks would spoil.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from typing import TYPE_CHECKING

import click

from soulsync.access.forge import forge_of, settings_page
from soulsync.cli.context import say
from soulsync.cli.pages import wants_colour
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.access.address import Remote

WIDEST = 72
QR_BORDER = 1
"""A public key's code is 37 modules wide; with this border it still fits 40 columns."""


def show(line: str, remote: Remote | None, *, qr: bool = False) -> None:
    """Print the public key ``line`` and the way to the page of ``remote`` that takes it; ``qr``: as codes too."""
    rule = _rule()
    say(rule)
    say(line)
    say(rule)
    for text in way(remote):
        tell(text)
    if qr:
        _show_codes(line, settings_page(remote))


def way(remote: Remote | None) -> list[str]:
    """How the key is added there, step by step; an address stands on a line of its own."""
    forge, page = forge_of(remote), settings_page(remote)
    if remote is None or remote.host is None:
        return [tr("Add it to the repository as a deploy key, and allow write access.")]
    if forge is None or page is None:
        return [
            tr("Add it to {repo} on {host} as a deploy key (an access key), and allow write access.",
               repo=remote.path, host=remote.where),
            tr("On a server of your own, put the line in a file there and run:"),
            f"  soulsync remote authorize {_path_there(remote)} --key FILE",
        ]  # fmt: skip
    if not forge.writes:
        return [
            tr("Where {forge} takes keys for one repository:", forge=forge.name),
            f"  {page}",
            tr("Such a key may only read there, and a soul must write. Add it to an account or workspace instead, "
               "which opens all of its repositories, or host the soul elsewhere."),
        ]  # fmt: skip
    return [
        tr("1. Open:"),
        f"  {page}",
        tr("2. Paste the line above as the key."),
        tr("3. Allow write access: tick “{word}”.", word=forge.write_word),
    ]


def _path_there(remote: Remote) -> str:
    """The repository as a command on the server names it; ``/srv/…`` is one, ``kaoru.soul`` depends on the folder."""
    return shlex.quote(remote.path) if remote.path.startswith("/") else "PATH"


def waiting() -> str:
    """What a person should know while the server is asked again and again."""
    return tr("Waiting for it; this goes on by itself. Ctrl-C stops, the same command continues.")


def tell(text: str) -> None:
    """A sentence, folded between words on a terminal that is narrower; an indented line is left whole."""
    if not sys.stdout.isatty() or text.startswith(" "):
        say(text)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console()
    say("\n".join(line.plain.rstrip() for line in Text(text).wrap(console, console.width)))


def _rule() -> str:
    """What the key stands between: a line on a terminal, an empty line in a pipe."""
    return "─" * min(shutil.get_terminal_size().columns, WIDEST) if sys.stdout.isatty() else ""


def _show_codes(line: str, page: str | None) -> None:
    kind, base64 = line.split()[:2]
    say("")
    tell(tr("The key, for a phone:"))
    _show_code(f"{kind} {base64}")
    if page is not None:
        tell(tr("The page:"))
        _show_code(page)


def _show_code(text: str) -> None:
    import io

    import segno

    code = segno.make(text, error="l", boost_error=False)
    width = code.symbol_size(border=QR_BORDER)[0]
    if sys.stdout.isatty() and width > shutil.get_terminal_size().columns:
        tell(tr("The terminal is too narrow for the code: {width} columns are needed.", width=width))
        return
    drawn = io.StringIO()
    code.terminal(drawn, border=QR_BORDER, compact=True)
    for row in drawn.getvalue().splitlines():  # what is drawn is the light part: right on light terminals too
        click.echo(click.style(row, fg="bright_white", bg="black"), color=None if wants_colour() else False)
