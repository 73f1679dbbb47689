"""The recurring sync: ``install``, ``remove`` and ``state``, by cron, systemd or launchd."""

from __future__ import annotations

from soulsync.body.schedule.manage import EVERY, LOCK, Installed, State, install, remove, state

__all__ = ["EVERY", "LOCK", "Installed", "State", "install", "remove", "state"]
