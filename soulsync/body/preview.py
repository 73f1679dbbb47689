"""``sync --dry-run``: what a round would do, without changing a file or a ref."""

from __future__ import annotations

from soulsync.body.remote import connect, remote_of
from soulsync.body.result import COMMITTED, MERGED, PULLED, PUSHED, UNCHANGED, SyncResult
from soulsync.body.sync import open_soul
from soulsync.repo import leftovers, snapshot, status
from soulsync.repo.paths import shown
from soulsync.repo.soul import SEEN_REF
from soulsync.repo.worktree import WorkTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.body.home import Home


def preview(home: Home, config: Config) -> SyncResult:
    """What a sync would commit and leave out, and how it would end, as far as the remote's tip alone tells."""
    soul = open_soul(home, config)
    leftovers.refuse_open_work(soul)
    worktree = WorkTree(soul.root, soul.staging)
    found = status.read(soul)
    leftovers.refuse_unmerged(found.unmerged)
    taken = snapshot.take(soul, worktree, found, config.body)
    result = SyncResult(config.agent, config.body, head=soul.head)
    result.committed = sorted(shown(path) for path in taken.edits)
    result.skipped = [{"path": shown(s.path), "reason": s.reason} for s in taken.skipped]
    result.warnings = list(taken.warnings)
    remote = remote_of(config)
    tip = seen = soul.ref(SEEN_REF)
    if remote is not None:
        with connect(soul.git, remote, home, config) as connection:
            tip = connection.list().main
    ours = bool(taken.edits) or (remote is not None and soul.head != seen)
    theirs = tip != seen
    if remote is None:
        result.outcome = COMMITTED if ours else UNCHANGED
    else:
        result.outcome = {
            (True, True): MERGED, (True, False): PUSHED, (False, True): PULLED, (False, False): UNCHANGED,
        }[ours, theirs]  # fmt: skip
    return result
