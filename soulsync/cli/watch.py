"""``soulsync watch``: the same as cron, in the foreground, at once when a file changes."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import time

import click

from soulsync.cli.context import body_of, printable
from soulsync.cli.seconds import Seconds


@click.command(name="watch", short_help="Sync in the foreground, at once when a file changes.")
@click.option("--every", default=300.0, show_default=True, type=Seconds(min=1), metavar="SECONDS",
              help="Sync this often, also when nothing changed here.")  # fmt: skip
@click.pass_context
def command(ctx: click.Context, every: float) -> None:
    """Sync whenever a file of the soul changes, and every so often; one line per event. SIGTERM ends it at once.

    \b
    Example:
      soulsync watch --every 60
    """
    from soulsync.body.watch import Watch

    def tell(text: str) -> None:
        sys.stdout.write(f"{time.strftime('%H:%M:%S')} {printable(text)}\n")
        sys.stdout.flush()

    Watch(*body_of(ctx), every, tell).run(_ready)


def _ready() -> None:
    """Tell systemd (``Type=notify``) that we are up: one datagram, sd_notify(3); its library does no more."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.sendto(b"READY=1", address.replace("@", "\0", 1) if address[0] == "@" else address)
