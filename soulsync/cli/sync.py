"""``soulsync sync``: one round. What cron runs."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from soulsync.cli.context import body_of, complain, print_json, say
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.body.home import Home
    from soulsync.body.result import SyncResult


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the person asks of a sync."""

    dry_run: bool = False
    push: bool = True
    quiet: bool = False
    as_json: bool = False
    scheduled: int | None = None
    """Seconds to wait for this body's turn, where the schedule started it; None where a person did."""
    prefix: str = ""
    """Begins each complaint: which agent it is about, where there are several."""


PLAIN = Wishes()


@click.command(name="sync", short_help="One round: commit, fetch, merge, push.")
@click.option("--dry-run", is_flag=True, help="Only say what a sync would do; nothing is changed.")
@click.option("--no-push", is_flag=True, help="Commit and merge, but send nothing.")
@click.option("--all", "everyone", is_flag=True, help="Every agent on this machine, one after the other.")
@click.option("--quiet", is_flag=True, help="Say nothing unless something went wrong.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; with --all an array of them.")
@click.option("--scheduled", type=click.IntRange(0, 60), hidden=True)
@click.pass_context
def command(
    ctx: click.Context, dry_run: bool, no_push: bool, everyone: bool, quiet: bool, as_json: bool, scheduled: int | None
) -> int:
    """One round: commit what changed here, fetch, merge by the rules, push.

    `soulsync schedule install` repeats it by the clock. With --all one agent that fails keeps no other from its
    sync; the exit code is that of the first failure.

    \b
    Example:
      soulsync sync
    """
    wishes = Wishes(dry_run, not no_push, quiet, as_json, scheduled)
    if everyone:
        return _everyone(ctx, wishes)
    home, config = body_of(ctx)
    if scheduled is not None and not _has_its_turn(home, scheduled):
        return _commit_only(home, config)
    code, result = one(home, config, wishes)
    if as_json:
        print_json(result.as_json())
    return code


def _has_its_turn(home: Home, pause: int) -> bool:
    from soulsync.body.schedule.run import begin

    return begin(home, pause)


def _commit_only(home: Home, config: Config) -> int:
    """What is left of a round while the schedule keeps away from the server."""
    from soulsync.body.local_round import commit_here
    from soulsync.errors import BusyError

    with contextlib.suppress(BusyError):
        commit_here(home, config)
    return 0


def one(home: Home, config: Config, wishes: Wishes = PLAIN) -> tuple[int, SyncResult]:
    """Sync one body, or look what that would do; the exit code, and what came of it."""
    if wishes.dry_run:
        from soulsync.body.preview import preview

        result = preview(home, config)
        if not wishes.as_json:
            _foretell(result)
        return 0, result
    code, result = _sync(home, config, wishes)
    if not wishes.as_json and not wishes.quiet:
        _tell(home, config, result)
    return code, result


def _sync(home: Home, config: Config, wishes: Wishes) -> tuple[int, SyncResult]:
    from soulsync.body import journal_of_syncs, outfit
    from soulsync.body.sync import SyncRun
    from soulsync.cli import progress_bar
    from soulsync.errors import BusyError, SoulSyncError

    run = SyncRun(home, config, push=wishes.push)
    code = 0
    try:
        with progress_bar.shown(wanted=not (wishes.quiet or wishes.as_json)):
            run.execute()
        if outfit.check(config):
            outfit.put_on(home, config)
    except BusyError as e:
        if wishes.scheduled is None:  # else another run does this one's work, and nobody need read of it in a mail
            code = e.exit_code
            complain(f"{wishes.prefix}{e}")
    except SoulSyncError as e:
        code = e.exit_code
        complain(f"{wishes.prefix}{e}")
    journal_of_syncs.note(home, run.result)
    return code, run.result


def _everyone(ctx: click.Context, wishes: Wishes) -> int:
    """Every agent in turn; one that fails keeps no other from its sync. The code of the first failure."""
    from soulsync.body import home as homes

    first, results = 0, []
    base = homes.base(ctx.obj["home"])
    for name in homes.agents(base):
        code, result = _one_of_many(homes.Home(base / name), replace(wishes, prefix=f"{name}: "))
        results.append(result.as_json())
        first = first or code
    if wishes.as_json:
        print_json(results)
    return first


def _one_of_many(home: Home, wishes: Wishes) -> tuple[int, SyncResult]:
    """Sync one agent; whatever goes wrong with it is told and stays its own."""
    from soulsync.body import config as config_file
    from soulsync.body.result import SyncResult
    from soulsync.errors import SoulSyncError

    try:
        return one(home, config_file.load(home), wishes)
    except SoulSyncError as e:
        failed = SyncResult(home.agent, "", outcome=e.outcome, error=str(e))
        code = e.exit_code
    except Exception as e:  # a fault of one agent's folder, or of ours: the others can't wait for its repair
        reason = f"{e.strerror}: {e.filename}" if isinstance(e, OSError) and e.filename else f"{type(e).__name__}: {e}"
        failed = SyncResult(
            home.agent, "", outcome=SoulSyncError.outcome, error=tr("The sync broke off: {reason}.", reason=reason)
        )
        code = SoulSyncError.exit_code
    complain(f"{wishes.prefix}{failed.error}")
    return code, failed


def _foretell(result: SyncResult) -> None:
    from soulsync.cli import sync_text

    foretold = sync_text.outcome(result.outcome)
    say(tr("{agent} ({body}), if synced now: {outcome}", agent=result.agent, body=result.body, outcome=foretold))
    for path in result.committed:
        say(f"  {tr('to commit: {path}', path=path)}")
    for line in sync_text.left_out(result):
        say(f"  {line}")


def _tell(home: Home, config: Config, result: SyncResult) -> None:
    from soulsync.body.sync import open_soul
    from soulsync.cli import sync_text

    soul = open_soul(home, config) if result.incoming else None
    for line in sync_text.lines(result, soul):
        say(line)
