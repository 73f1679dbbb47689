"""``soulsync sync`` itself, without click, which a sync that cron starts every five minutes need not load."""

from __future__ import annotations

import contextlib

from soulsync.cli.context import complain, named_body, print_json, say
from soulsync.lang import tr, use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.body.home import Home
    from soulsync.body.plain_words import PlainWords
    from soulsync.body.result import SyncResult


class Wishes:
    """What the person asks of a sync.

    ``scheduled``: seconds to wait for this body's turn, where the schedule started it; None where a person did.
    ``prefix``: begins each complaint, which agent it is about, where there are several.
    """

    __slots__ = ("as_json", "dry_run", "prefix", "push", "quiet", "scheduled")

    def __init__(
        self,
        *,
        dry_run: bool = False,
        push: bool = True,
        quiet: bool = False,
        as_json: bool = False,
        scheduled: int | None = None,
        prefix: str = "",
    ) -> None:
        self.dry_run, self.push, self.quiet, self.as_json = dry_run, push, quiet, as_json
        self.scheduled, self.prefix = scheduled, prefix

    def about(self, agent: str) -> Wishes:
        """The same for one of several agents."""
        return Wishes(
            dry_run=self.dry_run, push=self.push, quiet=self.quiet, as_json=self.as_json,
            scheduled=self.scheduled, prefix=f"{agent}: ",
        )  # fmt: skip


PLAIN = Wishes()


def run(words: PlainWords) -> int:
    """Run ``sync`` as it was understood before click was loaded; the exit code."""
    use(words.lang)
    options = words.options
    wishes = Wishes(push="--no-push" not in options, quiet="--quiet" in options, as_json="--json" in options)
    return named(words.home, words.agent, wishes)


def named(folder: str | None, agent: str | None, wishes: Wishes) -> int:
    """Sync the body that the options ``--home`` and ``--agent`` name; the exit code. Raises ``UsageError`` (2)."""
    home, config = named_body(folder, agent)
    if wishes.scheduled is not None and not _has_its_turn(home, wishes.scheduled):
        return _commit_only(home, config)
    code, result = one(home, config, wishes)
    if wishes.as_json:
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


def everyone(folder: str | None, wishes: Wishes) -> int:
    """Every agent in turn; one that fails keeps no other from its sync. The code of the first failure."""
    from soulsync.body import home as homes

    first, results = 0, []
    base = homes.base(folder)
    for name in homes.agents(base):
        code, result = _one_of_many(homes.Home(base / name), wishes.about(name))
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
