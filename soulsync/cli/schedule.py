"""``soulsync schedule``: the recurring sync of this body."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from soulsync.cli.context import body_of, print_json, say
from soulsync.cli.texts import json_option
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.body.schedule import State


@click.group(name="schedule", short_help="The recurring sync: by cron, systemd or launchd.")
def command() -> None:
    """The recurring sync of this body, started by cron, a systemd user timer or launchd.

    \b
    Example:
      soulsync schedule install --every 5m
    """


@command.command(name="install")
@click.option("--every", default="5m", show_default=True, metavar="INTERVAL", help="How often: 5m, 1h, 90s; up to 1d.")
@click.option(
    "--backend",
    type=click.Choice(["cron", "systemd", "launchd"]),
    help="What starts it (default: what this machine has).",
)
@json_option
@click.pass_context
def install(ctx: click.Context, every: str, backend: str | None, as_json: bool) -> None:
    """Sync this body by the clock. A schedule that is there already is replaced; what others scheduled stays.

    Each body has its turn at another moment, so that several machines do not push at once. After three failures in a
    row the schedule waits longer between tries, up to an hour; `soulsync status` says so, and a sync by hand ends it.

    \b
    Example:
      soulsync schedule install --every 10m
    """
    from soulsync.body import schedule
    from soulsync.body.schedule import interval

    done = schedule.install(*body_of(ctx), every, backend)
    if as_json:
        print_json({"backend": done.backend, "every": done.every, "where": done.where, "notes": done.notes})
        return
    say(tr("Syncs every {every} by {backend}.", every=interval.text(done.every), backend=done.backend))
    say(tr("  in: {where}", where=done.where))
    for note in done.notes:
        say(tr("  note: {warning}", warning=note))


@command.command(name="remove")
@json_option
@click.pass_context
def remove(ctx: click.Context, as_json: bool) -> None:
    """Take the recurring sync of this body out again. Running it twice does no harm.

    \b
    Example:
      soulsync schedule remove
    """
    from soulsync.body import schedule

    done = schedule.remove(body_of(ctx)[0])
    if as_json:
        print_json({"removed": done})
        return
    for line in done:
        say(f"  {line}")
    say(tr("No longer scheduled.") if done else tr("Nothing was scheduled."))


@command.command(name="show")
@json_option
@click.pass_context
def show(ctx: click.Context, as_json: bool) -> None:
    """Show the recurring sync of this body: what stands there, when it last ran, and what is wrong with it.

    \b
    Example:
      soulsync schedule show
    """
    from soulsync.body import schedule

    found = schedule.state(*body_of(ctx))
    if as_json:
        print_json(_as_json(found))
        return
    for line in _lines(found):
        say(line)


def _as_json(found: State) -> dict[str, object]:
    return {
        "backend": found.backend,
        "every": found.every,
        "where": found.where,
        "line": found.line,
        "last_run": found.last_run,
        "problems": [{"problem": problem, "remedy": remedy} for problem, remedy in found.problems],
    }


def _lines(found: State) -> Iterator[str]:
    from soulsync.body.schedule import interval
    from soulsync.cli.ages import ago

    if found.backend is None:
        yield tr("Nothing is scheduled. `soulsync schedule install` does it.")
    else:
        if found.every is not None:
            yield tr("Syncs every {every} by {backend}.", every=interval.text(found.every), backend=found.backend)
        else:
            yield tr("Syncs by {backend}.", backend=found.backend)
        yield tr("  in: {where}", where=found.where)
        yield tr("  last started: {when}", when=ago(found.last_run, time.time()))
        if found.backend == "cron":
            yield f"  {found.line}"
    for problem, remedy in found.problems:
        yield tr("  problem: {problem} {remedy}", problem=problem, remedy=remedy)
