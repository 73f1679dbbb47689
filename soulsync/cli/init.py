"""``soulsync init``: connect this machine as a body."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from soulsync.cli.seconds import Seconds
from soulsync.cli.texts import on_terminal
from soulsync.errors import SoulSyncError

if TYPE_CHECKING:
    from soulsync.body.result import SyncResult
    from soulsync.cli.init_talk import Talk

WAIT_ON_TERMINAL = 600.0
"""Seconds that a person gets to add the key."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How ``init`` goes about it: what it asks, waits for, and does beside connecting."""

    wait: float
    asks: bool
    as_json: bool
    replace_body: bool
    schedule: bool | None


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
    metavar="SECONDS",
    type=Seconds(min=0),
    help="Seconds to wait for the key to be added (default: 600 on a terminal, else 0).",
)
@click.option("--port-443", is_flag=True, help="Reach the host's SSH at port 443.")
@click.option("--add-key", is_flag=True, help="Let GitHub's program gh add the key, with its own login.")
@click.option("--qr", is_flag=True, help="Show the key and the page as QR codes too, for a phone.")
@click.option("--replace-body", is_flag=True, help="Take the name over from another machine, which is gone.")
@click.option(
    "--schedule/--no-schedule",
    default=None,
    help="Let the machine sync every 5 minutes (default: asked on a terminal).",
)
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
    add_key: bool,
    qr: bool,
    replace_body: bool,
    schedule: bool | None,
    as_json: bool,
) -> None:
    """Connect this machine as a body of an agent.

    REMOTE is the SSH address of the agent's private repository, or OWNER/NAME at GitHub. Without it a local soul
    begins; give it an address later with `soulsync remote set`. Running init again continues where it stopped, and
    changes nothing that is done.

    \b
    Example:
      soulsync init git@github.com:you/kaoru.soul.git --body laptop
    """
    from soulsync.access import gh
    from soulsync.body import connect
    from soulsync.cli import init_end, init_talk

    asks = on_terminal() and not as_json
    manner = Manner(
        wait if wait is not None else WAIT_ON_TERMINAL if asks else 0.0, asks, as_json, replace_body, schedule
    )
    wanted = connect.Wanted(remote, body, agent or ctx.obj["agent"], display_name, language, folder, port_443)
    setup = connect.prepare(wanted, ctx.obj["home"], init_talk.ask_body if asks else None)
    if add_key:
        gh.check(setup.remote)
    talk = init_talk.Talk(setup, manner.wait, quiet=as_json, add_key=add_key, qr=qr)
    try:
        result = _finish(talk, manner)
        scheduled = init_end.schedule(talk.setup, manner, result)
    except SoulSyncError as e:
        if as_json:
            init_end.show_json(talk, e.outcome)  # a program needs the key most when the server does not know it yet
        raise
    if as_json:
        init_end.show_json(talk, result.outcome, result.warnings, scheduled)
    else:
        init_end.tell(talk.setup, result, scheduled)


def _finish(talk: Talk, manner: Manner) -> SyncResult:
    """Reach the soul; on a terminal, ask for another name where the wanted one is another machine's."""
    from soulsync.body import connect, outfit
    from soulsync.body.joining import NameTakenError
    from soulsync.cli import init_talk, progress_bar

    replace_body = manner.replace_body
    while True:
        try:
            with progress_bar.shown(wanted=not manner.as_json):
                result = connect.finish(talk.setup, wait=manner.wait, witness=talk, replace_body=replace_body)
        except NameTakenError as e:
            if not manner.asks:
                raise
            name = init_talk.ask_other_name(e)
            replace_body = name == e.body
            if not replace_body:
                talk.setup = connect.renamed(talk.setup, name)
            continue
        finally:
            talk.clear()
        outfit.put_on(talk.setup.home, talk.setup.config)
        return result
