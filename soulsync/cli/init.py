"""``soulsync init``: connect this machine as a body."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from soulsync.cli.context import print_json, say
from soulsync.cli.texts import on_terminal
from soulsync.errors import SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.connect import Setup
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
    type=click.FloatRange(min=0),
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
    from soulsync.cli import init_talk

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
    except SoulSyncError as e:
        if as_json:
            _print_json(talk, e.outcome)  # a program needs the key most when the server does not know it yet
        raise
    scheduled = _schedule(talk.setup, manner)
    if as_json:
        _print_json(talk, result.outcome, result.warnings, scheduled)
    else:
        _tell(talk.setup, result, scheduled)


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


def _schedule(setup: Setup, manner: Manner) -> str | None:
    """Install the recurring sync where that is wanted, or agreed to; by what it runs, None where nothing does it."""
    from soulsync.body import schedule
    from soulsync.body.schedule.record import Schedule
    from soulsync.cli import key_box

    standing = Schedule.load(setup.home).backend
    if standing is not None or setup.remote is None or manner.schedule is False:
        return standing
    question = tr("Sync every 5 minutes from now on?")
    if manner.schedule is None and not (manner.asks and click.confirm(question, default=True)):
        return None
    try:
        done = schedule.install(setup.home, setup.config)
    except SoulSyncError as e:
        if manner.schedule:
            raise
        key_box.tell(str(e))  # asked by the way: the body is connected all the same
        return None
    if not manner.as_json:
        for note in done.notes:
            key_box.tell(note)
    return done.backend


def _tell(setup: Setup, result: SyncResult, scheduled: str | None) -> None:
    from soulsync.cli import key_box

    config = setup.config
    where = tr("in step with {where}", where=setup.remote.where) if setup.remote else tr("without a remote so far")
    key_box.tell(tr("{agent} now lives here as {body}, {where}.", agent=config.agent, body=config.body, where=where))
    say(tr("  soul: {soul}", soul=config.soul))
    for warning in result.warnings:
        say(tr("  note: {warning}", warning=warning))
    if scheduled is not None:
        key_box.tell(tr("It syncs by itself ({backend}); `soulsync status` shows how it stands.", backend=scheduled))
    elif setup.remote is not None:
        key_box.tell(tr("Next: `soulsync schedule install` keeps it in step; `soulsync sync` does so once."))
    else:
        key_box.tell(tr("Next: `soulsync remote set ADDRESS` joins it to a repository."))


def _print_json(talk: Talk, outcome: str, warnings: list[str] | None = None, scheduled: str | None = None) -> None:
    from soulsync.access.forge import forge_of, settings_page
    from soulsync.access.key import fingerprint

    setup = talk.setup
    forge = forge_of(setup.remote)
    print_json(
        {
            "agent": setup.config.agent,
            "body": setup.config.body,
            "remote": setup.config.remote,
            "dir": str(setup.config.soul),
            "public_key": setup.public_key,
            "outcome": outcome,
            "fingerprint": fingerprint(setup.public_key),
            "settings_page": settings_page(setup.remote),
            "write_access": (forge.write_word or None) if forge is not None else None,
            "port_443": setup.config.port_443,
            "host_keys": talk.host_keys,
            "schedule": scheduled,
            "warnings": [*talk.warnings, *(warnings or [])],
        }
    )
