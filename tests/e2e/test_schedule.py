"""The recurring sync: put into a crontab, run as cron runs it, backed off, taken out."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock

from tests.bodies import REPO, Body, Remote, over_ssh
from tests.schedules import Clockwork, at, at_once, by_cron, punctual

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import OpenSSHServer

LOCAL = "SOUL_ALLOW_LOCAL_REMOTE=1"
OTHERS = b"# my jobs\nMAILTO=me\n\n5 4 * * *  backup\t--all # nightly \r\n@reboot \xff\xfe%odd\n"
ODD = "odd $x 100% %d 'q\" \\ 句子"


@pytest.fixture
def clockwork(tmp_path: Path) -> Clockwork:
    return Clockwork(tmp_path / "programs", "crontab")


@pytest.fixture
def body(one: Body, clockwork: Clockwork) -> Body:
    return at(one, clockwork)


def install(body: Body, *options: str, agent: str = "kaoru") -> dict[str, Any]:
    said = body.ok("--agent", agent, "schedule", "install", "--backend", "cron", "--json", *options)
    return dict(json.loads(said))


def show(body: Body) -> dict[str, Any]:
    return dict(json.loads(body.ok("schedule", "show", "--json")))


def silent(line: str) -> None:
    done = by_cron(at_once(line), LOCAL)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_line_syncs_over_ssh_in_an_empty_environment(
    openssh: OpenSSHServer, tmp_path: Path, clockwork: Clockwork
) -> None:
    openssh.create(REPO)
    body = at(over_ssh(openssh, tmp_path / "one", punctual()), clockwork)
    install(body)
    [line] = clockwork.lines()
    body.remember("by the clock")
    done = by_cron(line)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert body.status()["ahead"] == 0
    assert body.clean()


def test_the_line_works_from_an_odd_folder(remote: Remote, tmp_path: Path, clockwork: Clockwork) -> None:
    body = at(remote.body(tmp_path / ODD, punctual()), clockwork)
    body.init()
    install(body)
    body.remember("from an odd place")
    silent(clockwork.lines()[0])
    assert "from an odd place" in remote.git("show", "main:memories/MEMORY.md")


def test_everything_else_in_the_crontab_stays(body: Body, clockwork: Clockwork) -> None:
    clockwork.table.write_bytes(OTHERS)
    install(body)
    assert clockwork.table.read_bytes().startswith(OTHERS)
    [first] = clockwork.lines()
    install(body, "--every", "10m")
    [second] = clockwork.lines()
    assert first != second
    assert clockwork.table.read_bytes() == OTHERS + second.encode() + b"\n"
    assert "removed the line of kaoru" in body.ok("schedule", "remove")
    assert clockwork.table.read_bytes() == OTHERS
    assert body.ok("schedule", "remove") == "Nothing was scheduled.\n"


def test_show_and_status_tell_how_it_stands(body: Body, clockwork: Clockwork) -> None:
    assert "Nothing is scheduled" in body.ok("schedule", "show")
    assert (body.status()["schedule"], body.status()["backoff"]) == (None, None)
    assert install(body, "--every", "1h") == {"backend": "cron", "every": 3600, "where": "crontab", "notes": []}
    install(body)
    silent(clockwork.lines()[0])
    found = show(body)
    assert (found["backend"], found["every"], found["problems"]) == ("cron", 300, [])
    assert found["line"] == clockwork.lines()[0]
    assert found["last_run"] == body.status()["schedule"]["last_run"]
    assert "every 5m by cron, last started" in body.ok("status")
    said = body.ok("schedule", "show")
    assert "Syncs every 5m by cron." in said
    assert clockwork.lines()[0] in said


def test_failures_that_repeat_keep_the_schedule_away_and_a_sync_by_hand_ends_it(
    body: Body, remote: Remote, clockwork: Clockwork
) -> None:
    install(body)
    [line] = clockwork.lines()
    away = remote.path.rename(remote.path.with_name("away"))
    for _ in range(3):
        done = by_cron(at_once(line), LOCAL)
        assert (done.returncode, len(done.stderr.splitlines())) == (4, 1)
    before = body.status()
    assert before["backoff"]["failures"] == 3
    assert before["backoff"]["until"] > before["last_sync"]
    assert "after 3 failures" in body.ok("status")
    lines = (body.home / "sync.log").read_text().count("\n")
    body.remember("waits")
    silent(line)
    assert "waits" in body.git("show", "HEAD:memories/MEMORY.md")  # away from the server, and safe all the same
    after = body.status()
    assert (after["last_sync"], after["failures"]) == (before["last_sync"], 3)
    assert after["schedule"]["last_run"] > before["schedule"]["last_run"]
    assert (body.home / "sync.log").read_text().count("\n") == lines
    body.fails(4, "sync")  # a person is never put off
    assert body.status()["failures"] == 4
    away.rename(remote.path)
    assert body.sync()["pushed"]
    assert body.status()["backoff"] is None
    body.remember("goes at once")
    silent(line)
    assert body.status()["ahead"] == 0


def test_a_run_that_meets_another_one_is_silent(body: Body, clockwork: Clockwork) -> None:
    install(body)
    with FileLock(body.home / "state" / "sync.lock"):
        silent(clockwork.lines()[0])
        body.fails(75, "sync")


def test_a_run_for_an_agent_that_is_gone_says_so(body: Body, clockwork: Clockwork) -> None:
    install(body)
    shutil.rmtree(body.home)
    done = by_cron(at_once(clockwork.lines()[0]), LOCAL)
    assert done.returncode == 2
    assert "kaoru" in done.stderr


def test_each_agent_has_a_line_of_its_own(body: Body, clockwork: Clockwork, tmp_path: Path) -> None:
    agents = ("kaoru", "maki", "ren")
    for agent in agents[1:]:
        body.ok("init", Remote(tmp_path / "remotes" / f"{agent}.soul.git").url, "--body", body.name)
    assert "kaoru, maki, ren" in body.fails(2, "schedule", "install")
    starts = [body.start("--agent", agent, "schedule", "install", "--backend", "cron") for agent in agents]
    assert [start.wait(60) for start in starts] == [0, 0, 0]
    for start in starts:
        start.communicate()
    lines = {line.rpartition(" ")[2]: line for line in clockwork.lines()}
    assert {name.partition(".")[0] for name in lines} == set(agents)
    body.ok("--agent", "maki", "schedule", "remove")
    assert sorted(line.rpartition(" ")[2].partition(".")[0] for line in clockwork.lines()) == ["kaoru", "ren"]


def test_what_is_asked_wrongly_is_explained(body: Body, clockwork: Clockwork) -> None:
    for every in ("0m", "2d", "often"):
        assert "Write 5m" in (said := body.fails(2, "schedule", "install", "--every", every)) or "30s to 1d" in said
    assert "1m or 2m" in body.fails(2, "schedule", "install", "--backend", "cron", "--every", "90s")
    assert "backend" in body.fails(2, "schedule", "install", "--backend", "at")
    (clockwork.folder / "crontab").unlink()
    programs = clockwork.folder / "git"
    programs.symlink_to(str(shutil.which("git")))
    assert "no crontab program" in body.fails(1, "schedule", "install", "--backend", "cron", PATH=str(clockwork.folder))
    assert not (body.home / "state" / "schedule.json").exists()


def test_it_is_said_in_chinese_too(body: Body) -> None:
    said = body.ok("--lang", "zh", "schedule", "install", "--backend", "cron")
    assert "由 cron 每 5m 同步一次" in said
    assert "每 5m 一次" in body.ok("--lang", "zh", "status")
