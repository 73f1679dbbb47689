"""The consolidation lease (soul-repo-v4 §3.6): pushing it with success is holding it, compare and swap."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from soulsync import spec
from soulsync.body.state import LeaseSight
from soulsync.body.sync import SyncRun
from soulsync.errors import LeaseHeldError
from soulsync.formats import lease as lease_format
from soulsync.formats.instants import timestamp
from soulsync.formats.lease import Lease
from soulsync.formats.text import Malformed
from soulsync.lang import tr
from soulsync.repo import commit, objects
from soulsync.repo.objects import BLOB, Entry

if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.body.engine import Engine
    from soulsync.body.home import Home
    from soulsync.body.remote import Connection, Heads

TAKE_OVER_MS = 5 * 60 * 1000
"""How long after its end another body's lease is taken over: clocks differ by minutes."""
UNCHANGED_SECONDS = 35 * 60
"""Another body's lease that we saw unchanged for so long is over, whatever its clock says."""


@dataclass(frozen=True, slots=True)
class Held:
    """The lease that this body holds now; ``until`` in milliseconds since the epoch."""

    body: str
    until: int

    def as_json(self) -> dict[str, Any]:
        """The keys of ``lease status --json``."""
        return {"held": True, "body": self.body, "until": timestamp(self.until), "mine": True, "expired": False}


def acquire(home: Home, config: Config) -> Held:
    """Take the lease, or renew it. Raises ``LeaseHeldError`` (6) when another body holds it."""
    run = _LeaseRun(home, config)
    run.execute()
    return Held(config.body, run.until)


def release(home: Home, config: Config) -> bool:
    """Give the lease back; False when this body held none."""
    run = _LeaseRun(home, config, give_back=True)
    run.execute()
    return run.changed


class _LeaseRun(SyncRun):
    """A sync whose push is the lease commit, made on the fetched tip and adopted only when the push succeeds.

    So a lease that was not pushed never exists in our history.
    """

    def __init__(self, home: Home, config: Config, *, give_back: bool = False) -> None:
        super().__init__(home, config)
        self.give_back = give_back
        self.until = 0
        self.changed = False

    def exchange(self, engine: Engine, connection: Connection, heads: Heads) -> None:
        """Bring in what is new, then push the lease on top of the remote's tip; again when somebody was faster."""
        if self.changed:
            super().exchange(engine, connection, heads)
            return
        while True:
            self.bring_in(engine, connection, heads)
            tip = heads.main
            if tip is None:  # an empty remote gets the soul first
                super().exchange(engine, connection, heads)
                heads = connection.list()
                continue
            new = self._lease_commit(engine, tip)
            if new is None:
                return
            failed = connection.push(new)
            if failed is None:
                self._adopt(engine, new)
                return
            before, heads = heads, connection.list()
            if heads.main == new:
                self._adopt(engine, new)
                return
            self.lost_race(connection, failed, before, heads)

    def without_remote(self, engine: Engine) -> None:
        """A local soul has one body: the lease is a commit like any other."""
        head = engine.soul.head
        new = self._lease_commit(engine, head) if head else None
        if new is not None:
            self.integrate(engine, new)
            self.changed = True

    def _adopt(self, engine: Engine, new: str) -> None:
        self.integrate(engine, new)
        self.result.pushed = self.changed = True

    def _lease_commit(self, engine: Engine, tip: str) -> str | None:
        """The commit on ``tip`` that takes or gives back the lease; None when there is nothing to give back."""
        tree = objects.tree_of(engine.soul.repo, tip)
        held = _read(objects.file_at(engine.soul.repo, tree, spec.LEASE_JSON))
        if self.give_back:
            if held is None or held.body != self.config.body:
                return None
            edit, what = None, "释放整理租约"
        else:
            self._refuse_if_held(held)
            self.until = int(time.time() * 1000) + spec.LEASE_MS
            data = lease_format.render(Lease(self.config.body, self.until))
            edit, what = Entry(BLOB, objects.write_blob(engine.soul.repo, data)), "取得整理租约"
        changed = objects.edit(engine.soul.repo, tree, {spec.LEASE_JSON: edit})
        return commit.create(engine.soul, engine.author(tree), what, changed, [tip])

    def _refuse_if_held(self, held: Lease | None) -> None:
        if held is None or held.body == self.config.body:
            return
        sight = _sighted(self.home, held)
        if time.time() * 1000 < held.until + TAKE_OVER_MS and sight < UNCHANGED_SECONDS:
            raise LeaseHeldError(
                tr("The body {body} holds the lease until {until}.", body=held.body, until=timestamp(held.until)),
                tr("Try again after that."),
            )


def _read(data: bytes | None) -> Lease | None:
    try:
        return lease_format.parse(data) if data is not None else None
    except Malformed:
        return None


def _sighted(home: Home, held: Lease) -> float:
    """Seconds of this machine's own steady clock since we first saw exactly this lease."""
    boot, now = _boot(), _steady()
    seen = LeaseSight.load(home)
    mark = lease_format.render(held).hex()
    if (seen.lease, seen.boot) != (mark, boot) or seen.seen is None or seen.seen > now:
        LeaseSight(mark, boot, now).save(home)
        return 0.0
    return now - seen.seen


def _boot() -> str:
    """What tells one run of this machine from the next; the steady clock starts anew with each."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return "this boot"


def _steady() -> float:
    """Seconds that go on while the machine sleeps, where the system has such a clock."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)
