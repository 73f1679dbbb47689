"""``soulsync doctor``: every reason why a sync could fail, each with its remedy."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from soulsync.cli.context import body_of, complain, print_json
from soulsync.cli.texts import json_option
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.doctor import Check
    from soulsync.body.home import Home


@click.command(name="doctor", short_help="Every reason why a sync could fail, each with its remedy.")
@click.option("--fix", is_flag=True, help="Repair what is safe to repair, and look again.")
@click.option("--offline", is_flag=True, help="Leave out what needs the network.")
@json_option
@click.pass_context
def command(ctx: click.Context, fix: bool, offline: bool, as_json: bool) -> int:
    """Look for every reason why a sync could fail: each check with its result and, where one is needed, the remedy.

    Merge drivers and hooks are tried by a real git in a throw-away work tree; access by a push that sends nothing.
    With --fix, file modes, drivers, hooks, settings, the fixed files and leftovers are put right; no ref is moved
    backwards, nothing is forced. Exit 0 when all is well, else 1.

    \b
    Example:
      soulsync doctor --fix
    """
    from soulsync.body.doctor import Visit, examine
    from soulsync.cli import doctor_text

    checks: list[Check] = []
    visit = Visit()
    told = 0
    for check in examine(_home(ctx), offline=offline, fix=fix, visit=visit):
        checks.append(check)
        if as_json:
            continue
        for line in visit.done[told:]:
            click.echo(doctor_text.repaired(line))
        told = len(visit.done)
        for line in doctor_text.lines(check):
            click.echo(line)
        sys.stdout.flush()  # also into a pipe: the next check may wait for the network
    sick = [check for check in checks if not check.finding.ok]
    if as_json:
        found = [check.as_json() for check in checks]
        print_json({"ok": not sick, "checks": found, "fixed": visit.done, "waiting": visit.waiting})
    elif sick:
        if visit.waiting:
            click.echo(tr("Not looked at until then: {names}.", names=", ".join(visit.waiting)))
        complain(
            tr(
                "{count} of {all} checks failed. Do what stands below each; `soulsync doctor --fix` does what is safe.",
                count=len(sick),
                all=len(checks),
            )
        )
    else:
        click.echo(tr("All {count} checks are well.", count=len(checks)))
    return 1 if sick else 0


def _home(ctx: click.Context) -> Home:
    """The body that is meant; also one whose config is damaged or lost."""
    from soulsync.body import home as homes
    from soulsync.errors import SoulSyncError, UsageError

    option, agent = ctx.obj["home"], ctx.obj["agent"]
    try:
        return body_of(ctx)[0]
    except UsageError:
        base = homes.base(option)
        lost = [folder for folder in (base.iterdir() if base.is_dir() else ()) if (folder / "id_ed25519").exists()]
        lost = [folder for folder in lost if agent in (None, folder.name) and not (folder / "config.toml").exists()]
        if len(lost) != 1:
            raise
        return homes.Home(lost[0])
    except (SoulSyncError, OSError):
        return homes.find(option, agent)
