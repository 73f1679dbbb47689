"""A git directory that another program of this machine made into a trap: links, pipes, another object store.

The engine shares objects, refs, logs and the index with the soul's ``.git``. A link there would let git write outside
the soul (it follows a link of ``index``, ``packed-refs`` and the logs), a pipe would let a read wait for ever, and
``objects/info/alternates`` would let the soul's history lie where anybody may delete it.
"""

from __future__ import annotations

import os
import stat

from soulsync.errors import RefusedError
from soulsync.lang import tr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_FOLDERS = ("", "objects", "refs", "logs", "info", "hooks")
_FILES = ("HEAD", "index", "packed-refs", "config", "config.worktree", "info/exclude", "info/attributes")
_WALKED = ("objects", "refs", "logs")
ALTERNATES = "objects/info/alternates"
_ELSEWHERE = "commondir"
"""Git and ``install`` take what it names for the repository; a clone that is no linked work tree has none."""


def refuse(git_dir: Path | str) -> None:
    """Raise ``RefusedError`` where something below ``git_dir`` is a link or no plain file, or names other objects."""
    for name in _FOLDERS:
        _expect(f"{git_dir}/{name}" if name else str(git_dir), stat.S_ISDIR)
    for name in _FILES:
        _expect(f"{git_dir}/{name}", stat.S_ISREG)
    for name in _WALKED:
        for odd in _odd(f"{git_dir}/{name}"):
            raise _refused(odd)
    if os.path.lexists(f"{git_dir}/{_ELSEWHERE}"):
        raise _refused(f"{git_dir}/{_ELSEWHERE}")
    if _holds_something(f"{git_dir}/{ALTERNATES}"):
        raise RefusedError(
            tr("{path} leads to objects outside the soul, which may vanish.", path=f"{git_dir}/{ALTERNATES}"),
            tr("Fetch them with `git -C {root} repack -a -d`, then delete that file.", root=os.path.dirname(git_dir)),
        )


def _expect(path: str, is_kind: Callable[[int], bool]) -> None:
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if not is_kind(mode):
        raise _refused(path)


def _odd(folder: str) -> Iterator[str]:
    """What below ``folder`` is neither a folder nor a plain file; the kinds come from the listing, without a stat."""
    pending = [folder]
    while pending:
        try:
            with os.scandir(pending.pop()) as found:
                for entry in found:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    elif not entry.is_file(follow_symlinks=False):
                        yield entry.path
        except (FileNotFoundError, NotADirectoryError):
            continue


def _holds_something(name: str) -> bool:
    try:
        with open(name, "rb") as file:
            return bool(file.read().strip())
    except FileNotFoundError:
        return False


def _refused(path: str) -> RefusedError:
    return RefusedError(
        tr("{path} is a link, a pipe or another thing that git did not make.", path=path),
        tr("Find out which program put it there and remove it. Nothing was read or written."),
    )
