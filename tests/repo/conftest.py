"""A soul with the base files, for the tests of this folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.repo.helpers import Lab

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """A soul without a commit."""
    return Lab(tmp_path)
