"""How ``init`` ends: the recurring sync, and what it says or prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from soulsync.access.forge import forge_of, settings_page
from soulsync.access.key import fingerprint
from soulsync.cli import key_box
from soulsync.cli.context import print_json, say
from soulsync.errors import SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.connect import Setup
    from soulsync.body.result import SyncResult
    from soulsync.cli.init import Manner
    from soulsync.cli.init_talk import Talk


def schedule(setup: Setup, manner: Manner, result: SyncResult) -> str | None:
    """Install the recurring sync where that is wanted, or agreed to; by what it runs, None where nothing does it."""
    from soulsync.body import schedule as recurring
    from soulsync.body.schedule.record import Schedule

    standing = Schedule.load(setup.home).backend
    if standing is not None or setup.remote is None or manner.schedule is False:
        return standing
    question = tr("Sync every 5 minutes from now on?")
    if manner.schedule is None and not (manner.asks and click.confirm(question, default=True)):
        return None
    try:
        done = recurring.install(setup.home, setup.config)
    except SoulSyncError as e:
        if manner.schedule:
            if not manner.as_json:
                tell(setup, result, None)  # the body is connected, whatever becomes of its schedule
            raise
        key_box.tell(str(e))  # asked by the way: the body is connected all the same
        return None
    if not manner.as_json:
        for note in done.notes:
            key_box.tell(note)
    return done.backend


def tell(setup: Setup, result: SyncResult, scheduled: str | None) -> None:
    """Say where the body stands now, and what comes next."""
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


def show_json(talk: Talk, outcome: str, warnings: list[str] | None = None, scheduled: str | None = None) -> None:
    """Print what a program needs, also after a failure."""
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
