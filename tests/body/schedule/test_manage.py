"""Which backend a machine gets, how one takes the place of another, and what is wrong with a schedule."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from soulsync.body import schedule
from soulsync.body.config import Config
from soulsync.body.home import Home
from soulsync.body.schedule import cron, machine, manage, run
from soulsync.body.schedule.job import Job, name_of, search_path
from soulsync.body.schedule.record import Schedule, ScheduledRun
from soulsync.errors import SoulSyncError, UsageError
from tests.schedules import Clockwork

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def clockwork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path) -> Clockwork:
    """A machine with cron and the user's systemd, both of the test's own; ``home`` is empty."""
    clockwork = Clockwork(tmp_path / "programs", "crontab", "systemctl")
    clockwork.add("loginctl", "echo Linger=yes")
    monkeypatch.setenv("PATH", clockwork.path)
    monkeypatch.delenv("PREFIX", raising=False)
    return clockwork


@pytest.fixture
def kaoru(clockwork: Clockwork, home: Path) -> Home:
    return Home(home / ".soulsync" / "kaoru")


@pytest.fixture
def config(kaoru: Home) -> Config:
    return Config("kaoru", "laptop", kaoru.default_soul, None)


def test_the_units_are_written_and_started(kaoru: Home, config: Config, clockwork: Clockwork) -> None:
    done = schedule.install(kaoru, config, "10m", "systemd")
    assert (done.backend, done.every, done.notes) == ("systemd", 600, [])
    timer = kaoru.root.parents[1] / ".config/systemd/user/soulsync-kaoru.timer"
    assert done.where == str(timer)
    assert timer.with_suffix(".service").is_file()
    told = clockwork.told("systemctl")
    started = ["--user daemon-reload", "--user enable soulsync-kaoru.timer", "--user restart soulsync-kaoru.timer"]
    assert told[-3:] == started
    assert schedule.state(kaoru, config).problems == []
    assert schedule.remove(kaoru) == ["removed the timer soulsync-kaoru.timer"]
    assert not list(timer.parent.iterdir())
    assert "--user disable --now soulsync-kaoru.timer" in clockwork.told("systemctl")
    assert schedule.remove(kaoru) == []


def test_what_keeps_a_timer_from_running_is_said(kaoru: Home, config: Config, clockwork: Clockwork) -> None:
    clockwork.add("loginctl", "echo Linger=no")
    assert "enable-linger" in schedule.install(kaoru, config, backend="systemd").notes[0]
    clockwork.add("systemctl", '[ "$2" != is-active ]')
    [(problem, remedy)] = schedule.state(kaoru, config).problems
    assert "not active" in problem
    assert "schedule install" in remedy
    clockwork.add("systemctl", "exit 1")
    [note] = schedule.install(kaoru, config, backend="systemd").notes
    assert "systemctl --user enable --now soulsync-kaoru.timer" in note
    [(problem, remedy)] = schedule.state(kaoru, config).problems
    assert "does not answer" in problem
    assert "systemctl --user enable --now soulsync-kaoru.timer" in remedy


def test_a_systemd_that_refuses_is_told(kaoru: Home, config: Config, clockwork: Clockwork) -> None:
    clockwork.add("systemctl", '[ "$2" != enable ] || { echo "Unit is masked." >&2; exit 1; }')
    with pytest.raises(SoulSyncError, match=r"enable soulsync-kaoru.timer failed: Unit is masked\."):
        schedule.install(kaoru, config, backend="systemd")


def test_one_backend_takes_the_place_of_another(kaoru: Home, config: Config, clockwork: Clockwork) -> None:
    clockwork.table.write_text("5 4 * * * backup\n")
    schedule.install(kaoru, config, backend="cron")
    schedule.install(kaoru, config, backend="systemd")
    assert clockwork.table.read_text() == "5 4 * * * backup\n"
    schedule.install(kaoru, config, backend="cron")
    assert len(clockwork.lines()) == 1
    assert not list((kaoru.root.parents[1] / ".config/systemd/user").iterdir())
    assert schedule.state(kaoru, config).backend == "cron"


def test_a_crontab_of_ours_alone_goes_as_it_came(kaoru: Home, config: Config, clockwork: Clockwork) -> None:
    schedule.install(kaoru, config, backend="cron")
    assert schedule.remove(kaoru)
    assert not clockwork.table.exists()


def test_a_schedule_that_is_gone_or_changed_is_noticed(kaoru: Home, config: Config, clockwork: Clockwork) -> None:
    assert schedule.state(kaoru, config).problems == []
    schedule.install(kaoru, config, 300, "cron")
    assert schedule.state(kaoru, config).problems == []
    clockwork.table.write_text(clockwork.table.read_text().replace("/5 ", "/7 "))
    [(problem, _)] = schedule.state(kaoru, config).problems
    assert "not what this soulsync would write" in problem
    clockwork.table.unlink()
    found = schedule.state(kaoru, config)
    assert (found.backend, found.line) == (None, None)
    assert "gone from cron" in found.problems[0][0]


def test_a_schedule_that_does_not_run_is_noticed(kaoru: Home, config: Config, clockwork: Clockwork) -> None:
    schedule.install(kaoru, config, "5m", "cron")
    long_ago = "2020-01-01T00:00:00.000Z"
    ScheduledRun(long_ago).save(kaoru)
    [(problem, remedy)] = schedule.state(kaoru, config).problems
    assert long_ago in problem
    assert "Does cron run" in remedy
    assert run.begin(kaoru, 0)
    assert schedule.state(kaoru, config).problems == []


def test_two_intervals_and_a_while_may_pass_in_silence() -> None:
    then = datetime(2026, 11, 30, tzinfo=UTC).timestamp()
    last = "2026-11-30T00:00:00.000Z"
    assert not manage.is_late(300, last, then + 1200)
    assert manage.is_late(300, last, then + 1201)
    assert not manage.is_late(300, None, then)
    assert not manage.is_late(300, last, then - 9000)


def test_a_state_that_was_lost_leaves_the_schedule_known(kaoru: Home, config: Config, clockwork: Clockwork) -> None:
    schedule.install(kaoru, config, "5m", "cron")
    Schedule.file(kaoru).write_text("{damaged")
    found = schedule.state(kaoru, config)
    assert (found.backend, found.every, found.problems) == ("cron", None, [])
    assert schedule.remove(kaoru)
    assert clockwork.lines() == []


def test_a_scheduled_run_finds_the_programs_of_whoever_installed_it(
    kaoru: Home, config: Config, clockwork: Clockwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    clockwork.add("git", f'exec {shutil.which("git")} "$@"')
    schedule.install(kaoru, config, backend="cron")
    monkeypatch.delenv("PATH")
    run.begin(kaoru, 0)
    assert os.environ["PATH"].split(":")[0] == str(clockwork.folder)
    monkeypatch.setenv("PATH", str(clockwork.folder / "nothing"))
    with pytest.raises(SoulSyncError, match="git is missing"):
        search_path()


def test_the_machine_chooses_what_it_has(clockwork: Clockwork, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert machine.choose() == "launchd"
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("PREFIX", "/data/data/com.termux/files/usr")
    assert machine.choose() == "cron"
    monkeypatch.delenv("PREFIX")
    (clockwork.folder / "crontab").unlink()
    monkeypatch.setenv("PATH", str(clockwork.folder))
    clockwork.add("systemctl", ":")
    assert machine.choose() == "systemd"
    clockwork.add("systemctl", "exit 1")
    with pytest.raises(SoulSyncError, match=r"soulsync watch"):
        machine.choose()
    clockwork.add("crontab")
    assert machine.choose() == "cron"


def test_what_can_not_be_scheduled_changes_nothing(kaoru: Home, config: Config, clockwork: Clockwork) -> None:
    for every, backend, error in (("0m", "cron", UsageError), ("7m", "cron", UsageError), ("5m", "at", UsageError)):
        with pytest.raises(error):
            schedule.install(kaoru, config, every, backend)
    line_break = Home(kaoru.root.parent / "a\nb" / "kaoru")
    with pytest.raises(UsageError, match="can't hold"):
        schedule.install(line_break, config, backend="cron")
    assert clockwork.lines() == []
    assert schedule.state(kaoru, config).backend is None


def test_an_interpreter_that_can_not_start_soulsync_is_not_scheduled(kaoru: Home, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho 'No module named soulsync' >&2\nexit 1\n")
    python.chmod(0o755)
    with pytest.raises(SoulSyncError, match="No module named soulsync"):
        Job(kaoru, "laptop", 300, str(python)).check()
    with pytest.raises(SoulSyncError, match="can't be run"):
        Job(kaoru, "laptop", 300, str(tmp_path / "gone")).check()


def test_an_agent_in_another_folder_has_a_name_of_its_own(kaoru: Home, tmp_path: Path) -> None:
    assert name_of(kaoru) == "kaoru"
    names = {name_of(Home(tmp_path / base / "kaoru")) for base in ("a", "b")}
    assert len(names) == 2
    assert all(name.startswith("kaoru.") for name in names)


def test_a_program_that_hangs_is_given_up(clockwork: Clockwork, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("soulsync.body.schedule.programs.SECONDS", 0.2)
    (clockwork.folder / "crontab").write_text("#!/bin/sh\nexec sleep 20\n")
    with pytest.raises(SoulSyncError, match="no answer"):
        cron.read()
