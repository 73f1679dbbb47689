"""What of a soul exists on this machine alone: asked before a clone may be deleted."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from soulsync.body.remote import connect, remote_of
from soulsync.body.sync import open_soul
from soulsync.lang import tr
from soulsync.repo import leftovers, snapshot, status
from soulsync.repo.paths import decode, shown
from soulsync.repo.soul import FETCHED_REF, SEEN_REF
from soulsync.repo.worktree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.access.address import Remote
    from soulsync.body.config import Config
    from soulsync.body.home import Home
    from soulsync.repo.soul import Soul

CONFLICT_COPIES = "*.incoming*.md"
"""Litter by the spec (§3.4), but the only litter that holds somebody's words."""


def only_here(home: Home, config: Config) -> list[str]:
    """What the remote does not have, one line each; the remote is asked now. The caller holds the sync lock.

    Commits of any branch or stash, changes that no commit has, files that no commit takes. Rescue refs do not count:
    they hold what was given up. Raises what keeps the remote from being asked (exit 3, 4, 5).
    """
    soul = open_soul(home, config)
    leftovers.refuse_open_work(soul)
    remote = remote_of(config)
    if _never_began(soul, config):
        return []  # perhaps after a slip in the address, where nobody can be asked
    if remote is None:
        return [tr("the whole soul: it has no remote")]
    tip = _remote_tip(soul, remote, home, config)
    found = [*_commits(soul, tip), *_files(soul, config.body)]
    if (home.state / "checkout.json").exists():
        found.append(tr("a sync that was cut off"))
    soul.drop_ref(FETCHED_REF)
    return found


def _never_began(soul: Soul, config: Config) -> bool:
    """Whether this soul met no remote and holds no commit and no file: an ``init`` that was given up."""
    met = soul.head is not None or soul.ref(SEEN_REF) is not None
    return not met and not any(_commits(soul, None)) and not any(_files(soul, config.body))


def changed(home: Home, config: Config) -> list[str]:
    """The part of it that needs no network: what lies in the work tree and in no commit."""
    return list(_files(open_soul(home, config), config.body))


def _remote_tip(soul: Soul, remote: Remote, home: Home, config: Config) -> str | None:
    """The remote's ``main`` as it is now, with its objects, so that "contains" can be answered."""
    with connect(soul.git, remote, home, config) as connection:
        tip = connection.list().main
        return connection.fetch() if tip is not None and tip != soul.head else tip


def _commits(soul: Soul, tip: str | None) -> Iterator[str]:
    refs = soul.git.text("for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags", "refs/stash").splitlines()
    for ref in refs:
        without = [f"^{tip}"] if tip else []
        count = int(soul.git.text("rev-list", "--count", ref, *without, "--"))
        if count:
            name = shown(ref.removeprefix("refs/heads/").removeprefix("refs/"))
            yield tr("commits of {branch}: {count}", branch=name, count=count)


def _files(soul: Soul, body: str) -> Iterator[str]:
    worktree = WorkTree(soul.root, soul.staging)
    found = status.read(soul)
    taken = snapshot.take(soul, worktree, found, body)
    for path in sorted({*taken.edits, *found.unmerged}):
        yield tr("not committed: {path}", path=shown(path))
    for skipped in taken.skipped:
        yield tr("never committed: {path}", path=shown(skipped.path))
    for path in _ignored(soul):
        yield tr("ignored by git: {path}", path=shown(path))


def _ignored(soul: Soul) -> list[str]:
    """Files that an ignore rule keeps out of every commit, but for what programs leave behind (§3.4, §6)."""
    folded = ("--directory", "--no-empty-directory")  # a folder without a file that is taken stands for all in it
    out = soul.git.out("ls-files", "-z", "--others", "--ignored", "--exclude-standard", *folded)
    paths = [decode(record) for record in out.split(b"\0") if record]
    return [path for path in paths if not status.is_litter(path.rstrip("/")) or _holds_words(path)]


def _holds_words(path: str) -> bool:
    return any(fnmatchcase(part, CONFLICT_COPIES) for part in path.split("/"))
