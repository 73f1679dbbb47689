"""Which folder may become a soul's work tree (contract §4, ``--dir``)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.access.address import parse_remote
from soulsync.errors import RefusedError, SoulSyncError, UsageError
from soulsync.files import in_the_way, real
from soulsync.lang import tr
from soulsync.repo.git import Git

if TYPE_CHECKING:
    from soulsync.access.address import Remote
    from soulsync.body.home import Home

_UNFINISHED = ".git.new"
"""The folder inside a soul in which its repository is made."""


def check(folder: Path, home: Home, remote: Remote | None) -> None:
    """Raise ``UsageError`` (2) where ``folder`` is private, or holds anything else than this soul."""
    _refuse_private(folder, home)
    other = in_the_way(folder) if folder != home.default_soul else None  # what lies above that one, `home.make` tells
    if other is not None or (folder.exists() and not folder.is_dir()):
        raise UsageError(tr("{folder} is not a folder.", folder=other or folder), tr("Choose another --dir."))
    if folder != home.default_soul:
        _refuse_closed(folder)
    if not folder.exists():
        return
    if any(file.name != _UNFINISHED for file in folder.iterdir()) and not _is_this_soul(folder, home, remote):
        raise UsageError(
            tr("{folder} is not empty.", folder=folder),
            tr("Choose an empty --dir; soulsync never takes over a folder."),
        )


def make_repository(folder: Path) -> None:
    """Make ``folder`` an empty repository, where it is none yet.

    It gets its name when it is whole: where ``git init`` was killed half-way, its locks refuse a second one.
    """
    new = folder / _UNFINISHED
    if new.is_dir():
        shutil.rmtree(new)
    final = folder / ".git"
    if (final / "HEAD").is_file():
        return
    if final.is_dir():  # a repository of which somebody lost a part: git fills in what is missing
        _init(folder, final)
        return
    new.mkdir(mode=0o700, parents=True)
    _init(folder, new / ".git")
    (new / ".git").rename(final)
    new.rmdir()


def _init(folder: Path, git_dir: Path) -> None:
    Git(folder).run(
        "init", "--quiet", "--template=", f"--initial-branch={spec.BRANCH}", extra_env={"GIT_DIR": str(git_dir)}
    )


def _refuse_closed(folder: Path) -> None:
    """Raise ``SoulSyncError`` (1) before anything is made: a config that names such a place would hold on to it."""
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        raise SoulSyncError(tr("{folder} can't be created or written.", folder=folder), tr("Choose another --dir."))


def _refuse_private(folder: Path, home: Home) -> None:
    lies = real(folder)
    ssh = Path.home() / ".ssh"
    for place in (Path.home(), ssh, home.root, home.state):
        if lies == real(place) or lies in real(place).parents:
            raise UsageError(
                tr("{folder} is or holds {place}, which must not become a soul.", folder=folder, place=place),
                tr("Choose another --dir."),
            )
    if real(ssh) in lies.parents or real(home.state) in lies.parents:
        raise UsageError(tr("{folder} lies in a private folder.", folder=folder), tr("Choose another --dir."))


def _is_this_soul(folder: Path, home: Home, remote: Remote | None) -> bool:
    """Whether ``folder`` is ours from an earlier run that may have been cut off, or a clone of ``remote``."""
    if not (folder / ".git").is_dir():
        return False
    if home.config_file.is_file() or folder == home.default_soul:
        return True
    return remote is not None and _origin(folder) == remote.url


def _origin(folder: Path) -> str | None:
    """The address that a clone was made from, as we write it."""
    url = Git(folder / ".git").run("config", "--local", "--get", "remote.origin.url", check=False).out
    try:
        return parse_remote(url.decode("utf-8", "replace").strip(), allow_local=True).url
    except RefusedError:
        return None
