"""The folder of one agent on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from soulsync.body import home as homes
from soulsync.body.home import Home
from soulsync.errors import UsageError


def test_base_by_option_by_environment_and_by_default(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert homes.base("/somewhere") == Path("/somewhere")
    assert homes.base("~/x") == home / "x"
    monkeypatch.setenv("SOULSYNC_HOME", "~/y")
    assert homes.base() == home / "y"
    monkeypatch.delenv("SOULSYNC_HOME")
    assert homes.base() == home / ".soulsync"


def test_base_under_cron_without_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOULSYNC_HOME", raising=False)
    monkeypatch.delenv("HOME")
    assert homes.base().name == ".soulsync"
    assert homes.base().is_absolute()


def test_a_relative_home_is_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert homes.base("here") == tmp_path / "here"


def test_agents_are_the_folders_with_a_config(tmp_path: Path) -> None:
    for name, config in (("b", True), ("a", True), ("half", False), ("Not-a-name", True), (".x", True)):
        (tmp_path / name).mkdir()
        if config:
            (tmp_path / name / "config.toml").touch()
    (tmp_path / "file").touch()
    assert homes.agents(tmp_path) == ["a", "b"]
    assert homes.agents(tmp_path / "none") == []


def test_make_closes_what_was_open(tmp_path: Path) -> None:
    root = tmp_path / "base" / "kaoru"
    root.mkdir(parents=True)
    root.chmod(0o777)
    Home(root).make()
    assert [p.stat().st_mode & 0o777 for p in (root, root / "state")] == [0o700, 0o700]


def test_make_in_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "base").write_text("")
    with pytest.raises(UsageError):
        Home(tmp_path / "base" / "kaoru").make()
