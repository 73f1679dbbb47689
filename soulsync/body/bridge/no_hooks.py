"""For a framework that runs no commands of others: hooks are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.errors import UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soulsync.body.bridge.record import Bridge


def install_hooks(bridge: Bridge, _agent: str, _words: Sequence[str]) -> None:
    """Raise ``UsageError`` (2)."""
    raise UsageError(
        tr("{framework} has no hooks.", framework=bridge.framework),
        tr("Leave out `--hooks`; every `soulsync sync` runs the bridge."),
    )


def remove_hooks(_bridge: Bridge, _agent: str) -> bool:
    """There are none."""
    return False
