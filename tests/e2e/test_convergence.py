"""Random histories of three and four bodies: one tree for all in the end, and in it what the spec says (30 seeds)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.convergence import Pattern, play

if TYPE_CHECKING:
    from pathlib import Path

HISTORIES = 30


@pytest.fixture(scope="session")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Pattern:
    return Pattern(tmp_path_factory.mktemp("pattern"), 3)


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_all_bodies_come_to_one_tree(seed: int, pattern: Pattern, tmp_path: Path) -> None:
    assert play(pattern, tmp_path, seed, steps=4) == []
