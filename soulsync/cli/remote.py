"""``soulsync remote``: the address of the soul, and a server for a home network."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from soulsync.cli import remote_server
from soulsync.cli.context import body_of, print_json, say
from soulsync.cli.seconds import Seconds
from soulsync.cli.texts import on_terminal
from soulsync.errors import UsageError
from soulsync.lang import tr


@click.group(name="remote", short_help="The soul's address; a git server of one's own.")
def command() -> None:
    """The soul's address, and a small SSH git server for demos, tests and a home network.

    \b
    Example:
      soulsync remote show
    """


@command.command(name="show")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def show(ctx: click.Context, as_json: bool) -> None:
    """Print the address that this body syncs with.

    \b
    Example:
      soulsync remote show
    """
    _, config = body_of(ctx)
    if as_json:
        print_json({"remote": config.remote})
    else:
        say(config.remote or tr("No remote yet: this is a local soul."))


@command.command(name="set")
@click.argument("url")
@click.option("--wait", metavar="SECONDS", type=Seconds(min=0),
              help="Seconds to wait for the key to be added (default: 600 on a terminal, else 0).")  # fmt: skip
@click.option("--qr", is_flag=True, help="Show the key and the page as QR codes too, for a phone.")
@click.option("--replace-body", is_flag=True, help="Take the name over from another machine, which is gone.")
@click.pass_context
def set_(ctx: click.Context, url: str, wait: float | None, qr: bool, replace_body: bool) -> None:
    """Make URL the address of the soul, checked like in init, and sync with it.

    A soul that began on this machine joins what is there without losing a line.

    \b
    Example:
      soulsync remote set git@github.com:you/kaoru.soul.git
    """
    from soulsync.body import fill_in, outfit, readdress
    from soulsync.cli import init_talk

    home, config = body_of(ctx)
    setup = readdress.towards(home, config, url, fill_in.new_identity(config.agent, None, None))
    seconds = wait if wait is not None else 600.0 if on_terminal() else 0.0
    talk = init_talk.Talk(setup, seconds, quiet=False, add_key=False, qr=qr)
    try:
        result = readdress.set_remote(config, setup, witness=talk, wait=seconds, replace_body=replace_body)
    finally:
        talk.clear()
    outfit.put_on(home, setup.config)
    say(tr("{agent} ({body}) is in step with {remote}.",
           agent=config.agent, body=config.body, remote=setup.config.remote))  # fmt: skip
    for warning in result.warnings:
        say(tr("  note: {warning}", warning=warning))


@command.command(name="accept")
@click.argument("commit")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def accept(ctx: click.Context, commit: str, yes: bool) -> None:
    """Adopt a remote whose history was rewritten; what only this body has is replayed on COMMIT, its new tip.

    \b
    Example:
      soulsync remote accept 3f2a91c0d1e2 --yes
    """
    from soulsync.body.readdress import accept as adopt

    home, config = body_of(ctx)
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError(tr("This replaces the history of this body."), tr("Say --yes if that is meant."))
        click.confirm(tr("Adopt {commit} as the history of {agent}?", commit=commit, agent=config.agent), abort=True)
    result = adopt(home, config, commit)
    say(
        tr(
            "{agent} ({body}) now stands on {head}; the old tip is kept as a rescue ref.",
            agent=config.agent,
            body=config.body,
            head=(result.head or "")[:7],
        )
    )


command.add_command(remote_server.create)
command.add_command(remote_server.authorize)


@command.command(name="serve")
@click.option("--root", required=True, type=click.Path(path_type=Path), help="Folder with the repositories.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=2222, show_default=True, type=click.IntRange(0, 65535), help="0: any free port.")
@click.option("--create", multiple=True, metavar="NAME", help="Make the repository NAME if it is not there yet.")
@click.option("--authorize", nargs=2, multiple=True, metavar="NAME KEYFILE", help="Let a public key into NAME.")
def serve(root: Path, host: str, port: int, create: tuple[str, ...], authorize: tuple[tuple[str, str], ...]) -> None:
    """Serve git repositories over SSH: public keys only, each tied to one repository, nothing else than git.

    \b
    Example:
      soulsync remote serve --root ~/souls --port 2222 --create kaoru.soul --authorize kaoru.soul laptop.pub
    """
    from soulsync.cli.serving import serve as run

    run(root, host, port, create, authorize)
