"""Writing below a folder that may be the soul of a body on this machine: then under the lock of its work tree."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from soulsync.body import config, home
from soulsync.body.locks import worktree_lock
from soulsync.errors import SoulSyncError
from soulsync.files import real

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextlib.contextmanager
def locked(path: Path, option: str | None = None) -> Iterator[None]:
    """Hold the work-tree lock of the soul that ``path`` lies in, if a body of this machine has it.

    ``option``: the folder of ``--home``. Raises ``BusyError`` (75) after 10 seconds.
    """
    inside = real(path)
    folder = home.base(option)
    with contextlib.ExitStack() as locks:
        for agent in home.agents(folder):
            one = home.Home(folder / agent)
            try:
                soul = real(config.load(one).soul)
            except SoulSyncError:  # a config that can't be read says of no folder that it is a soul
                continue
            if inside == soul or soul in inside.parents:
                locks.enter_context(worktree_lock(one))
        yield
