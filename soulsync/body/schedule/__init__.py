"""The recurring sync: ``install``, ``remove`` and ``state``, by cron, systemd or launchd.

Loaded when one of them is first used: ``status`` reads the record of a schedule and needs none of the backends.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from soulsync.body.schedule.manage import EVERY, LOCK, Installed, State, install, remove, state

__all__ = ["EVERY", "LOCK", "Installed", "State", "install", "remove", "state"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(name)
    from soulsync.body.schedule import manage

    return getattr(manage, name)
