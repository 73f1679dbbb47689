"""Souls that stand ready: a remote and bodies that are connected to it.

They are connected once by the real ``init`` and copied for each test, with the paths in their files made right.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.bodies import Body, Remote

if TYPE_CHECKING:
    from pathlib import Path

REMOTE = "remotes/kaoru.soul.git"


@pytest.fixture(scope="session")
def connected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two folders to copy: ``one`` with the body ``one``, ``two`` with the bodies ``one`` and ``two``."""
    folders = {}
    for number, name in enumerate(("one", "two")):
        folder = tmp_path_factory.mktemp(f"connected-{name}")
        remote = Remote(folder / REMOTE)
        bodies = [remote.body(folder / body, body) for body in ("one", "two")[: number + 1]]
        for body in bodies:
            body.init()
        bodies[0].sync()
        folders[name] = folder
    return folders


@pytest.fixture
def remote(tmp_path: Path, request: pytest.FixtureRequest) -> Remote:
    """A bare repository: empty, or that of the bodies that the test asks for."""
    if "one" not in request.fixturenames:
        return Remote(tmp_path / REMOTE)
    pattern: Path = request.getfixturevalue("connected")["two" if "two" in request.fixturenames else "one"]
    shutil.copytree(pattern, tmp_path, symlinks=True, dirs_exist_ok=True)
    for file in _texts(tmp_path):
        file.write_bytes(file.read_bytes().replace(str(pattern).encode(), str(tmp_path).encode()))
    for link in (path for path in tmp_path.rglob("*") if path.is_symlink()):
        target = str(link.readlink()).replace(str(pattern), str(tmp_path))
        link.unlink()
        link.symlink_to(target)
    return Remote(tmp_path / REMOTE, create=False)


def _texts(folder: Path) -> list[Path]:
    """The files that may name where they lie: settings, hooks, state."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return [path for path in files if path.name in ("config", "config.toml") or path.parent.name in ("hooks", "state")]


@pytest.fixture
def one(remote: Remote, tmp_path: Path) -> Body:
    """A connected body, the first of its soul."""
    return remote.body(tmp_path / "one", "one")


@pytest.fixture
def two(one: Body, remote: Remote, tmp_path: Path) -> Body:
    """A second connected body of the same soul; both are in step."""
    return remote.body(tmp_path / "two", "two")
