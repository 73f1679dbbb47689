"""Taking this machine out of a soul: what starts by itself goes; with ``purge`` the clone and the key too."""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync.access.forge import settings_page
from soulsync.access.key import fingerprint, public_line
from soulsync.body import schedule
from soulsync.body.locks import sync_lock, worktree_lock
from soulsync.body.only_here import changed, only_here
from soulsync.body.remote import remote_of
from soulsync.errors import DeniedError, RefusedError, SoulSyncError
from soulsync.lang import tr
from soulsync.repo import install

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from soulsync.body.config import Config
    from soulsync.body.home import Home

GOING = ".soulsync-purged"
"""Ends the name of a folder that was found to be safe to delete and is being deleted; the next run goes on with it."""
MOST = 10
"""Things that exist here alone which the refusal names; it counts the others."""


@dataclass(frozen=True, slots=True)
class DeployKey:
    """The key that the server still lets in: its public half, its fingerprint, where it is deleted (None: unknown)."""

    public_key: str
    fingerprint: str
    where: str
    page: str | None


@dataclass(slots=True)
class Done:
    """What was done, one line each: to the ``schedule``, to drivers and hooks (``outfit``), what was ``deleted``."""

    schedule: list[str]
    outfit: list[str]
    deleted: list[str] = field(default_factory=list)

    @property
    def everything(self) -> list[str]:
        """All of it."""
        return [*self.schedule, *self.outfit, *self.deleted]


class UnsentError(SoulSyncError):
    """A purge would delete what exists here alone (exit 1); ``things`` names it, one line each."""

    def __init__(self, things: list[str], *, local: bool = False) -> None:
        more = [tr("and {count} more", count=len(things) - MOST)] if len(things) > MOST else []
        super().__init__(
            tr("Not everything is at the remote: {things}.", things="; ".join([*things[:MOST], *more])),
            tr("Nothing was deleted. Give it a remote with `soulsync remote set ADDRESS`, or delete it by hand.")
            if local
            else tr("Nothing was deleted. Run `soulsync sync`, move away what it leaves out, then run this again."),
        )
        self.things = things


def deploy_key(home: Home, config: Config) -> DeployKey | None:
    """The key to delete at the server; None where there is no key or no server."""
    try:
        remote = remote_of(config)
        if remote is None or remote.is_local:
            return None
        line = public_line(home.key)
    except (DeniedError, RefusedError):  # an address that may not be, or a key that is gone: nothing to tell
        return None
    page = settings_page(remote)
    return DeployKey(line, fingerprint(line), remote.where, page.removesuffix("/new") if page else None)


def detach(home: Home, config: Config) -> Done:
    """Take out the schedule, the merge drivers and the hooks; hooks of others come back. The soul is not touched.

    Nothing is done when all was out already. Raises ``BusyError`` (75) during a sync.
    """
    with sync_lock(home):
        return _take_out(home, config)


def _take_out(home: Home, config: Config) -> Done:
    unscheduled = schedule.remove(home)
    taken = install.uninstall(config.soul) if (config.soul / ".git").exists() else []
    if home.bridges.exists():
        from soulsync.body.bridge import manage

        taken += manage.unhook(home)
    return Done(unscheduled, taken)


def purge(home: Home, config: Config) -> Done:
    """Detach, then delete the clone, the deploy key and the whole folder of the agent.

    Raises ``UnsentError`` (1) and deletes nothing where the remote, asked now, does not have everything; what keeps it
    from being asked is raised as it is (3, 4, 5).
    """
    with sync_lock(home):
        if not _going(config.soul).exists():
            _refuse_losses(home, config)
        done = _take_out(home, config)
        with worktree_lock(home):
            _delete_soul(home, config)
            done.deleted.append(tr("deleted the clone {folder}", folder=config.soul))
            last = home.root.with_name(f".{home.agent}{GOING}")
            with _told(home.root):
                home.root.rename(last)  # the config goes with it: from here on no agent of this name lives here
                finish(home.root.parent)
        done.deleted.append(tr("deleted the private key and everything else in {folder}", folder=home.root))
    return done


def _delete_soul(home: Home, config: Config) -> None:
    """Delete the clone. It is looked at once more, now that no command of ours can write: the server took its time."""
    going = _going(config.soul)
    if not going.exists():
        things = changed(home, config)
        if things:
            raise UnsentError(things)
    with _told(config.soul):
        if not going.exists():
            config.soul.resolve().rename(going)
        shutil.rmtree(going)
        if config.soul.is_symlink():
            config.soul.unlink()


def _refuse_losses(home: Home, config: Config) -> None:
    if not config.soul.is_dir():
        raise SoulSyncError(
            tr("The soul is not at {folder}, so nobody can tell whether all of it was sent.", folder=config.soul),
            tr("Is its disk mounted? If it is gone for good, delete {folder} by hand.", folder=home.root),
        )
    things = only_here(home, config)
    if things:
        raise UnsentError(things, local=config.remote is None)


def _going(soul: Path) -> Path:
    real = soul.resolve()
    return real.with_name(real.name + GOING)


def finish(base: Path) -> list[str]:
    """Delete what purges that were cut off left in ``base``; the agents that it was of."""
    left = list(base.glob(f".*{GOING}"))
    for folder in left:
        shutil.rmtree(folder.resolve())
        if folder.is_symlink():
            folder.unlink()
    with contextlib.suppress(OSError):  # not empty: other agents live here
        if [file.name for file in base.iterdir()] == [schedule.LOCK]:
            (base / schedule.LOCK).unlink()
        base.rmdir()
    return [folder.name.removeprefix(".").removesuffix(GOING) for folder in left]


@contextlib.contextmanager
def _told(folder: Path) -> Iterator[None]:
    """Say which folder could not be deleted, and that the next run goes on."""
    try:
        yield
    except OSError as e:
        raise SoulSyncError(
            tr("{folder} can't be deleted: {reason}.", folder=e.filename or folder, reason=e.strerror or str(e)),
            tr("Everything in it is at the remote. Put that right and run this again."),
        ) from e
