"""``soulsync key``: this body's deploy key, and the server's."""

from __future__ import annotations

import click

from soulsync.cli.context import body_of, print_json, say
from soulsync.cli.seconds import Seconds
from soulsync.cli.texts import json_option, on_terminal
from soulsync.errors import SoulSyncError
from soulsync.lang import tr


@click.group(name="key", short_help="This body's deploy key, and the server's host key.")
def command() -> None:
    """This body's deploy key: made on this machine, never copied to another.

    \b
    Example:
      soulsync key show
    """


@command.command(name="show")
@json_option
@click.pass_context
def show(ctx: click.Context, as_json: bool) -> None:
    """Print the public half of the key, the line to add as a deploy key with write access.

    \b
    Example:
      soulsync key show
    """
    from soulsync.access.key import fingerprint, public_line
    from soulsync.access.keyfile import ready

    home, _ = body_of(ctx)
    ready(home.key)
    line = public_line(home.key)
    if as_json:
        print_json({"public_key": line, "fingerprint": fingerprint(line)})
    else:
        say(line)


@command.command(name="verify")
@json_option
@click.pass_context
def verify(ctx: click.Context, as_json: bool) -> int:
    """Ask the server what the key may do; nothing is sent. Exit 4 when it may not write.

    \b
    Example:
      soulsync key verify
    """
    from soulsync.body import keys
    from soulsync.cli import key_box
    from soulsync.errors import DeniedError

    powers = keys.verify(*body_of(ctx))
    if as_json:
        print_json({"read": powers.read, "write": powers.write, "detail": powers.detail or None})
    elif powers.write:
        say(tr("The key may read and write."))
    else:
        say(tr("The key may only read.") if powers.read else tr("The server does not let this key in."))
        key_box.tell(powers.detail)
    return 0 if powers.write else DeniedError.exit_code


@command.command(name="rotate")
@click.option("--wait", type=Seconds(min=0), metavar="SECONDS",
              help="Seconds to wait for the new key to be added (default: 600 on a terminal, else 0).")  # fmt: skip
@click.option("--qr", is_flag=True, help="Show the key and the page as QR codes too, for a phone.")
@json_option
@click.pass_context
def rotate(ctx: click.Context, wait: float | None, qr: bool, as_json: bool) -> None:
    """Put a new key in the place of the old one, once the server lets it write. The old one works until then.

    \b
    Example:
      soulsync key rotate
    """
    from soulsync.body import keys
    from soulsync.cli.rotating import Teller

    rotation = keys.begin_rotation(*body_of(ctx))
    seconds = wait if wait is not None else 600.0 if on_terminal() and not as_json else 0.0
    teller = Teller(rotation, seconds, quiet=as_json, qr=qr)
    try:
        done = keys.finish_rotation(rotation, wait=seconds, waiter=teller)
    except SoulSyncError:
        if as_json:
            print_json({"public_key": rotation.public_key, "old_fingerprint": None, "in_use": False})
        raise
    finally:
        teller.clear()
    if as_json:
        print_json({"public_key": done.public_key, "old_fingerprint": done.old_fingerprint, "in_use": True})
        return
    say(tr("The new key is in use."))
    if done.old_fingerprint:
        say(tr("Delete the old deploy key at the server: {fingerprint}", fingerprint=done.old_fingerprint))


@command.command(name="trust-host")
@click.argument("fingerprint")
@click.pass_context
def trust_host(ctx: click.Context, fingerprint: str) -> None:
    """Accept the server's changed host key, if it is exactly the one with this FINGERPRINT (SHA256:…).

    \b
    Example:
      soulsync key trust-host SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU
    """
    from soulsync.body import keys

    for line in keys.trust_host(*body_of(ctx), fingerprint):
        say(tr("Pinned {key}.", key=line))
