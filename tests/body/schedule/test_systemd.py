"""The user timer: its form, by systemd's own judgement where systemd is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from configparser import ConfigParser
from typing import TYPE_CHECKING

import pytest

from soulsync.body.home import Home
from soulsync.body.schedule import interval, systemd
from soulsync.body.schedule.job import Job

if TYPE_CHECKING:
    from pathlib import Path

ODD = "odd $x 100% \\ 'q\" 句"


def job(base: Path, every: str = "5m", python: str = sys.executable) -> Job:
    return Job(Home(base / "kaoru"), "laptop", interval.seconds(every), python)


def read(text: str) -> ConfigParser:
    parser = ConfigParser(interpolation=None, comment_prefixes=("#",), delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(text)
    return parser


def words(command: str) -> list[str]:
    """The words of a command line as systemd.service(5) reads them."""
    found = re.findall(r'"((?:[^"\\]|\\.)*)"', command)
    assert " ".join(f'"{word}"' for word in found) == command
    return [re.sub(r"\\(.)", r"\1", word).replace("%%", "%").replace("$$", "$") for word in found]


def judged(folder: Path, files: dict[str, str]) -> None:
    """Let systemd look at the units, where it is installed."""
    for name, text in files.items():
        (folder / name).write_text(text)
    if shutil.which("systemd-analyze"):
        argv = ["systemd-analyze", "verify", "--user", *(str(folder / name) for name in files)]
        env = {**os.environ, "XDG_RUNTIME_DIR": str(folder)}
        done = subprocess.run(argv, env=env, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("every", ["30s", "90s", "1m", "5m", "1h", "2h", "1d"])
def test_the_units_are_well_formed(every: str, tmp_path: Path) -> None:
    files = systemd.render(job(tmp_path / "base", every))
    service, timer = (read(text) for text in files.values())
    assert [name.rpartition(".")[2] for name in files] == ["service", "timer"]
    assert service["Service"]["Type"] == "oneshot"
    assert timer["Install"]["WantedBy"] == "timers.target"
    assert int(timer["Timer"]["RandomizedDelaySec"].removesuffix("s")) <= interval.seconds(every) / 10
    on_the_calendar = interval.on_the_calendar(interval.seconds(every))
    assert ("Persistent" in timer["Timer"]) == ("OnCalendar" in timer["Timer"]) == on_the_calendar
    judged(tmp_path, files)


def test_an_odd_path_reaches_the_program_as_it_is(tmp_path: Path) -> None:
    base = tmp_path / ODD
    base.mkdir()
    python = base / "python"
    python.symlink_to(sys.executable)
    odd = job(base, python=str(python))
    files = systemd.render(odd)
    command = read(next(iter(files.values())))["Service"]["ExecStart"]
    assert words(command) == ["/bin/sh", "-c", 'exec "$0" "$@"', *odd.words(0)]
    judged(tmp_path, files)
    done = subprocess.run(
        [*words(command)[:5], "-c", "import sys; print('started')"], capture_output=True, timeout=60, check=True
    )
    assert done.stdout == b"started\n"


def test_a_plain_path_needs_no_shell(tmp_path: Path) -> None:
    plain = job(tmp_path, python="/usr/bin/python3")
    command = read(next(iter(systemd.render(plain).values())))["Service"]["ExecStart"]
    assert words(command) == plain.words(0)


def test_units_lie_where_the_users_systemd_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert systemd.folder() == tmp_path / ".config/systemd/user"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    assert systemd.folder() == tmp_path / "xdg/systemd/user"
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    assert systemd.folder() == tmp_path / ".config/systemd/user"
