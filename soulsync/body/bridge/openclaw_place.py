"""Where OpenClaw keeps things: its state folder and the workspace of its agent (bridges §3)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.errors import UsageError
from soulsync.formats import json_text
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG = "openclaw.json"
MAX_CONFIG = 1 << 20
"""Bytes; a larger file is not read."""


def state_folder(env: Mapping[str, str] = os.environ, profile: str | None = None) -> Path:
    """The state folder: ``$OPENCLAW_STATE_DIR``, else that of a profile, given or ``$OPENCLAW_PROFILE``, else its own.

    A profile that is given goes before the environment. Raises ``UsageError`` (2) for one that can't be a folder.
    """
    if profile is None and (chosen := env.get("OPENCLAW_STATE_DIR", "").strip()):
        return Path(chosen).expanduser().absolute()
    name = (profile or env.get("OPENCLAW_PROFILE", "")).strip()
    if name.lower() in ("", "default"):
        return Path("~/.openclaw").expanduser()
    if "/" in name or not name.isprintable():
        raise UsageError(tr("{name} is no profile of OpenClaw.", name=repr(name)), tr("Give its name alone."))
    return Path("~").expanduser() / f".openclaw-{name}"


def workspace(env: Mapping[str, str] = os.environ, profile: str | None = None) -> Path:
    """The workspace: ``$OPENCLAW_WORKSPACE_DIR``, else what OpenClaw's config names, else the one in its state folder.

    A profile that is given goes before the environment.
    """
    if profile is None and (chosen := env.get("OPENCLAW_WORKSPACE_DIR", "").strip()):
        return Path(chosen).expanduser().absolute()
    folder = state_folder(env, profile)
    return _configured(folder / CONFIG) or folder / "workspace"


def _configured(file: Path) -> Path | None:
    """``agents.defaults.workspace`` of the config. It may be JSON5; what is not plain JSON names nothing for us."""
    try:
        with file.open("rb") as config:
            value = json_text.parse(config.read(MAX_CONFIG))
    except (OSError, json_text.Malformed):
        return None
    for key in ("agents", "defaults", "workspace"):
        value = value.get(key) if isinstance(value, dict) else None
    return Path(value.strip()).expanduser().absolute() if isinstance(value, str) and value.strip() else None
