"""The line in the crontab: when it runs, how it is quoted, what stays around it."""

from __future__ import annotations

import os
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.body.home import Home
from soulsync.body.schedule import cron, interval
from soulsync.body.schedule.job import Job
from soulsync.errors import SoulSyncError, UsageError
from tests.schedules import Clockwork

NAME = "kaoru"
LINE = b"1-59/5 * * * * /usr/bin/python -m soulsync sync # soulsync schedule: kaoru"
OTHER = LINE.replace(b"kaoru", b"maki")
ODD = [
    "plain",
    "with space",
    "100%",
    "%",
    "it's",
    'say "x"',
    "$HOME",
    "`id`",
    "back\\slash",
    "two\\\\",
    "a\\%b",
    "句子",
    "",
]


def job(every: str, body: str = "laptop", base: str = "/home/me/.soulsync") -> Job:
    return Job(Home(Path(base) / NAME), body, interval.seconds(every), "/usr/bin/python3")


def minutes(line: str) -> list[int]:
    """The minutes of a day at which a line runs, by its first two fields."""
    minute, hour, *_ = line.split(" ")
    return [60 * h + m for h in numbers(hour, 24) for m in numbers(minute, 60)]


def numbers(field: str, end: int) -> list[int]:
    if field == "*":
        return list(range(end))
    start, dash, rest = field.partition("-")
    if not dash:
        return [int(field)]
    last, _, step = rest.partition("/")
    return list(range(int(start), int(last) + 1, int(step)))


@pytest.mark.parametrize("body", ["laptop", "phone", "server"])
@pytest.mark.parametrize("every", interval.STEPS)
def test_it_runs_at_even_intervals_around_the_day(every: int, body: str) -> None:
    found = minutes(cron.render(job(interval.text(every), body)))
    around = [*found, found[0] + 24 * 60]
    assert {(after - before) * 60 for before, after in pairwise(around)} == {every}


@pytest.mark.parametrize(("every", "said"), [("7m", "6m or 10m"), ("90s", "1m or 2m"), ("30s", "take 1m")])
def test_what_cron_can_not_repeat_is_refused_with_what_it_can(every: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        cron.render(job(every))


@pytest.mark.parametrize("cron_takes_the_backslash_out", [True, False])
@pytest.mark.parametrize("word", ODD)
def test_a_word_reaches_the_program_as_it_is(word: str, cron_takes_the_backslash_out: bool) -> None:
    quoted = cron.quoted(word)
    assert "%" not in quoted.replace("\\%", "")
    passed_on = quoted.replace("\\%", "%") if cron_takes_the_backslash_out else quoted
    command = f"printf '[%s]' {passed_on}"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=True, timeout=30)
    assert done.stdout == os.fsencode(f"[{word}]")


def test_no_two_backslashes_follow_each_other() -> None:
    assert all("\\\\" not in cron.quoted(word) for word in ODD)


@given(st.binary(max_size=200).filter(lambda table: b"soulsync" not in table))
def test_every_other_byte_stays(table: bytes) -> None:
    with_ours = cron.with_line(table, LINE, NAME)
    assert cron.find(with_ours, NAME) == LINE
    ended = table if not table or table.endswith(b"\n") else table + b"\n"
    assert cron.without_line(with_ours, NAME) == ended
    assert with_ours.startswith(table)


def test_a_new_line_takes_the_place_of_the_old_one() -> None:
    table = b"# above\n" + LINE + b"\n" + OTHER + b"\n# below\n" + LINE + b"\n"
    new = LINE.replace(b"1-59/5", b"4-59/10")
    assert cron.with_line(table, new, NAME) == b"# above\n" + new + b"\n" + OTHER + b"\n# below\n"


def test_the_line_of_another_agent_is_not_ours() -> None:
    for other in (OTHER, LINE + b"2", LINE.replace(b": kaoru", b": kaoru.1a2b3c4d"), b"# " + LINE):
        assert cron.find(other + b"\n", NAME) is None
        assert cron.without_line(other + b"\n", NAME) == other + b"\n"


def test_a_crontab_that_can_not_be_read_is_not_taken_for_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clockwork = Clockwork(tmp_path / "programs", "crontab")
    clockwork.table.write_bytes(b"precious\n")
    monkeypatch.setenv("PATH", clockwork.path)
    assert cron.read() == b"precious\n"
    (clockwork.folder / "crontab").write_text("#!/bin/sh\necho 'You are not allowed to use this program' >&2; exit 1\n")
    with pytest.raises(SoulSyncError, match="not allowed"):
        cron.install(job("5m"))
    with pytest.raises(SoulSyncError, match="not allowed"):
        cron.remove(job("5m").home)
    assert clockwork.table.read_bytes() == b"precious\n"


@pytest.mark.parametrize(
    "said", ["no crontab for me", "crontab: no crontab for me", "crontab: can't open 'me': No such file"]
)
def test_no_crontab_yet_is_an_empty_one(said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "crontab"
    program.write_text(f'#!/bin/sh\necho "{said}" >&2\nexit 1\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert cron.read() == b""


def test_a_crontab_that_cron_rejects_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", Clockwork(tmp_path / "programs", "crontab").path)
    with pytest.raises(SoulSyncError, match="missing newline"):
        cron.write(b"no newline")


def test_without_a_crontab_program_there_is_a_way(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SoulSyncError, match="soulsync watch"):
        cron.install(job("5m"))
    monkeypatch.setenv("PREFIX", "/data/data/com.termux/files/usr")
    with pytest.raises(SoulSyncError, match="pkg install cronie"):
        cron.install(job("5m"))
    assert cron.remove(job("5m").home) == []


def test_a_line_of_ones_own_is_pointed_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clockwork = Clockwork(tmp_path / "programs", "crontab")
    clockwork.table.write_text("*/5 * * * * /usr/bin/soulsync sync --quiet\n")
    monkeypatch.setenv("PATH", clockwork.path)
    monkeypatch.delenv("PREFIX", raising=False)
    [note] = cron.install(job("5m"))
    assert "line of your own" in note
    assert clockwork.table.read_text().startswith("*/5 * * * * /usr/bin/soulsync sync --quiet\n")
