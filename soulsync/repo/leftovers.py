"""What a killed git or a person left in a repository: lock files, open merges, another branch.

A lock is set aside (renamed, never deleted) only when no process works in the repository; its age alone says nothing
(argoproj/argo-cd#17623: a lock left by a crash stopped every later sync; sonichi/sutando#3831: stealing by age ran
three syncs at once).
"""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.errors import BusyError, SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.repo.soul import Soul

PATIENCE = 3.0
"""Seconds that a lock without a visible owner is watched before it counts as left over."""

_STATES = {
    "rebase-merge": "git rebase",
    "rebase-apply": "git rebase",
    "MERGE_HEAD": "git merge",
    "CHERRY_PICK_HEAD": "git cherry-pick",
    "REVERT_HEAD": "git revert",
    "BISECT_LOG": "git bisect",
}
"""What git leaves in its directory while a command waits for the person."""


def refuse_open_work(soul: Soul) -> None:
    """Raise where a person left a merge, a rebase or another branch open: explained, never guessed at (exit 1)."""
    for name, command in _STATES.items():
        if (soul.git_dir / name).exists():
            raise SoulSyncError(
                _is_open(command, soul),
                tr("Finish or abandon it ({ways}), then sync again.", ways=_ways_out(command)),
            )
    try:
        head = (soul.git_dir / "HEAD").read_text("utf-8", "replace").strip()
    except FileNotFoundError:
        raise SoulSyncError(
            tr("{root} is a damaged git repository: .git/HEAD is missing.", root=soul.root),
            tr(
                "Write it again: `git -C {root} symbolic-ref HEAD {main_ref}`.",
                root=shlex.quote(str(soul.root)),
                main_ref=spec.MAIN_REF,
            ),
        ) from None
    if head != f"ref: {spec.MAIN_REF}":
        where = (
            tr("the branch {head}", head=head[16:])
            if head.startswith("ref: refs/heads/")
            else tr("no branch (detached HEAD)")
        )
        raise SoulSyncError(
            tr(
                "{root} is on {where}, and a soul lives on {branch} alone; nothing was touched.",
                root=soul.root,
                where=where,
                branch=spec.BRANCH,
            ),
            tr(
                "Go back with `git -C {root} switch {branch}`, then sync again.",
                root=shlex.quote(str(soul.root)),
                branch=spec.BRANCH,
            ),
        )


def _is_open(command: str, soul: Soul) -> str:
    what = {
        "git rebase": tr("a rebase"),
        "git merge": tr("a merge"),
        "git cherry-pick": tr("a cherry-pick"),
        "git revert": tr("a revert"),
        "git bisect": tr("a bisection"),
    }[command]
    return tr("In {root} {what} is open, so nothing was synced and nothing was touched.", root=soul.root, what=what)


def _ways_out(command: str) -> str:
    if command == "git bisect":
        return "`git bisect reset`"
    finish = "git commit" if command == "git merge" else f"{command} --continue"
    return tr("`{finish}` or `{abandon}`", finish=finish, abandon=f"{command} --abort")


def refuse_unmerged(paths: list[str]) -> None:
    """Raise where the index holds conflicts: committing them would push markers to every body."""
    if paths:
        raise SoulSyncError(
            tr(
                "A conflict is open in {paths}; nothing was committed or touched.",
                paths=", ".join(sorted(set(paths))[:3]),
            ),
            tr("Resolve it and `git add` the file, or `git checkout HEAD -- FILE`; then sync again."),
        )


def set_aside_locks(soul: Soul, recovery: Path) -> list[str]:
    """Free the repository of locks that no process holds; the names of those set aside.

    Raises ``BusyError`` (75) while some git is at work in the repository.
    """
    freed = []
    deadline = time.monotonic() + PATIENCE
    while found := sorted(locks(soul)):
        if time.monotonic() < deadline and (_fresh(found) or workers(soul)):
            time.sleep(0.1)
            continue
        if workers(soul):
            raise BusyError(tr("Another git is at work on this soul."), tr("Try again in a moment."))
        recovery.mkdir(mode=0o700, parents=True, exist_ok=True)
        for lock in found:
            place = "-".join(lock.parts[-3:])  # two refs may have locks of one name
            lock.rename(recovery / f"{time.time_ns()}-{place}")
            freed.append(lock.name)
    return freed


def locks(soul: Soul) -> Iterator[Path]:
    """The lock files of git that lie in the soul's repository and in the engine's."""
    yield from (path for path in soul.git_dir.glob("*.lock") if path.is_file())
    yield from (path for path in soul.engine.glob("*.lock") if path.is_file())
    yield from (path for path in (soul.git_dir / "refs").rglob("*.lock") if path.is_file())


def _fresh(locks: list[Path]) -> bool:
    """Whether some lock is so young that its owner may just not be visible."""
    ages = []
    for lock in locks:
        try:
            ages.append(time.time() - lock.stat().st_mtime)
        except FileNotFoundError:
            return True
    return any(0 <= age < PATIENCE / 2 for age in ages)


def workers(soul: Soul) -> list[int]:
    """The processes that have a file of this repository's git directory open, or are a git running inside it."""
    roots = tuple(os.path.realpath(p) for p in (soul.root, soul.engine))
    git_dir = os.path.realpath(soul.git_dir) + os.sep
    processes = [p for p in Path("/proc").glob("[0-9]*") if int(p.name) != os.getpid()]
    if not processes:
        return _gits_anywhere()
    return [int(p.name) for p in processes if _works_in(p, roots, git_dir) and not _is_ours(p)]


def _gits_anywhere() -> list[int]:
    """Where the system does not tell who works where (macOS), any git may be the one."""
    out = subprocess.run(["ps", "-A", "-o", "pid=,comm="], capture_output=True, text=True, timeout=30, check=False)
    pairs = (line.split(None, 1) for line in out.stdout.splitlines())
    return [int(pair[0]) for pair in pairs if len(pair) == 2 and Path(pair[1]).name == "git"]


def _is_ours(process: Path) -> bool:
    """Whether we started it: our network git already runs while we look, in a session that our child leads."""
    try:
        session = _stat(process)[3]
        return int(_stat(process.with_name(session))[1]) == os.getpid()
    except (OSError, IndexError):
        return False


def _stat(process: Path) -> list[str]:
    """The fields of ``/proc/PID/stat`` after the name: state, parent, group, session."""
    return (process / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()


def _works_in(process: Path, roots: tuple[str, ...], git_dir: str) -> bool:
    try:
        if (process / "comm").read_text("utf-8", "replace").startswith("git"):
            here = os.readlink(process / "cwd")  # noqa: PTH115 - text to compare, not a path to follow
            if any(here == root or here.startswith(root + os.sep) for root in roots):
                return True
        return any(os.readlink(fd).startswith(git_dir) for fd in (process / "fd").iterdir())  # noqa: PTH115
    except OSError:
        return False  # gone meanwhile, or another user's
