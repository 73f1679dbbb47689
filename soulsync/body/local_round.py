"""A round without the server: commit what changed here, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.body.engine import Engine
from soulsync.body.locks import sync_lock, worktree_lock
from soulsync.body.opened import open_soul
from soulsync.repo.objects import file_at, tree_of

if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.body.home import Home


def commit_here(home: Home, config: Config) -> None:
    """Commit what changed in the work tree; ``status`` goes on telling of the last sync.

    For runs of the schedule that stay away from the server: a memory is safe once it is committed. Raises
    ``BusyError`` (75) while a sync is at work, and what a sync raises when the work tree can't be committed.
    """
    with sync_lock(home):
        engine = Engine(home, config, open_soul(home, config))
        engine.prepare()
        engine.snapshot(pushing=False)
        if home.bridges.exists():
            from soulsync.body.bridge import running

            if running.within(engine):
                engine.snapshot(pushing=False)


def keep_old(home: Home, config: Config, path: str, data: bytes) -> None:
    """Commit what changed here where ``main`` does not have ``data`` at ``path``: it is about to give way to another.

    Waits for no sync. Raises what a sync raises when the work tree can't be committed; then nothing may give way.
    """
    with worktree_lock(home):  # of commands at once, which open it alike, one repairs its engine's git directory
        soul = open_soul(home, config)
    if soul.head is not None and file_at(soul.repo, tree_of(soul.repo, soul.head), path) == data:
        return
    engine = Engine(home, config, soul)
    engine.prepare()
    engine.snapshot(pushing=False)
