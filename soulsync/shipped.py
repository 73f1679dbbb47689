"""The data that comes with soulsync beside its code: hook files and fixtures."""

from __future__ import annotations

from pathlib import Path

from soulsync.errors import SoulSyncError

PACKAGE = Path(__file__).resolve().parent


def shipped(name: str) -> Path:
    """The folder ``name`` (``hooks``, ``fixtures``): inside an installed package, beside the package in a checkout.

    Raises SoulSyncError where neither exists.
    """
    for folder in (PACKAGE / "_shipped" / name, PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise SoulSyncError(f"This installation of soulsync lacks its folder {name}.", "Install soulsync again.")
