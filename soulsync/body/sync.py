"""One round of sync: commit, fetch, guard, merge, push, again when somebody was faster. What cron runs."""

from __future__ import annotations

import contextlib
import random
import time
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body import fill_in, guards, upkeep
from soulsync.body.engine import Engine
from soulsync.body.locks import sync_lock
from soulsync.body.opened import open_soul as open_soul
from soulsync.body.registration import sharing
from soulsync.body.remote import Heads, connect, remote_of
from soulsync.body.result import SyncResult
from soulsync.body.state import Known, Status
from soulsync.errors import BusyError, DeniedError, SoulSyncError, system_problem
from soulsync.lang import tr
from soulsync.repo.history import contains
from soulsync.repo.soul import FETCHED_REF, SEEN_REF, TRACKING_REF, Soul

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.body.config import Config
    from soulsync.body.home import Home
    from soulsync.body.remote import Connection, PushAhead, PushFailure
    from soulsync.body.transfer import Process

MAX_ATTEMPTS = 12
FIRST_PAUSE = 0.2
LONGEST_PAUSE = 6.0
MAX_ROUNDS = 3
"""How often one sync starts over because programs wrote while it settled (§4 rule 13)."""


class SyncRun:
    """The state of one round. ``result`` is filled as it goes, so that a failure still tells what was done.

    ``identity``: given when a body connects; the structure is then filled in, with this ``agent.json`` where none is.
    """

    def __init__(self, home: Home, config: Config, *, push: bool = True, identity: bytes | None = None) -> None:
        self.home, self.config, self.push = home, config, push
        self.identity = identity
        self.result = SyncResult(config.agent, config.body)
        self.engine: Engine | None = None
        self._known = Known()
        self._pulled = False
        self._looked = False
        self._bridges = False
        self._merges: set[str] = set()

    def execute(self) -> None:
        """Run the round under the sync lock and keep what came of it in ``state/status.json``.

        A run that finds the lock taken keeps nothing: the one that holds it will.
        """
        started = time.monotonic()
        try:
            with sync_lock(self.home), self._remembered(started):
                self._known = Known.load(self.home)
                with self._bridged():
                    self._round()
        except SoulSyncError as e:
            self._failed(e)
            raise
        if self.engine is not None:
            upkeep.begin(self.home, self.engine.soul)

    @contextlib.contextmanager
    def _remembered(self, started: float) -> Iterator[None]:
        try:
            yield
        except OSError as e:
            fault = SoulSyncError(tr("{problem}. Nothing was lost; try again.", problem=system_problem(e)))
            self._failed(fault)
            raise fault from e
        except BaseException as e:
            self._failed(e)
            self._settle_after(e)
            raise
        finally:
            self.result.seconds = round(time.monotonic() - started, 3)
            try:
                if self.engine is not None:
                    self.result.collect(self.engine.report, self.engine.soul.head, pulled=self._pulled)
            finally:
                Status.load(self.home).remember(self.home, self.result, pulled=self._pulled)

    @contextlib.contextmanager
    def _bridged(self) -> Iterator[None]:
        """Show the frameworks what came of the round, also where it failed: what was added here shall reach them."""
        try:
            yield
        except Exception:
            self._show()
            raise
        self._show()

    def _show(self) -> None:
        if self._bridges and self.engine is not None:
            with contextlib.suppress(SoulSyncError, OSError):
                self._carry(self.engine, pushing=False)

    def _carry(self, engine: Engine, *, pushing: bool) -> None:
        """Let the bridges of this body carry, and commit what they brought into the soul."""
        from soulsync.body.bridge import running  # a body without bridges never loads it

        if running.within(engine):
            engine.snapshot(pushing=pushing)

    def _settle_after(self, error: BaseException) -> None:
        """Look at what this run replaced, also when it fails: a program may have written into a file that came out."""
        if self.engine is not None and isinstance(error, Exception):
            with contextlib.suppress(SoulSyncError, OSError):
                self.engine.settle()

    def _failed(self, error: BaseException) -> None:
        stopped = not isinstance(error, Exception)
        self.result.error = tr("The sync was stopped.") if stopped else str(error) or type(error).__name__
        self.result.outcome = error.outcome if isinstance(error, SoulSyncError) else SoulSyncError.outcome

    def _round(self) -> None:
        remote = remote_of(self.config)
        self.engine = engine = Engine(self.home, self.config, open_soul(self.home, self.config))
        if remote is None:
            self._look(engine, pushing=False)
            self._complete(engine)
            self.without_remote(engine)
            self._refuse_unbegun(engine)
            return
        try:
            with connect(engine.soul.git, remote, self.home, self.config) as connection:
                self._exchange(engine, connection)
        except DeniedError:
            if not self._looked:
                self._look(engine, pushing=False)  # no key: local work is committed all the same, and waits
            raise
        self._refuse_unbegun(engine)

    def _refuse_unbegun(self, engine: Engine) -> None:
        """Nothing here and nothing there is no soul in step: ``init`` was cut off before it began one."""
        if engine.soul.head is None:
            raise SoulSyncError(
                tr("The soul has no commit yet."), tr("Run `soulsync init` again: it continues where it stopped.")
            )

    def without_remote(self, engine: Engine) -> None:
        """What is left to do for a soul that has no remote yet."""

    def _look(self, engine: Engine, *, pushing: bool) -> None:
        self._looked = True
        engine.prepare()
        engine.snapshot(pushing=pushing)
        self._bridges = self.home.bridges.exists()
        if self._bridges:
            self._carry(engine, pushing=pushing)

    def _exchange(self, engine: Engine, connection: Connection) -> None:
        fetch = connection.begin()  # the handshake runs while git looks at the work tree
        self._look(engine, pushing=self.push and self.identity is None)
        self.result.attempts = 1
        ahead = self._push_ahead(engine, connection, fetch)
        heads = self._heads(engine, connection) if connection.arrived(fetch) else connection.list()
        if ahead is not None:
            heads = self._pushed_ahead(engine, connection, ahead, heads)
        for _ in range(MAX_ROUNDS):
            self.exchange(engine, connection, heads)
            if not engine.settle():
                break
            engine.snapshot(pushing=self.push)
            heads = connection.list()

    def _heads(self, engine: Engine, connection: Connection) -> Heads:
        """What the fetch found."""
        tip = engine.soul.ref(FETCHED_REF)
        return Heads({spec.BRANCH: tip}) if tip else connection.list()

    def _push_ahead(self, engine: Engine, connection: Connection, fetch: Process) -> PushAhead | None:
        """Begin to send what is new here while the fetch still runs, where the remote most likely has nothing new.

        The server takes it only if its tip is still the one that passed the guards when it was last seen, and which
        ours contains; whatever else comes out is looked at by the usual steps.
        """
        soul = engine.soul
        seen, head = soul.ref(SEEN_REF), soul.head
        if (
            not self.push
            or self.identity is not None
            or not self._known.agent_id
            or seen is None
            or head in (None, seen)
        ):
            return None
        self._look_at_own_merges(engine, seen)
        head = soul.head or seen
        if not contains(soul, head, seen) or not connection.is_shared(fetch):
            return None
        return connection.push_ahead(head, seen)

    def _pushed_ahead(self, engine: Engine, connection: Connection, ahead: PushAhead, heads: Heads) -> Heads:
        """What came of it, as the heads of the remote: those that the fetch found, if it was not taken."""
        if heads.main is None or (heads.main != ahead.seen and not contains(engine.soul, heads.main, ahead.commit)):
            return heads  # the remote had moved on: it can't have been taken, and nobody waits for that
        if not connection.was_taken(ahead):
            return heads
        if heads.main in (ahead.seen, ahead.commit):
            self.pushed(engine, ahead.commit)
            return Heads({spec.BRANCH: ahead.commit})
        self.result.pushed = True  # and another body was faster with what comes on top
        return heads

    def exchange(self, engine: Engine, connection: Connection, heads: Heads) -> None:
        """Bring in what the remote has and send what it lacks, until both hold one tip."""
        while True:
            self.bring_in(engine, connection, heads)
            self._complete(engine)
            if self.push and engine.soul.head != heads.main:
                self._look_at_own_merges(engine, heads.main)
            head = engine.soul.head
            if head is None or head == heads.main or not self.push:
                return
            failed = connection.push(head)
            if failed is None:
                self.pushed(engine, head)
                return
            before, heads = heads, connection.list()
            if heads.main == head:  # it had arrived, only the answer was lost
                self.pushed(engine, head)
                return
            self.lost_race(connection, failed, before, heads)

    def _look_at_own_merges(self, engine: Engine, seen: str | None) -> None:
        from soulsync.body import foreign_merges  # a sync that has nothing to send loads neither this nor `merge`

        foreign_merges.look_at_own(engine, seen, self._merges)

    def lost_race(self, connection: Connection, failed: PushFailure, before: Heads, now: Heads) -> None:
        """Pause before the next try, longer each time; raises when it was no race, or one too many.

        A race is told by the remote's tip; the words for it differ (ad-m/github-push-action#61).
        """
        if now.main == before.main and not _sounds_like_a_race(failed.said):
            raise connection.meaning(failed)
        if self.result.attempts >= MAX_ATTEMPTS:
            raise BusyError(
                tr("Other bodies kept pushing first."), tr("Local work is committed; the next sync sends it.")
            )
        pause = min(FIRST_PAUSE * 2 ** (self.result.attempts - 1), LONGEST_PAUSE)
        self.result.attempts += 1
        time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - jitter, so that bodies do not collide again

    def bring_in(self, engine: Engine, connection: Connection, heads: Heads) -> None:
        """Fetch what is new, let the guards look at it, and merge it."""
        soul = engine.soul
        seen = soul.ref(SEEN_REF)
        guards.check_branches(heads, seen)
        if heads.main is None or heads.main == seen == soul.head:
            return
        if heads.main == seen and self._known.agent_id and soul.head and contains(soul, soul.head, seen):
            return
        if heads.main != seen or not self._known.agent_id:
            tip = connection.fetch() if not _has(soul, heads.main) else heads.main
            self._guard(engine, tip, seen)
        else:
            tip = heads.main
        self.integrate(engine, tip)

    def _guard(self, engine: Engine, tip: str, seen: str | None) -> None:
        soul, known = engine.soul, self._known
        guards.check_content(soul, tip, seen)
        guards.check_not_rewritten(soul, tip, seen)
        ours = known.agent_id or (guards.remote_id(soul, soul.head) if soul.head else None)
        theirs = guards.check_identity(soul, tip, ours, yields=self._never_pushed(soul, seen))
        if seen is not None and theirs is not None:
            tips = [t for t in (seen, soul.head) if t]
            known.roots = sorted({*known.roots, *guards.check_roots(soul, tip, tips, known.roots, theirs)})

    def _never_pushed(self, soul: Soul, seen: str | None) -> bool:
        """Whether our identity never reached the remote; ``state/`` may be lost, so what was seen there counts too."""
        return not self._known.pushed and (seen is None or guards.remote_id(soul, seen) is None)

    def integrate(self, engine: Engine, tip: str) -> None:
        """Merge ``tip``, which passed the guards, and remember it as seen."""
        from soulsync.body.targets import joined_onto, merged_with

        soul = engine.soul
        if soul.ref(SEEN_REF) is None:
            self.first_meeting(engine, tip)
        before = soul.head
        related = before is None or soul.repo.merge_base(before, tip) is not None
        whole = self._whole(engine, tip)
        if related:
            target = engine.move_to(merged_with(engine, whole), "sync")
            if target.merged:
                self._merges.add(target.commit)
        else:
            engine.move_to(joined_onto(engine, whole, unpushed=not self._known.pushed), "join")
            self._complete(engine, fill_in.new_identity(self.config.agent, None, None))
        self.remember(engine, tip)
        if soul.head != before:
            self._note_incoming(engine, before, tip)

    def first_meeting(self, engine: Engine, tip: str) -> None:
        """Look whether our name is free, or ours, before anything is merged: ``init`` may have been cut off.

        Raises ``NameTakenError`` (3) where another machine has it.
        """
        from soulsync.body import own_name  # needed once in the life of a body

        own_name.check(engine, tip, self.home)

    def _whole(self, engine: Engine, tip: str) -> str:
        """``tip``, or a commit on it that puts right what merges by other hands tore; what they dropped is reported."""
        soul, seen = engine.soul, engine.soul.ref(SEEN_REF)
        if seen == tip:
            return tip
        from soulsync.body import foreign_merges, torn

        arrived = foreign_merges.between(soul, seen, tip)
        if seen is not None:
            engine.report.warn(foreign_merges.dropped(soul, arrived))
        return torn.mended(engine, arrived, tip)

    def remember(self, engine: Engine, tip: str) -> None:
        """Note that the remote's tip is ``tip`` and passed the guards."""
        engine.soul.set_refs((SEEN_REF, TRACKING_REF, FETCHED_REF), tip)
        self._learn(engine, tip)

    def adopt_roots(self, engine: Engine, tip: str) -> None:
        """Take every root of ``tip`` for our own: a person said that its history is right."""
        self._known.roots = guards.new_roots(engine.soul, tip, [])
        self.remember(engine, tip)

    def _complete(self, engine: Engine, identity: bytes | None = None) -> None:
        """Fill in the structure, when this body connects."""
        identity = identity or self.identity
        if identity is not None:
            from soulsync.body.targets import filled_in

            engine.move_to(filled_in(engine, identity), "fill in")

    def _learn(self, engine: Engine, tip: str) -> None:
        """Remember what the next guard compares with: this remote, our id, the roots that belong to us."""
        soul, known = engine.soul, self._known
        if not known.roots:
            known.roots = guards.new_roots(soul, tip, [])
        remote_id = guards.remote_id(soul, tip)
        known.url = self.config.remote
        known.agent_id = remote_id or known.agent_id
        known.pushed = known.pushed or remote_id is not None
        known.save(self.home)

    def _note_incoming(self, engine: Engine, before: str | None, tip: str) -> None:
        from soulsync.repo import history

        exclude = (f"^{before}",) if before else ()
        self.result.incoming.extend(c.as_json() for c in history.commits(engine.soul, tip, *exclude, limit=1000))
        engine.report.warn(sharing(engine.soul))
        self._pulled = True

    def pushed(self, engine: Engine, head: str) -> None:
        """Remember that the remote now holds ``head``."""
        self.result.pushed = True
        self.remember(engine, head)


def _has(soul: Soul, commit: str) -> bool:
    """Whether the commit is complete here: only what a ref reaches is certain to have all its objects."""
    return commit in {soul.ref(FETCHED_REF), soul.ref(SEEN_REF), soul.ref(TRACKING_REF), soul.head}


def _sounds_like_a_race(said: str) -> bool:
    """Words of git for a push that met another one under way; the tip may not have moved yet (git 2.39, GitHub)."""
    return any(
        words in said for words in ("cannot lock ref", "fetch first", "non-fast-forward", "failed to update ref")
    )
