"""Where Claude Code keeps the memories of a project, and its settings (bridges §4)."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTINGS = "settings.json"
"""The user's settings, in the config folder."""
MAX_NAME = 200
"""Characters; of a longer name Claude Code keeps the beginning and puts a hash behind it."""
_ALPHANUMERIC = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


def config_folder(env: Mapping[str, str] = os.environ) -> Path:
    """``$CLAUDE_CONFIG_DIR``, else ``~/.claude``."""
    return Path(env.get("CLAUDE_CONFIG_DIR", "").strip() or "~/.claude").expanduser().absolute()


def memory_folder(project: Path, env: Mapping[str, str] = os.environ) -> Path:
    """Where the memories of the project at ``project`` lie; the folder need not exist.

    All work trees of a repository share one folder, that of the main one. A name that was too long is found by its
    beginning where a single folder begins so; which hash Claude Code put behind it depends on how it was built.
    """
    name = folder_name(str(main_worktree(project.absolute())))
    projects = config_folder(env) / "projects"
    if len(name) > MAX_NAME:
        found = sorted(projects.glob(f"{name[:MAX_NAME]}-*"))
        name = found[0].name if len(found) == 1 else name[:MAX_NAME]
    return projects / name / "memory"


def folder_name(path: str) -> str:
    """A path with ``-`` for each UTF-16 unit that is no ASCII letter or digit, as JavaScript counts them."""
    composed = unicodedata.normalize("NFC", path)
    return "".join(c if c in _ALPHANUMERIC else "--" if ord(c) > 0xFFFF else "-" for c in composed)


def main_worktree(path: Path) -> Path:
    """The main work tree of the repository that ``path`` lies in; ``path`` itself where it lies in none."""
    for folder in (path, *path.parents):
        git = folder / ".git"
        if git.is_dir():
            return folder
        if git.is_file():
            return _main_of(git) or folder
    return path


def _main_of(link: Path) -> Path | None:
    """The main work tree of a linked one, by its ``.git`` file: ``gitdir: <main>/.git/worktrees/<name>``."""
    try:
        text = link.read_text("utf-8", "surrogateescape")
    except OSError:
        return None
    target = (link.parent / text.removeprefix("gitdir:").strip()).resolve()
    is_worktree = target.parent.name == "worktrees" and target.parent.parent.name == ".git"
    return target.parent.parent.parent if is_worktree else None
