"""Fixtures that every room of the tests may use."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from soulsync import lang
from tests import profiles
from tests.servers import EmbeddedServer, OpenSSHServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers import GitServer

for _name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
    os.environ.pop(_name, None)
os.environ["LANG"] = "C.UTF-8"  # messages are compared in English, whatever the language of who runs the tests

profiles.load()


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    """No test speaks on in the language that another chose, or that an agent suggested."""
    yield
    lang.forget()


@pytest.fixture(params=["embedded", "openssh"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GitServer]:
    """A running git server; each test that asks for it runs against both kinds."""
    kind = {"embedded": EmbeddedServer, "openssh": OpenSSHServer}[request.param]
    with kind(tmp_path / "server") as running:
        yield running


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """The embedded server alone, for tests that are not about servers."""
    with EmbeddedServer(tmp_path / "server") as running:
        yield running


@pytest.fixture
def openssh(tmp_path: Path) -> Iterator[OpenSSHServer]:
    """A real sshd alone."""
    with OpenSSHServer(tmp_path / "server") as running:
        yield running


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder of its own, without git identity, soulsync settings or ssh agent from outside."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in ("SOULSYNC_HOME", "SOULSYNC_AGENT", "SOULSYNC_DEBUG", "SOUL_ALLOW_LOCAL_REMOTE", "OXSOUL_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("SSH_AUTH_SOCK", "GIT_SSH_COMMAND", "GIT_DIR", "GIT_WORK_TREE", "GIT_CONFIG_PARAMETERS"):
        monkeypatch.delenv(name, raising=False)
    for kind in ("AUTHOR", "COMMITTER"):
        for what in ("NAME", "EMAIL", "DATE"):
            monkeypatch.delenv(f"GIT_{kind}_{what}", raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("SOULSYNC_HOME", str(folder / ".soulsync"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return folder
