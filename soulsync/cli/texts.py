"""Text from a person: an argument, standard input, or an editor; and what every writing command offers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from soulsync.errors import SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from soulsync.body.config import Config
    from soulsync.body.home import Home

MAX_INPUT = 16 * 1024 * 1024

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
user_option = click.option("--user", is_flag=True, help="The memories about the user (USER.md).")
sync_option = click.option("--sync", "at_once", is_flag=True, help="Sync at once.")


def soul_locked(path: Path) -> AbstractContextManager[None]:
    """Hold the work-tree lock of the soul of this machine that ``path`` lies in, if it lies in one (contract §4).

    So no sync commits a store half written. Raises ``BusyError`` (75) after 10 seconds.
    """
    from soulsync.body import live

    return live.locked(path, click.get_current_context().obj["home"])


def on_terminal() -> bool:
    """Whether a person sits there, to read and to answer."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def text_or_editor(text: str | None, *, beginning: str = "") -> str:
    """``text``; ``-`` reads standard input, and None too where that is no terminal; else ``$EDITOR`` opens.

    Raises ``SoulSyncError`` (1) when the editor fails or nothing was written.
    """
    if sys.stdin is None:  # started with standard input closed
        return text if text not in (None, "-") else ""
    if text == "-" or (text is None and not sys.stdin.isatty()):
        data = sys.stdin.buffer.read(MAX_INPUT + 1)
        if len(data) > MAX_INPUT:
            raise SoulSyncError(tr("The text is over 16 MiB."), tr("Nothing was written."))
        return data.decode("utf-8", "surrogateescape")
    if text is not None:
        return text
    try:
        written = click.edit(beginning, extension=".md")
    except click.ClickException as e:
        raise SoulSyncError(tr("The editor failed: {reason}.", reason=e.message), tr("Nothing was written.")) from e
    if written is None or not written.strip():
        raise SoulSyncError(tr("The editor left no text, or did not save it."), tr("Nothing was written."))
    return written


def after_writing(home: Home, config: Config, at_once: bool, as_json: bool, told: Callable[[], None]) -> int:
    """Tell what was done, and sync when that was asked for; the exit code. In JSON what was done is all."""
    told()
    if not at_once:
        return 0
    from soulsync.cli.sync_run import Wishes, one

    return one(home, config, Wishes(quiet=as_json))[0]
