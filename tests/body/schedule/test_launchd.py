"""The property list for launchd."""

from __future__ import annotations

import plistlib
from typing import TYPE_CHECKING

import pytest

from soulsync.body.home import Home
from soulsync.body.schedule import launchd
from soulsync.body.schedule.job import Job
from soulsync.errors import SoulSyncError
from tests.schedules import Clockwork

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Job:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Job(Home(tmp_path / "odd & <x> 'q\" 句 100%" / "kaoru"), "laptop", 90, "/opt/my python/python3")


def test_it_holds_the_words_as_they_are(odd: Job) -> None:
    values = plistlib.loads(launchd.render(odd))
    assert values["ProgramArguments"] == odd.words(odd.pause)
    assert values["StartInterval"] == 90
    assert values["Label"].startswith("soulsync.kaoru.")


def test_it_is_loaded_and_unloaded(odd: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clockwork = Clockwork(tmp_path / "programs", "launchctl")
    monkeypatch.setenv("PATH", clockwork.path)
    assert launchd.install(odd) == []
    file = launchd.file(odd.home)
    assert file.parent == tmp_path / "home/Library/LaunchAgents"
    assert launchd.standing(odd.home) == launchd.wanted(odd)
    assert launchd.sleeping(odd.home) is None
    assert launchd.remove(odd.home)
    assert not file.exists()
    assert launchd.remove(odd.home) == []
    assert [line.split()[0] for line in clockwork.told("launchctl")] == ["bootout", "bootstrap", "print", "bootout"]


def test_what_launchctl_says_is_told(odd: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clockwork = Clockwork(tmp_path / "programs")
    clockwork.add("launchctl", "echo 'Bootstrap failed: 125' >&2; exit 125")
    monkeypatch.setenv("PATH", clockwork.path)
    with pytest.raises(SoulSyncError, match="Bootstrap failed"):
        launchd.install(odd)
    assert "not loaded" in str(launchd.sleeping(odd.home))
