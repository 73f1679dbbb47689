"""One body at work on its soul: take what changed, bring in what arrived. Everything that touches files is here."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body import believed, fill_in, guards
from soulsync.body.locks import worktree_lock
from soulsync.formats import body as registry_format
from soulsync.formats.text import Malformed
from soulsync.repo import checkout, commit, leftovers, merge, objects, rescue, stale_writer, status
from soulsync.repo import snapshot as snapshots
from soulsync.repo.commit import Author
from soulsync.repo.intent import KEEP_STAGED, Intent, recover
from soulsync.repo.worktree import FILE, MISSING, WorkTree

if TYPE_CHECKING:
    from collections.abc import Callable

    from soulsync.body.config import Config
    from soulsync.body.home import Home
    from soulsync.repo.merge import Outcome
    from soulsync.repo.objects import Change, Entry
    from soulsync.repo.snapshot import Skipped
    from soulsync.repo.soul import Soul
    from soulsync.repo.swap import Swap

HOUR = 3600
SEEN_WITH_A_PUSH = 1 * HOUR
SEEN_BY_ITSELF = 24 * HOUR
"""The age of ``lastSeen`` at which a push that happens anyway renews it, and at which it is a push itself (§3.5)."""
SEEN_AHEAD = 600
"""Seconds that ``lastSeen`` may be ahead of our clock; more, and a clock was wrong once."""


@dataclass(slots=True)
class Report:
    """What one run did to the soul, collected as it goes."""

    committed: list[str] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    merged: bool = False
    arrived: bool = False

    def warn(self, texts: list[str]) -> None:
        """Add warnings, each once."""
        self.warnings.extend(text for text in texts if text not in self.warnings)


@dataclass(frozen=True, slots=True)
class Target:
    """A commit that ``main`` shall move to, and how it came about."""

    commit: str
    outcomes: list[Outcome] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    merged: bool = False


class Engine:
    """The soul of one body, with its work tree; the caller holds the sync lock."""

    def __init__(self, home: Home, config: Config, soul: Soul) -> None:
        self.home, self.config, self.soul = home, config, soul
        self.worktree = WorkTree(soul.root, soul.staging)
        self.intent = Intent(home.state / "checkout.json")
        self.report = Report()
        self._swaps: list[Swap] = []
        self._flight: dict[str, Change] = {}
        self._fingerprint: str | None = None
        self._believed = partial(believed.is_believed, home)

    # -- what a run before us left ------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Refuse what a person left open, free stale locks, understand a checkout that was cut off."""
        leftovers.refuse_open_work(self.soul)
        freed = leftovers.set_aside_locks(self.soul, self.home.state / "recovery")
        if freed:
            self.report.warn([f"A killed git had left {', '.join(freed)} behind; it was set aside."])
        self.worktree.sweep(older=KEEP_STAGED)

    def _in_flight(self) -> dict[str, Change]:
        """What a checkout that was cut off was bringing in, unless ``main`` already moved there."""
        flight, warnings = recover(self.soul, self.worktree, self.intent)
        self.report.warn(warnings)
        return flight

    # -- from the work tree to commits ---------------------------------------------------------------------------

    def snapshot(self, *, pushing: bool = True) -> None:
        """Commit what changed in the work tree, and put back what may not vanish."""
        with worktree_lock(self.home):
            self._snapshot(pushing=pushing)

    def _snapshot(self, *, pushing: bool) -> None:
        # What a stale writer wrote over a replacement of this same run must not be committed as its deletions.
        self._swaps += stale_writer.look_again(self.worktree, self._swaps, self._believed)
        self._flight = self._in_flight() if self.intent.file.exists() else {}
        found = status.read(self.soul, self.worktree)
        leftovers.refuse_unmerged(found.unmerged)
        if found.clean and not (pushing and self._seen_is_older_than(SEEN_BY_ITSELF)):
            return
        taken = snapshots.take(self.soul, self.worktree, found, self.config.body, self._flight)
        self._note(taken)
        edits, restore = dict(taken.edits), set(taken.restore)
        if pushing and self._renews_registry(bool(edits)):
            path = f"bodies/{self.config.body}.json"
            edits.update(fill_in.entries(self.soul.repo, {path: self._registry()}))
            restore.add(path)
        if edits:
            self._commit_edits(edits)
        if restore:
            self._put_back(restore)
        status.reveal(self.soul, taken.revealed)
        if edits or restore or found.staged or taken.revealed:
            self._refresh_index()

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
        new = commit.create(self.soul, self.author(tree), _subject(edits), tree, parents)
        self.soul.move_ref(spec.MAIN_REF, new, head, "commit")
        self.report.committed.extend(sorted(edits))

    def _put_back(self, paths: set[str]) -> None:
        head = self.soul.head
        tree = objects.tree_of(self.soul.repo, head) if head else None
        if tree is not None:
            done = checkout.run(self.soul, self.worktree, tree, tree, intent=None, force=frozenset(paths))
            self.report.warn(done.warnings)
            self._swaps.extend(done.swapped)

    def _refresh_index(self, absent: list[str] | None = None) -> None:
        """Make the index say what ``main`` says, so that plain git sees a clean tree; stat data of equal files stay."""
        head = self.soul.head
        if head is None:
            return
        self._with_index_lock("read-tree", "--reset", head)
        if absent:
            # A path that exists in the tree and not here: plain git must not take its absence for a deletion (§6).
            names = b"\0".join(p.encode("utf-8", "surrogateescape") for p in absent) + b"\0"
            self._with_index_lock("update-index", "-z", "--skip-worktree", "--stdin", input=names)
        self.soul.git.run("update-index", "-q", "--refresh", check=False, timeout=300)

    def _with_index_lock(self, *argv: str, input: bytes | None = None) -> None:  # noqa: A002 - as in repo.git
        """Run a command that writes the index; a person's ``git status`` holds its lock for milliseconds."""
        for pause in (0.05, 0.2, 0.5):
            result = self.soul.git.run(*argv, input=input, check=False, timeout=300)
            if result.code == 0:
                return
            if "index.lock" not in result.err:
                break
            time.sleep(pause)
        self.soul.git.run(*argv, input=input, timeout=300)

    # -- the registry --------------------------------------------------------------------------------------------

    def _renews_registry(self, happens_anyway: bool) -> bool:
        return self._seen_is_older_than(SEEN_WITH_A_PUSH if happens_anyway else SEEN_BY_ITSELF)

    def _seen_is_older_than(self, seconds: int) -> bool:
        """Whether our ``lastSeen`` is that old, unreadable, or from the future: a clock that once ran ahead."""
        if self.config.remote is None or self.soul.head is None:
            return False
        try:
            seen = registry_format.last_seen(registry_format.parse(self._registered() or b""))
        except Malformed:
            seen = None
        return seen is None or not -SEEN_AHEAD <= time.time() - seen / 1e6 <= seconds

    def _registered(self) -> bytes | None:
        """Our registry file as it stands; as it is committed where something else than a file stands there."""
        path = f"bodies/{self.config.body}.json"
        found = self.worktree.look(path, limit=spec.MAX_FILE_BYTES)
        if found.kind in (FILE, MISSING) and found.size <= spec.MAX_FILE_BYTES:
            return found.data
        head = self.soul.head
        return objects.file_at(self.soul.repo, objects.tree_of(self.soul.repo, head), path) if head else None

    def _registry(self) -> bytes:
        return fill_in.registry(self._registered(), self.config.body, self._key_fingerprint())

    def _key_fingerprint(self) -> str | None:
        if self._fingerprint is None and self.home.key.exists():
            from soulsync.access.key import fingerprint, public_line

            self._fingerprint = fingerprint(public_line(self.home.key))
        return self._fingerprint

    # -- from a fetched commit to the work tree ------------------------------------------------------------------

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
        done = checkout.run(self.soul, self.worktree, old, new, intent=self.intent, in_flight=self._flight)
        rescue.move_main(self.soul, target.commit, head, why)
        self._refresh_index(done.absent)
        self.intent.clear()
        self._swaps.extend(done.swapped)
        self.report.warn(done.warnings)

    def merged_with(self, tip: str) -> Callable[[str | None], Target]:
        """How to bring in ``tip``, which shares history with ours: nothing to do, fast-forward, or a merge."""

        def make(head: str | None) -> Target:
            if head is None or self._contains(tip, head):
                return Target(tip)
            if self._contains(head, tip):
                return Target(head)
            result = merge.merge_commits(self.soul, head, tip)
            new = commit.create(self.soul, self.author(result.tree), "合并另一具身体的更新", result.tree, [head, tip])
            return Target(new, result.outcomes, result.warnings, merged=True)

        return make

    def joined_onto(self, tip: str, *, unpushed: bool) -> Callable[[str | None], Target]:
        """How to bring a soul that began here onto a remote that it never met (§8).

        Our content whole as one commit on the remote's tip, then the merged content as a second: nothing is lost, and
        our own root stays out of the shared history.
        """

        def make(head: str | None) -> Target:
            if head is None:
                return Target(tip)
            theirs = objects.tree_of(self.soul.repo, tip)
            ours = objects.tree_of(self.soul.repo, head)
            who = self.author(ours)
            whole = commit.create(self.soul, who, "带来本机已有的内容", ours, [tip])
            mine, other = merge.sides(self.soul, head, tip, unpushed=unpushed)
            # Fixed files that the remote has are left as they are: filling in never overwrites (§2).
            fixed = {path: objects.lookup(self.soul.repo, theirs, path) for path in spec.FIXED_FILES}
            mine.tree = objects.edit(self.soul.repo, ours, {path: e for path, e in fixed.items() if e is not None})
            # The soul's id must not change by our joining, although its last agent.json can't be read (§4 rule 12).
            good = guards.last_identity(self.soul, tip)
            other.tree = objects.edit(self.soul.repo, theirs, {spec.AGENT_JSON: good} if good else {})
            result = merge.merge_trees(self.soul, None, mine, other)
            final = commit.create(self.soul, self.author(theirs), "合并本机与远端的内容", result.tree, [whole])
            return Target(final, result.outcomes, result.warnings, merged=True)

        return make

    def fill_in(self, identity: bytes) -> Callable[[str | None], Target]:
        """How to complete the structure and register this body, in one commit."""

        def make(head: str | None) -> Target:
            tree = objects.tree_of(self.soul.repo, head) if head else None
            files = fill_in.missing(self.soul.repo, tree, identity)
            path = f"bodies/{self.config.body}.json"
            if objects.lookup(self.soul.repo, tree, path) is None:
                files[path] = self._registry()
                files.pop("bodies/.gitkeep", None)
            if not files and head is not None:
                return Target(head)
            filled = objects.edit(self.soul.repo, tree, fill_in.entries(self.soul.repo, files))
            what = fill_in.SUBJECT if set(files) - {path} else "登记身体"
            return Target(commit.create(self.soul, self.author(filled), what, filled, [head] if head else []))

        return make

    def _contains(self, commit_id: str, ancestor: str) -> bool:
        if commit_id == ancestor:
            return True
        return self.soul.git.run("merge-base", "--is-ancestor", ancestor, commit_id, check=False).code == 0

    # -- stale writers -------------------------------------------------------------------------------------------

    def settle(self) -> bool:
        """Read the replaced memories files once more (§4 rule 13); whether some were put in place again."""
        if not self._swaps:
            return False
        swaps, self._swaps = self._swaps, []
        with worktree_lock(self.home):
            repaired = stale_writer.settle(self.worktree, swaps, self._believed)
        self.report.warn(
            [
                f"{path} was overwritten by a program that had read it before the sync; both were joined."
                for path in repaired
            ]
        )
        return bool(repaired)


_KINDS = (
    ("memories/", "记忆"), ("journal/", "日记"), ("notes/", "笔记"), ("bodies/", "身体登记"),
    (spec.SOUL_MD, "人格"), (spec.AGENT_JSON, "身份"),
)  # fmt: skip


def _subject(edits: dict[str, Entry | None]) -> str:
    """What a snapshot changed, by kinds of file: ``更新记忆、笔记``."""
    kinds = [word for prefix, word in _KINDS if any(path.startswith(prefix) for path in edits)]
    if any(not path.startswith(tuple(prefix for prefix, _ in _KINDS)) for path in edits):
        kinds.append("其他文件")
    if kinds == ["身体登记"]:
        return "登记身体"
    return "更新" + "、".join(kind for kind in kinds if kind != "身体登记" or len(kinds) == 1)
