"""The soul of a body, opened for reading; light, for commands that neither merge nor connect."""

from __future__ import annotations

import os

from soulsync.repo.soul import Soul

TYPE_CHECKING = False
if TYPE_CHECKING:
    from soulsync.body.config import Config
    from soulsync.body.home import Home


def local_allowed() -> bool:
    """Whether tests ask for a path as the remote (soul-repo-v4 §7)."""
    return os.environ.get("SOUL_ALLOW_LOCAL_REMOTE") == "1"


def open_soul(home: Home, config: Config) -> Soul:
    """The configured soul with the engine's own git directory."""
    return Soul(config.soul, home.state / "git", allow_local=local_allowed())
