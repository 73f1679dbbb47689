"""Folders that a command line names, to be used or made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.errors import UsageError
from soulsync.files import in_the_way
from soulsync.lang import tr

if TYPE_CHECKING:
    from pathlib import Path


def usable(folder: Path, remedy: str) -> Path:
    """``folder``, which is one or can become one; a file in the way is a ``UsageError`` (2) with ``remedy``."""
    other = in_the_way(folder)
    if other is not None:
        raise UsageError(tr("{path} is no folder.", path=other), remedy)
    return folder
