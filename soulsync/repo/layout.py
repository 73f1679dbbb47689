"""Where a repository keeps its things, read from its files: an ordinary clone, or a linked work tree of one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from soulsync.errors import SoulSyncError
from soulsync.lang import tr
from soulsync.repo.whereabouts import common_dir

if TYPE_CHECKING:
    from collections.abc import Callable


class Layout(NamedTuple):
    """``root`` is the work tree; ``common`` holds config, info and hooks, which all linked work trees share."""

    root: Path
    git_dir: Path
    common: Path


class Change(NamedTuple):
    """One thing that an installation does: what it is, in words, and the deed."""

    text: str
    apply: Callable[[], None]


def locate(root: Path) -> Layout:
    """The layout of the repository whose work tree is ``root``. Raises SoulSyncError where there is none."""
    root = root.absolute()
    git_dir = root / ".git"
    if git_dir.is_file():  # a linked work tree or a submodule: "gitdir: PATH", possibly relative
        git_dir = root / git_dir.read_text("utf-8", "surrogateescape").removeprefix("gitdir:").strip()
    if not (git_dir / "HEAD").is_file():
        raise SoulSyncError(
            tr("{root} is not the top of a git repository.", root=root), tr("Name the folder that holds .git.")
        )
    return Layout(root, git_dir.resolve(), Path(common_dir(git_dir)))
