"""An ``.agent/memory`` store of a project and the folder ``cortex`` of the soul (bridges §5)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.body.bridge.mapping import Folder, back
from soulsync.body.bridge.no_hooks import install_hooks, remove_hooks
from soulsync.errors import UsageError
from soulsync.formats import cortex
from soulsync.lang import tr
from soulsync.repo.paths import is_portable
from soulsync.stores.cortex import place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soulsync.body.bridge.mapping import Pairing
    from soulsync.body.bridge.record import Bridge

__all__ = ["TITLE", "install_hooks", "locate", "mappings", "remove_hooks"]
TITLE = "cortex"
ROOT = "cortex"
ENDING = ".json"


def locate(path: str | None, project: str | None, _env: Mapping[str, str]) -> Path:
    """The store: ``path``, else the nearest ``.agent/memory`` upward, else the one to be made where the command runs.

    Raises ``UsageError`` (2) for a project: a store is that of the project it lies in.
    """
    if project is not None:
        raise UsageError(
            tr("A store lies in its project."), tr("Leave out `--project`; name the store with `--path DIR`.")
        )
    here = Path.cwd()
    return Path(path).expanduser().absolute() if path is not None else place.nearest(here) or here / place.STORE


def mappings(bridge: Bridge, _body: str) -> list[Pairing]:
    """The entries of all types, file by file; trash and log are not carried."""
    return [Folder("memories", bridge.path, ROOT, _to_soul, back(ROOT, _to_soul))]


def _to_soul(path: str) -> str | None:
    kind, _, name = path.partition("/")
    is_memory = kind in cortex.TYPES and name.endswith(ENDING) and cortex.is_memory_id(name.removesuffix(ENDING))
    return f"{ROOT}/{path}" if is_memory and is_portable(path) else None
