"""How ``init`` ends: the recurring sync, and what it says or prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from soulsync.access.forge import forge_of, settings_page
from soulsync.access.key import fingerprint
from soulsync.cli import key_box
from soulsync.cli.context import print_json, say
from soulsync.errors import SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from soulsync.body.connect import Setup
    from soulsync.body.result import SyncResult
    from soulsync.cli.init import Manner
    from soulsync.cli.init_talk import Talk


class Scheduled(NamedTuple):
    """By what the recurring sync runs, None where nothing does it; ``failure``: what kept it from being installed."""

    backend: str | None = None
    failure: SoulSyncError | None = None


NOT_ASKED = Scheduled()


def schedule(setup: Setup, manner: Manner, result: SyncResult) -> Scheduled:
    """Install the recurring sync where that is wanted, or agreed to. The body is connected, whatever becomes of it."""
    from soulsync.body import schedule as recurring
    from soulsync.body.schedule.record import Schedule

    standing = Schedule.load(setup.home).backend
    if standing is not None or setup.remote is None or manner.schedule is False:
        return Scheduled(standing)
    question = tr("Sync every 5 minutes from now on?")
    if manner.schedule is None and not (manner.asks and click.confirm(question, default=True)):
        return NOT_ASKED
    try:
        done = recurring.install(setup.home, setup.config)
    except SoulSyncError as e:
        if manner.schedule:
            if manner.as_json:  # a person is told when all else is said
                result.warnings.append(str(e))
            return Scheduled(failure=e)
        key_box.tell(str(e))  # asked by the way
        return NOT_ASKED
    if not manner.as_json:
        for note in done.notes:
            key_box.tell(note)
    return Scheduled(done.backend)


def tell(setup: Setup, result: SyncResult, scheduled: Scheduled) -> None:
    """Say where the body stands now, and what comes next. Raises what kept a wanted schedule from being installed."""
    config = setup.config
    where = tr("in step with {where}", where=setup.remote.where) if setup.remote else tr("without a remote so far")
    key_box.tell(tr("{agent} now lives here as {body}, {where}.", agent=config.agent, body=config.body, where=where))
    say(tr("  soul: {soul}", soul=config.soul))
    for warning in result.warnings:
        say(tr("  note: {warning}", warning=warning))
    if scheduled.backend is not None:
        told = tr("It syncs by itself ({backend}); `soulsync status` shows how it stands.", backend=scheduled.backend)
        key_box.tell(told)
    elif setup.remote is not None:
        key_box.tell(tr("Next: `soulsync schedule install` keeps it in step; `soulsync sync` does so once."))
    else:
        key_box.tell(tr("Next: `soulsync remote set ADDRESS` joins it to a repository."))
    if scheduled.failure is not None:
        raise scheduled.failure


def show_json(talk: Talk, outcome: str, warnings: Iterable[str] = (), scheduled: Scheduled = NOT_ASKED) -> None:
    """Print what a program needs, also after a failure. Raises what kept a wanted schedule from being installed."""
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
            "schedule": scheduled.backend,
            "warnings": [*talk.warnings, *warnings],
        }
    )
    if scheduled.failure is not None:
        raise scheduled.failure
