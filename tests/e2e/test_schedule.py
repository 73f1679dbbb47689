"""The recurring sync: put into a crontab, run as cron runs it, taken out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.bodies import REPO, Body, Remote, over_ssh
from tests.schedules import Clockwork, at, by_cron, punctual

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import OpenSSHServer

LOCAL = "SOUL_ALLOW_LOCAL_REMOTE=1"
OTHERS = b"# my jobs\nMAILTO=me\n\n5 4 * * *  backup\t--all # nightly \r\n@reboot \xff\xfe%odd\n"


@pytest.fixture
def clockwork(tmp_path: Path) -> Clockwork:
    return Clockwork(tmp_path / "programs", "crontab")


@pytest.fixture
def body(remote: Remote, tmp_path: Path, clockwork: Clockwork) -> Body:
    """A connected body that has its turn at once."""
    name = punctual()
    body = at(remote.body(tmp_path / name, name), clockwork)
    body.init()
    return body


def install(body: Body, *options: str) -> dict[str, object]:
    return dict(json.loads(body.ok("schedule", "install", "--backend", "cron", "--json", *options)))


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
