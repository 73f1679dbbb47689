"""The sync with which a body first meets its soul: it fills in what is missing, and may take a name over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.body.own_name import NameTakenError as NameTakenError
from soulsync.body.sync import SyncRun

if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.body.engine import Engine
    from soulsync.body.home import Home


class JoinRun(SyncRun):
    """A sync of a body that may not have been in this soul yet. ``replace``: its name is ours, whoever has it."""

    def __init__(self, home: Home, config: Config, *, identity: bytes, replace: bool) -> None:
        super().__init__(home, config, identity=identity)
        self._replace = replace

    def first_meeting(self, engine: Engine, tip: str) -> None:
        """As in every sync, unless this machine takes the place of the body that has its name."""
        if not self._replace:
            super().first_meeting(engine, tip)
