"""One body at work on its soul: take what changed, bring in what arrived. Everything that touches files is here."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from soulsync import files, spec
from soulsync.body import believed, fill_in, replaced, subjects
from soulsync.body.locks import worktree_lock
from soulsync.body.registration import Registration
from soulsync.lang import tr
from soulsync.repo import checkout, commit, index, leftovers, objects, rescue, stale_writer, status
from soulsync.repo import snapshot as snapshots
from soulsync.repo.commit import Author
from soulsync.repo.intent import KEEP_STAGED, Intent, recover
from soulsync.repo.swap import MAX_PLACINGS
from soulsync.repo.worktree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Callable

    from soulsync.body.config import Config
    from soulsync.body.home import Home
    from soulsync.body.targets import Target
    from soulsync.repo.merge import Outcome
    from soulsync.repo.objects import Change, Entry
    from soulsync.repo.snapshot import Skipped
    from soulsync.repo.soul import Soul
    from soulsync.repo.status import Status
    from soulsync.repo.swap import Swap


@dataclass(slots=True)
class Report:
    """What one run did to the soul, collected as it goes."""

    committed: list[str] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    merged: bool = False

    def warn(self, texts: list[str]) -> None:
        """Add warnings, each once."""
        self.warnings.extend(text for text in texts if text not in self.warnings)


class Engine:
    """The soul of one body, with its work tree; the caller holds the sync lock."""

    def __init__(self, home: Home, config: Config, soul: Soul) -> None:
        self.home, self.config, self.soul = home, config, soul
        self.worktree = WorkTree(soul.root, soul.staging)
        self.intent = Intent(home.state / "checkout.json")
        self.report = Report()
        self._swaps: list[Swap] = replaced.load(home)
        self._flight: dict[str, Change] = {}
        self.registration = Registration(home, config, soul, self.worktree)
        self._believed = partial(believed.is_believed, home)

    # -- what a run before us left ------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Refuse what a person left open, free stale locks, understand a checkout that was cut off."""
        leftovers.refuse_open_work(self.soul)
        freed = leftovers.set_aside_locks(self.soul, self.home.state / "recovery")
        if freed:
            self.report.warn([tr("A killed git had left {freed} behind; it was set aside.", freed=", ".join(freed))])
        for folder in (self.home.root, self.home.state, believed.folder(self.home), self.soul.engine):
            files.sweep(folder)
        with worktree_lock(self.home):
            self.worktree.sweep(older=KEEP_STAGED)

    def _in_flight(self) -> dict[str, Change]:
        """What a checkout that was cut off was bringing in; one that had moved ``main`` already is finished here."""
        found = recover(self.soul, self.worktree, self.intent)
        self.report.warn(found.warnings)
        if not found.moved:
            return found.in_flight
        tree = objects.tree_of(self.soul.repo, self.soul.head) if self.soul.head else None
        if tree is not None:
            done = checkout.run(self.soul, self.worktree, tree, tree, intent=None, in_flight=found.in_flight)
            index.refresh(self.soul, done.absent)
            self._swaps.extend(done.swapped)
        self.intent.clear()
        return {}

    # -- from the work tree to commits ---------------------------------------------------------------------------

    def snapshot(self, *, pushing: bool = True) -> None:
        """Commit what changed in the work tree, and put back what may not vanish."""
        with worktree_lock(self.home):
            self._snapshot(pushing=pushing)

    def _snapshot(self, *, pushing: bool) -> None:
        self._flight = self._in_flight() if self.intent.file.exists() else {}
        found, taken = self._take()
        if found.clean and not (pushing and self.registration.is_due(anyway=False)):
            return
        self._note(taken)
        edits, restore = dict(taken.edits), set(taken.restore)
        if pushing and self.registration.is_due(anyway=bool(edits)):
            edits.update(fill_in.entries(self.soul.repo, {self.registration.path: self.registration.renewed()}))
            restore.add(self.registration.path)
        if edits:
            self._commit_edits(edits)
        if restore:
            self._put_back(restore)
        status.reveal(self.soul, taken.revealed)
        if edits or restore or found.staged or taken.revealed:
            index.refresh(self.soul)

    def _take(self) -> tuple[Status, snapshots.Snapshot]:
        """Look at the work tree; what a stale writer wrote over a replacement of this same run is joined first.

        Taken for what it seems to say, it would be committed as a deletion of what the replacement brought.
        """
        for _ in range(MAX_PLACINGS):
            again = stale_writer.look_again(self.worktree, self._swaps, self._believed)
            self._swaps += again
            if again:
                replaced.save(self.home, self._swaps)
            found = status.read(self.soul)
            leftovers.refuse_unmerged(found.unmerged)
            taken = snapshots.Snapshot()
            if not found.clean:
                taken = snapshots.take(self.soul, self.worktree, found, self.config.body, self._flight)
            late = [path for path, entry in taken.edits.items() if entry and self._is_late(path, entry)]
            if not late:
                break
        for path in late:
            del taken.edits[path]  # left for the next look
        return found, taken

    def _is_late(self, path: str, entry: Entry) -> bool:
        if not any(swap.path == path for swap in self._swaps):
            return False
        data = objects.read_blob(self.soul.repo, entry.id)
        return not self._believed(path, data) and stale_writer.written_late(self._swaps, path, data)

    def _note(self, taken: snapshots.Snapshot) -> None:
        self.report.skipped = list(taken.skipped)
        self.report.warn(taken.warnings)

    def _commit_edits(self, edits: dict[str, Entry | None]) -> None:
        head = self.soul.head
        parents = [head] if head else []
        old_tree = objects.tree_of(self.soul.repo, head) if head else None
        tree = objects.edit(self.soul.repo, old_tree, edits)
        if tree == old_tree:
            return
        new = commit.create(self.soul, self.author(tree), subjects.of(edits), tree, parents)
        self.soul.move_ref(spec.MAIN_REF, new, head, "commit")
        self.report.committed.extend(sorted(edits))

    def _put_back(self, paths: set[str]) -> None:
        head = self.soul.head
        tree = objects.tree_of(self.soul.repo, head) if head else None
        if tree is not None:
            done = checkout.run(self.soul, self.worktree, tree, tree, intent=None, force=frozenset(paths))
            self.report.warn(done.warnings)
            self._swaps.extend(done.swapped)

    # -- from a commit to the work tree --------------------------------------------------------------------------

    def author(self, tree: str | None) -> Author:
        """Who commits, by the ``agent.json`` of ``tree``."""
        identity = objects.file_at(self.soul.repo, tree, spec.AGENT_JSON) if tree else None
        return Author(fill_in.display_name(identity, self.config.agent), self.config.agent, self.config.body)

    def move_to(self, make: Callable[[str | None], Target], why: str) -> Target:
        """Bring ``main`` and the work tree to what ``make`` gives for the present tip.

        The work tree is looked at once more under its lock, so that what was written while the network worked is in the
        commit that ``make`` sees.
        """
        with worktree_lock(self.home):
            self._snapshot(pushing=False)
            head = self.soul.head
            target = make(head)
            if target.commit != head:
                self._check_out(head, target, why)
        self.report.outcomes.extend(target.outcomes)
        self.report.warn(target.warnings)
        self.report.merged = self.report.merged or target.merged
        return target

    def _check_out(self, head: str | None, target: Target, why: str) -> None:
        old = objects.tree_of(self.soul.repo, head) if head else None
        new = objects.tree_of(self.soul.repo, target.commit)
        stood = stale_writer.stood(self._swaps)
        newest = {swap.path: swap.new for swap in self._swaps}
        done = checkout.run(
            self.soul, self.worktree, old, new,
            intent=self.intent, in_flight=self._flight, stood=stood, newest=newest,
        )  # fmt: skip
        rescue.move_main(self.soul, target.commit, head, why)
        index.refresh(self.soul, done.absent)
        self._swaps.extend(done.swapped)
        if done.swapped:
            replaced.save(self.home, self._swaps)
        self.intent.clear()
        self.report.warn(done.warnings)

    # -- stale writers -------------------------------------------------------------------------------------------

    def settle(self) -> bool:
        """Read the replaced memories files once more (§4 rule 13); whether some were put in place again, and stayed."""
        if not self._swaps:
            return False
        swaps, self._swaps = self._swaps, []
        with worktree_lock(self.home):
            repaired = stale_writer.settle(self.worktree, swaps, self._believed, self._swaps)
            replaced.save(self.home, self._swaps)
        self.report.warn(
            [
                tr("{path} was overwritten by a program that had read it before the sync; both were joined.", path=path)
                for path in repaired
            ]
        )
        return bool(repaired) and not self._swaps
