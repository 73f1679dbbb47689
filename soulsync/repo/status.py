"""What differs between the work tree, the index and the last commit: one ``git status``, as candidates to look at.

The index is only a cache here: every path that git names is read and compared again, so a stale index costs time and
never a memory.
"""

from __future__ import annotations

import os
import stat
from fnmatch import fnmatchcase
from pathlib import Path

from soulsync import spec
from soulsync.errors import RefusedError, SoulSyncError
from soulsync.lang import tr
from soulsync.repo.git import GitError, GitTimeoutError
from soulsync.repo.paths import decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.repo.soul import Soul

_ARGV = (
    "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignored=matching",
    "--no-renames", "--ignore-submodules=all",
)  # fmt: skip

SUSPICIOUS = 5.0
"""Seconds after which a ``git status`` is looked into; it takes 0.1 s for thousands of files."""
_READ_BY_GIT = frozenset((".gitignore", ".gitattributes"))


class Status:
    """``tracked``: paths that may differ from the last commit; ``untracked``: paths (repositories end with ``/``).

    ``unmerged``: paths with a conflict that a merge left open; ``hidden``: paths that the index marks as not checked
    out; ``staged``: the index is not the last commit's tree.
    """

    __slots__ = ("head", "hidden", "staged", "tracked", "unmerged", "untracked")

    def __init__(self) -> None:
        self.head: str | None = None
        self.tracked: list[str] = []
        self.untracked: list[str] = []
        self.unmerged: list[str] = []
        self.hidden: list[str] = []
        self.staged = False

    @property
    def clean(self) -> bool:
        """Whether there is nothing to look at."""
        return not (self.tracked or self.untracked or self.unmerged or self.hidden or self.staged)


QUESTIONS = (_ARGV, ("ls-files", "-v", "-z"))
"""What :func:`read` asks git."""


def read(soul: Soul) -> Status:
    """Ask git, and add what git does not look at: spec paths that an ignore rule hides, entries with a flag (§6)."""
    out = _ask(soul)
    status, ignored = parse(out)
    for path in ignored:
        if spec.is_spec_path(path.rstrip("/")):
            found = _files_below(soul, path) if path.endswith("/") else (path,)
            status.untracked.extend(p for p in found if not is_litter(p.rstrip("/")))
    _read_flags(soul.git.run(*QUESTIONS[1]).out, status)
    return status


def _files_below(soul: Soul, folder: str) -> Iterator[str]:
    from soulsync.repo.worktree import WorkTree

    return WorkTree(soul.root, soul.staging).files_below(folder)


def _read_flags(out: bytes, status: Status) -> None:
    """Read ``git ls-files -v -z``: ``S`` is skip-worktree; small letters are assume-unchanged, and git looks away."""
    for record in out.split(b"\0"):
        if record[:1].upper() == b"S":
            status.hidden.append(decode(record[2:]))
        elif record[:1].islower():
            status.tracked.append(decode(record[2:]))


def reveal(soul: Soul, paths: list[str]) -> None:
    """Let the index know that ``paths`` are checked out."""
    if paths:
        names = b"".join(encode(path) + b"\0" for path in paths)
        soul.git.run("update-index", "-z", "--no-skip-worktree", "--stdin", input=names, check=False)  # again next time


def _ask(soul: Soul) -> bytes:
    try:
        return _status(soul)
    except GitError as e:
        if "index" not in e.err or "index.lock" in e.err:
            raise
        # A damaged index is only a damaged cache: it is made again from the last commit.
        (soul.git_dir / "index").unlink(missing_ok=True)
        if soul.head:
            soul.git.run("read-tree", soul.head)
        return _status(soul)


def _status(soul: Soul) -> bytes:
    """Run ``git status``; where it takes long, look whether a pipe makes it wait for ever."""
    try:
        return soul.git.run(*_ARGV, timeout=SUSPICIOUS).out
    except GitTimeoutError:
        refuse_pipes(soul.root)
    return soul.git.run(*_ARGV, timeout=300).out


def refuse_pipes(root: Path) -> None:
    """Raise where a file that git reads by itself is none: it opens them without a look (dir.c, attr.c of git 2.39)."""
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in _READ_BY_GIT.intersection(files):
            path = Path(folder, name)
            if not stat.S_ISREG(path.lstat().st_mode):
                raise RefusedError(
                    tr("{path} is a pipe or another thing that git would wait for.", path=path),
                    tr("Find out which program put it there and remove it. Nothing was committed."),
                )


def is_litter(path: str) -> bool:
    """Whether the fixed ``.gitignore`` or our own exclude list names ``path``."""
    patterns = (*spec.GITIGNORE_PATTERNS, *spec.LITTER_PATTERNS)
    return any(fnmatchcase(part, pattern) for part in path.split("/") for pattern in patterns)


def parse(out: bytes) -> tuple[Status, list[str]]:
    """Read ``git status --porcelain=v2 --branch -z``: the status, and the ignored paths."""
    status, ignored = Status(), []
    for record in out.split(b"\0"):
        kind, _, rest = record.partition(b" ")
        if kind == b"#":
            if rest.startswith(b"branch.oid ") and not rest.endswith(b"(initial)"):
                status.head = rest[len(b"branch.oid ") :].decode("ascii")
        elif kind == b"1":
            status.tracked.append(decode(rest.split(b" ", 7)[7]))
            status.staged = status.staged or rest[:1] != b"."
        elif kind == b"u":
            status.unmerged.append(decode(rest.split(b" ", 9)[9]))
        elif kind == b"?":
            status.untracked.append(decode(rest))
        elif kind == b"!":
            ignored.append(decode(rest))
        elif record:
            raise SoulSyncError(
                tr("git status said something unknown: {record!r}.", record=record[:40]), tr("Is git 2.39 or newer?")
            )
    return status, ignored
