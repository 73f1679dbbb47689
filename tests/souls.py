"""Souls that stand ready: a remote and bodies that are connected to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bodies import Body, Remote

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def remote(tmp_path: Path) -> Remote:
    """An empty bare repository."""
    return Remote(tmp_path / "remotes" / "kaoru.soul.git")


@pytest.fixture
def one(remote: Remote, tmp_path: Path) -> Body:
    """A connected body, the first of its soul."""
    body = remote.body(tmp_path / "one", "one")
    body.init()
    return body


@pytest.fixture
def two(one: Body, remote: Remote, tmp_path: Path) -> Body:
    """A second connected body of the same soul."""
    body = remote.body(tmp_path / "two", "two")
    body.init()
    one.sync()
    return body
