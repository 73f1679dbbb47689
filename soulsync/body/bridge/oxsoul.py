"""An OxSoul store of this machine and the one in the soul: the user's memories, or those of a project (bridges §5)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.body.bridge.mapping import Folder, Index, back
from soulsync.body.bridge.no_hooks import install_hooks, remove_hooks
from soulsync.errors import UsageError
from soulsync.lang import tr
from soulsync.merge.oxsoul_index import is_listed, rebuilt
from soulsync.repo.paths import is_portable, shown
from soulsync.spec import INDEX_MD
from soulsync.stores.oxsoul import places

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soulsync.body.bridge.mapping import Pairing
    from soulsync.body.bridge.record import Bridge

__all__ = ["TITLE", "install_hooks", "locate", "mappings", "remove_hooks"]
TITLE = "OxSoul"
ROOT = "oxsoul"
PROJECTS = "projects"


def locate(path: str | None, project: str | None, env: Mapping[str, str]) -> Path:
    """The store: ``path``, else ``$OXSOUL_HOME``, else ``~/.oxsoul``.

    With a ``project`` its folder in the store, by the workspace that lies at ``path``, or where the command runs.
    Raises ``UsageError`` (2) for a project that can't be the name of a folder.
    """
    if project is None:
        return places.home(path or env.get("OXSOUL_HOME"))
    if not places.is_part(project):
        raise UsageError(tr("{name} can't name a folder.", name=shown(project)), tr("Use letters, digits, . _ and -."))
    workspace = Path(path or ".").expanduser().absolute()
    return places.find(places.home(env.get("OXSOUL_HOME")), project=str(workspace)).folder


def mappings(bridge: Bridge, _body: str) -> list[Pairing]:
    """The memories, file by file; inbox, trash and the folders of others are not carried. The index is rebuilt."""
    below = "" if bridge.project is None else f"{PROJECTS}/{bridge.project}"
    folder = f"{ROOT}/{below}".rstrip("/")
    to_soul = partial(_to_soul, folder)
    index = Index(INDEX_MD, partial(_index, below))
    return [Folder("memories", bridge.path, folder, to_soul, back(folder, to_soul), index=index, soul_index=index)]


def _to_soul(folder: str, path: str) -> str | None:
    is_memory = "/" not in path and is_listed(path)
    return f"{folder}/{path}" if is_memory and is_portable(path) else None


def _index(below: str, old: bytes, files: Mapping[str, bytes], _gone: set[str]) -> bytes:
    return rebuilt(below, sorted(files.items()), old or None) if files or old else old
