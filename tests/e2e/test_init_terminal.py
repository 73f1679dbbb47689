"""``init`` with a person at the terminal, against a real sshd: asked, shown, waited for, gone on with by itself."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from soulsync.access.key import public_line
from tests.bodies import REPO, Body
from tests.schedules import Clockwork, at
from tests.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers import OpenSSHServer


@pytest.fixture
def body(openssh: OpenSSHServer, tmp_path: Path) -> Body:
    openssh.create(REPO)
    return Body(tmp_path / "home", "laptop", openssh.url(REPO))


@pytest.fixture
def clockwork(body: Body, tmp_path: Path) -> Clockwork:
    """What could start programs by the clock on this machine; only its crontab works."""
    made = Clockwork(tmp_path / "programs", "crontab", "launchctl")
    made.add("systemctl", "exit 1")
    at(body, made)
    return made


@pytest.fixture
def narrow(body: Body, clockwork: Clockwork) -> Iterator[Terminal]:
    """``init`` as it begins on a terminal of 40 columns, in a home without anything."""
    argv = body.argv("init", str(body.url))
    with Terminal(argv, env=body.env, cwd=body.folder, columns=40) as terminal:
        yield terminal


def test_from_an_empty_home_to_a_body_that_is_connected_synced_and_scheduled(
    narrow: Terminal, body: Body, openssh: OpenSSHServer
) -> None:
    narrow.until("Name of this body (this machine)")
    narrow.answer("Lap Top\n")
    narrow.until("--body lap-top")  # explained, and asked again
    narrow.answer("laptop\n")
    narrow.until("left")
    line = public_line(body.home / "id_ed25519")
    rule = "─" * 40
    assert f"{rule}\n{line}\n{rule}\n" in narrow.seen  # one line, whatever the width: it is copied as one
    assert openssh.host_keys()[0] in narrow.seen
    assert "write access" in " ".join(narrow.seen.split())
    openssh.authorize(REPO, line)
    narrow.until("[Y/n]")
    narrow.answer("\n")
    assert narrow.end() == 0
    said = " ".join(narrow.seen.split())
    assert "kaoru now lives here as laptop" in said
    assert "It syncs by itself" in said
    assert not (body.folder / ".ssh").exists()
    stands = body.status()
    assert (stands["ahead"], stands["behind"], stands["last_error"]) == (0, 0, None)
    assert stands["schedule"]["every"] == 300
    again = body.ok("init", str(body.url))
    assert "It syncs by itself" in again


def test_a_key_that_may_only_read_is_told_while_waiting(narrow: Terminal, body: Body, openssh: OpenSSHServer) -> None:
    narrow.until("(this machine)")
    narrow.answer("laptop\n")
    narrow.until("left")
    line = public_line(body.home / "id_ed25519")
    openssh.authorize(REPO, line, write=False)
    narrow.until("may only read")
    openssh.revoke(REPO, line)
    openssh.authorize(REPO, line)
    narrow.until("[Y/n]")
    narrow.answer("n\n")
    assert narrow.end() == 0
    assert body.status()["schedule"] is None
    assert narrow.seen.count(line) == 1


def test_ctrl_c_ends_the_wait_and_the_same_command_continues(
    narrow: Terminal, body: Body, openssh: OpenSSHServer
) -> None:
    narrow.until("(this machine)")
    narrow.answer("laptop\n")
    narrow.until("left")
    assert narrow.interrupt() == 130
    assert "Run the same command again" in narrow.seen
    assert "Traceback" not in narrow.seen
    line = public_line(body.home / "id_ed25519")
    openssh.authorize(REPO, line)
    with Terminal(body.argv("init", str(body.url), "--no-schedule"), env=body.env, cwd=body.folder) as again:
        assert again.end() == 0
        assert "(this machine)" not in again.seen  # what is known is not asked again
    assert public_line(body.home / "id_ed25519") == line


def test_a_name_that_another_machine_has_is_asked_about(body: Body, openssh: OpenSSHServer, tmp_path: Path) -> None:
    first = Body(tmp_path / "first", "laptop", body.url)
    for one in (first, body):
        one.run("init", str(one.url), "--body", "laptop")
        openssh.authorize(REPO, public_line(one.home / "id_ed25519"))
    first.init()
    with Terminal(body.argv("init", str(body.url), "--no-schedule"), env=body.env, cwd=body.folder) as terminal:
        terminal.until("(this machine) [laptop-2]")
        assert "Another machine is the body laptop already" in terminal.seen
        terminal.answer("\n")
        assert terminal.end() == 0
    assert body.exists("bodies/laptop-2.json")
    assert body.git("log", "--format=%an", "-1") == "kaoru (laptop-2)"
    assert public_line(body.home / "id_ed25519").endswith("kaoru@laptop-2 (soulsync)")


def test_the_name_of_a_machine_that_is_gone_is_taken_over_at_the_terminal(
    body: Body, openssh: OpenSSHServer, tmp_path: Path
) -> None:
    body.run("init", str(body.url), "--body", "laptop")
    openssh.authorize(REPO, public_line(body.home / "id_ed25519"))
    body.init()
    shutil.rmtree(body.base)  # the disk died
    body.run("init", str(body.url), "--body", "laptop")
    openssh.authorize(REPO, public_line(body.home / "id_ed25519"))
    with Terminal(body.argv("init", str(body.url), "--no-schedule"), env=body.env, cwd=body.folder) as terminal:
        terminal.until("(this machine) [laptop-2]")
        terminal.answer("laptop\n")
        assert terminal.end() == 0
    assert [path.name for path in (body.soul / "bodies").iterdir() if path.suffix == ".json"] == ["laptop.json"]
