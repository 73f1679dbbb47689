from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.stores.oxsoul.places import Place

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """The user's own place in a store that is empty so far."""
    root = tmp_path / "store"
    root.mkdir()
    return Place(root, "")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A folder to import from."""
    folder = tmp_path / "source"
    folder.mkdir()
    return folder
