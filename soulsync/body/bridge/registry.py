"""Which frameworks a bridge can be built to, and what the module of each offers."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from soulsync.body.bridge.mapping import Pairing
    from soulsync.body.bridge.record import Bridge

MODULES: dict[str, str] = {
    "hermes": "soulsync.body.bridge.hermes",
    "openclaw": "soulsync.body.bridge.openclaw",
    "claude-code": "soulsync.body.bridge.claude_code",
    "oxsoul": "soulsync.body.bridge.oxsoul",
    "cortex": "soulsync.body.bridge.cortex",
}
"""Module by the name of the framework."""
MADE = frozenset({"claude-code", "oxsoul", "cortex"})
"""The frameworks whose folder appears with the first memory; that of the others shows that they are installed."""


class Framework(Protocol):
    """What the module of a framework offers."""

    TITLE: str
    """What people call it."""

    def locate(self, path: str | None, project: str | None, env: Mapping[str, str]) -> Path:
        """The framework's folder: ``--path``, else as the framework finds it. It need not exist.

        Raises ``UsageError`` (2) where that or ``project`` makes no sense.
        """

    def mappings(self, bridge: Bridge, body: str) -> list[Pairing]:
        """What is held alike between ``bridge.path`` and the soul, on the body ``body``."""

    def install_hooks(self, bridge: Bridge, agent: str, words: Sequence[str]) -> None:
        """Let the framework run ``words`` when a session ends. Raises ``SoulSyncError`` where it can't be told."""

    def remove_hooks(self, bridge: Bridge, agent: str) -> bool:
        """Take out what ``install_hooks`` put in; whether anything was there."""


def framework(name: str) -> Framework:
    """The framework of a name in ``MODULES``."""
    return cast(Framework, import_module(MODULES[name]))
