"""A throw-away work tree of the soul in which plain git is tried: the soul's own config, attributes, hooks and objects.

It is a linked work tree (git-worktree(1)) on a detached commit that shares nothing with the soul's history: the soul's
branch, index and files stay untouched. Its commits are the same at each visit, so that no objects pile up.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.errors import SoulSyncError
from soulsync.lang import tr
from soulsync.repo import objects
from soulsync.repo.git import Git
from soulsync.repo.objects import BLOB, Entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from soulsync.body.doctor.patient import Patient
    from soulsync.repo.git import Result
    from soulsync.repo.soul import Soul

PREFIX = "doctor-"
OLD_SECONDS = 3600.0
_BEGIN = 978_307_200  # 2001-01-01, so that the trial's commits are never taken for an agent's
_QUIET = (
    # the user's own settings that would ask, sign, start a daemon or tidy up in the background
    ("commit.gpgSign", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("core.fsmonitor", "false"),
    ("merge.verifySignatures", "false"),
    ("advice.detachedHead", "false"),
)


class Trial:
    """Plain git in the throw-away work tree ``root``."""

    def __init__(self, soul: Soul, root: Path, hooks: Path | None) -> None:
        self.soul, self.root = soul, root
        self._admin = soul.git_dir / "worktrees" / root.name
        config = [*_QUIET, *([("core.hooksPath", str(hooks))] if hooks else [])]
        self._git = Git(self._admin, root, user_config=True, config=config)
        self._clock = _BEGIN + 86_400

    def git(self, *argv: str) -> Result:
        """Run plain git with the user's own settings; its date moves on by a minute with each call."""
        self._clock += 60
        date = f"@{self._clock} +0000"
        return self._git.run(*argv, check=False, extra_env={"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date})

    def must(self, *argv: str) -> str:
        """Run plain git, which must succeed; what it printed. Raises ``SoulSyncError`` with what it said."""
        result = self.git(*argv)
        if result.code != 0:
            raise SoulSyncError(
                tr("In the trial, git {command} failed: {said}.", command=argv[0], said=last_line(result)),
                tr("Run `soulsync install`, then `soulsync doctor` again."),
            )
        return result.out.decode("utf-8", "replace").strip()

    def go(self, commit: str) -> None:
        """Stand on ``commit``, with clean files."""
        self.must("checkout", "--quiet", "--force", "--detach", commit)

    def write(self, path: str, text: str) -> None:
        """Put a file into the throw-away work tree and stage it."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        self.must("add", "--force", "--", path)


def last_line(result: Result) -> str:
    """The line of git's stderr that says most."""
    lines = [line.strip().rstrip(".") for line in result.err.splitlines() if line.strip()]
    return lines[-1] if lines else tr("no message")


def commit(soul: Soul, files: Mapping[str, str | bytes], parent: str | None, step: int) -> str:
    """A commit of the trial with ``files`` put on those of ``parent``, ``step`` hours after the trial's beginning."""
    import pygit2

    edits: dict[str, Entry | None] = {
        path: Entry(BLOB, objects.write_blob(soul.repo, text.encode() if isinstance(text, str) else text))
        for path, text in files.items()
    }
    tree = objects.edit(soul.repo, objects.tree_of(soul.repo, parent) if parent else None, edits)
    who = pygit2.Signature("soulsync doctor", "doctor@trial.local", _BEGIN + 3600 * step, 0)
    return str(soul.repo.create_commit(None, who, who, "trial\n", tree, [parent] if parent else []))


@contextlib.contextmanager
def trial(patient: Patient, start: str, *, hooks: Path | None = None) -> Iterator[Trial]:
    """The throw-away work tree, standing on ``start``; gone afterwards. ``hooks`` replaces git's hooks folder."""
    sweep(patient)
    soul = patient.soul
    root = Path(tempfile.mkdtemp(prefix=PREFIX, dir=patient.home.state))
    try:
        # Nothing is checked out yet: this git obeys no hook and no setting of the soul.
        Git(soul.git_dir).run("worktree", "add", "--quiet", "--detach", "--no-checkout", str(root), start)
        found = Trial(soul, root, hooks)
        found.go(start)
        yield found
    finally:
        _remove(soul, root)


def stale(patient: Patient) -> list[Path]:
    """The work trees that a killed doctor left."""
    return [
        root
        for root in patient.home.state.glob(f"{PREFIX}*")
        if root.is_dir() and not root.is_symlink() and time.time() - root.stat().st_mtime > OLD_SECONDS
    ]


def sweep(patient: Patient) -> None:
    """Remove the work trees that a killed doctor left."""
    for root in stale(patient):
        _remove(patient.soul, root)


def _remove(soul: Soul, root: Path) -> None:
    worktrees = soul.git_dir / "worktrees"
    for folder in (worktrees / root.name, root):  # what is left of a removal that is cut off is found by ``root``
        shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        worktrees.rmdir()  # git makes it with the first linked work tree; others' stay


def excerpt(lines: Sequence[str]) -> str:
    """What a hook said, on one line."""
    return " ".join(line.strip() for line in lines if line.strip())[:200]
