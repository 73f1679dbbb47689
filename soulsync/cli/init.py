"""``soulsync init``: connect this machine as a body."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from soulsync.cli.context import print_json, say
from soulsync.errors import SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.connect import Setup
    from soulsync.errors import DeniedError


@click.command(name="init", short_help="Connect this machine as a body of an agent.")
@click.argument("remote", required=False)
@click.option("--body", metavar="NAME", help="Name of this body: a-z, 0-9 and - (default: this machine's name).")
@click.option("--agent", metavar="NAME", help="Name of the agent (default: from <agent>.soul.git).")
@click.option("--display-name", metavar="TEXT", help="The agent's name as people write it, for a new soul.")
@click.option(
    "--language",
    metavar="TAG",
    help="The agent's language, such as zh-CN, for a new soul (default: that of the messages).",
)
@click.option(
    "--dir", "folder", type=click.Path(path_type=Path), help="Where the soul shall lie (default: in the home folder)."
)
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    help="Seconds to wait for the key to be added (default: 600 on a terminal, else 0).",
)
@click.option("--port-443", is_flag=True, help="Reach the host's SSH at port 443.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    remote: str | None,
    body: str | None,
    agent: str | None,
    display_name: str | None,
    language: str | None,
    folder: Path | None,
    wait: float | None,
    port_443: bool,
    as_json: bool,
) -> None:
    """Connect this machine as a body of an agent.

    REMOTE is the SSH address of the agent's private repository. Without it a local soul begins; give it an
    address later with `soulsync remote set`. Running init again continues where it stopped.

    \b
    Example:
      soulsync init git@github.com:you/kaoru.soul.git --body laptop
    """
    from soulsync.body import connect, outfit
    from soulsync.cli import progress_bar

    wanted = connect.Wanted(remote, body, agent or ctx.obj["agent"], display_name, language, folder, port_443)
    setup = connect.prepare(wanted, ctx.obj["home"])
    if wait is None:
        wait = 600.0 if sys.stdin.isatty() and not as_json else 0.0

    def waiting(refusal: DeniedError) -> None:
        if not as_json:
            _show_key(setup, refusal, wait)

    try:
        with progress_bar.shown(wanted=not as_json):
            result = connect.finish(setup, wait=wait, waiting=waiting)
        outfit.put_on(setup.home, setup.config)
    except SoulSyncError as e:
        if as_json:
            _print_json(setup, e.outcome)  # a program needs the key most when the server does not know it yet
        raise
    if as_json:
        _print_json(setup, result.outcome)
        return
    where = tr("in step with {where}", where=setup.remote.where) if setup.remote else tr("without a remote so far")
    say(tr("{agent} now lives here as {body}, {where}.", agent=setup.config.agent, body=setup.config.body, where=where))
    say(tr("  soul: {soul}", soul=setup.config.soul))
    for warning in result.warnings:
        say(tr("  note: {warning}", warning=warning))


def _print_json(setup: Setup, outcome: str) -> None:
    print_json(
        {
            "agent": setup.config.agent,
            "body": setup.config.body,
            "remote": setup.config.remote,
            "dir": str(setup.config.soul),
            "public_key": setup.public_key,
            "outcome": outcome,
        }
    )


def _show_key(setup: Setup, refusal: DeniedError, wait: float) -> None:
    say(refusal.problem)
    say(tr("Add this line as a deploy key of that repository, with write access:"))
    say("")
    say(setup.public_key)
    say("")
    from soulsync.access.forge import settings_page

    page = settings_page(setup.remote)
    if page:
        say(tr("Paste it at {page} and tick “Allow write access”.", page=page))
    if wait:
        say(tr("Waiting up to {wait:.0f} seconds; this goes on by itself once the key is there.", wait=wait))
    sys.stdout.flush()  # also into a pipe, before the pause
