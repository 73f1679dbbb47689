"""Where memories lie: the store, and in it the user's, a project's, an employee's or an engine's own folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from soulsync.errors import UsageError
from soulsync.files import in_the_way
from soulsync.formats.oxsoul_index import INDEX, label_of
from soulsync.formats.oxsoul_names import fnv1a, fnv1a_utf16
from soulsync.lang import tr
from soulsync.spec import OXSOUL_SCOPES

_PART = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
INBOX = "inbox"


class Place(NamedTuple):
    """One folder of memories: the store's ``root``, and the folder ``below`` it (empty: the user's own)."""

    root: Path
    below: str

    @property
    def folder(self) -> Path:
        """The folder itself."""
        return self.root / self.below

    @property
    def index_file(self) -> Path:
        """Its index, ``MEMORY.md``."""
        return self.folder / INDEX

    @property
    def label(self) -> str:
        """What a new index calls it."""
        return label_of(self.below)

    @property
    def scope(self) -> str:
        """What the access log calls it."""
        return self.below or "user"


def home(named: str | None) -> Path:
    """The store that a command works on: ``--store``, else ``$OXSOUL_HOME``, else ``~/.oxsoul``; it need not exist.

    Raises ``UsageError`` (2) where something else stands there.
    """
    chosen = named or os.environ.get("OXSOUL_HOME") or "~/.oxsoul"
    root = Path(chosen).expanduser().absolute()
    other = in_the_way(root)
    if other is not None:
        raise UsageError(tr("{path} is no folder.", path=other), tr("Name the store with `--store DIR`."))
    return root


def find(root: Path, project: str | None = None, employee: str | None = None, engine: str | None = None) -> Place:
    """The folder that is meant; at most one of the three may be given. Raises ``UsageError`` (2) for a bad name."""
    if sum(one is not None for one in (project, employee, engine)) > 1:
        raise UsageError(tr("--project, --employee and --engine name three places."), tr("Give one of them."))
    if project is not None:
        return Place(root, _of_project(root, project))
    for kind, name in (("employees", employee), ("engines", engine)):
        if name is not None:
            if not is_part(name):
                raise UsageError(tr("{name} can't name a folder.", name=name), tr("Use letters, digits, . _ and -."))
            return Place(root, f"{kind}/{name}")
    return Place(root, "")


def every(root: Path) -> list[Place]:
    """The places that are there: the user's, then the others by name. Links are not followed."""
    found = [Place(root, "")]
    for kind in OXSOUL_SCOPES:
        above = root / kind
        if above.is_dir() and not above.is_symlink():
            names = sorted(entry.name for entry in os.scandir(above) if entry.is_dir(follow_symlinks=False))
            found += [Place(root, f"{kind}/{name}") for name in names if is_part(name)]
    return found


def is_place(below: str) -> bool:
    """Whether a folder relative to the store is one of the four kinds."""
    kind, slash, name = below.partition("/")
    return not below or (bool(slash) and kind in OXSOUL_SCOPES and is_part(name))


def is_part(name: str) -> bool:
    """Whether a text is one safe segment of a path: no slash, no leading dot, plain letters."""
    return bool(name) and not name.startswith(".") and len(name) <= 128 and _PART.issuperset(name)


def _of_project(root: Path, project: str) -> str:
    """The folder of a workspace: FNV-1a of its absolute path without a slash at the end.

    Over UTF-8 bytes; the folder that a JavaScript program made over UTF-16 is taken where it alone is there.
    """
    path = os.path.abspath(Path(project).expanduser())  # noqa: PTH100  links in it are part of the workspace's name
    folders = [f"projects/{fnv1a(path)}", f"projects/{fnv1a_utf16(path)}"]
    return next((folder for folder in folders if (root / folder).is_dir()), folders[0])
