"""What may be wrong when a machine connects: each told apart, with its remedy and exit code, and nothing sent."""

from __future__ import annotations

import json
import os
import socket
import stat
from typing import TYPE_CHECKING

import pytest

from soulsync.access import ssh
from soulsync.access.key import fingerprint, public_line
from soulsync.body import config as config_file
from soulsync.body import connect, outfit
from tests.bodies import REPO, Body, Remote, git, over_ssh

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from soulsync.access.hostkeys import HostKey
    from soulsync.errors import DeniedError
    from tests.servers import EmbeddedServer, OpenSSHServer


@pytest.fixture
def new(openssh: OpenSSHServer, tmp_path: Path) -> Body:
    """A machine whose key was made and is not known to the server yet."""
    openssh.create(REPO)
    body = Body(tmp_path / "one", "one", openssh.url(REPO))
    assert body.run("init", str(body.url), "--body", "one").returncode == 4
    return body


def line_of(body: Body) -> str:
    return public_line(body.home / "id_ed25519")


def refs(server: OpenSSHServer) -> str:
    return git(server.root / REPO, "for-each-ref")


def test_a_key_that_is_not_added_yet(new: Body) -> None:
    line = new.fails(4, "init", str(new.url), "--body", "one", "--json")
    assert "Permission denied (publickey)" in line
    assert "Add this body's deploy key" in line


def test_a_key_that_may_only_read_is_found_by_a_dry_run(new: Body, openssh: OpenSSHServer) -> None:
    openssh.authorize(REPO, line_of(new), write=False)
    line = new.fails(4, "init", str(new.url), "--body", "one", "--json")
    assert "may only read" in line
    assert "write access" in line
    assert refs(openssh) == ""
    assert not new.exists("agent.json")  # told before anything was made


def test_a_repository_that_is_not_there(new: Body, openssh: OpenSSHServer, tmp_path: Path) -> None:
    openssh.authorize(REPO, line_of(new))
    other = Body(tmp_path / "other", "one", openssh.url("nobody.soul.git"))
    other.run("init", str(other.url), "--body", "one")
    openssh.authorize_freely(public_line(other.base / "nobody" / "id_ed25519"))
    line = other.fails(4, "init", str(other.url), "--body", "one", "--json")
    assert "has no repository" in line
    assert "Check the address" in line


def test_a_repository_that_is_no_soul(new: Body, openssh: OpenSSHServer) -> None:
    openssh.authorize(REPO, line_of(new))
    there = Remote(openssh.root / REPO, create=False)
    tip = there.commit({"src/main.c": "int main;\n"})
    assert "no soul" in new.fails(3, "init", str(new.url), "--body", "one", "--json")
    assert there.head() == tip


def test_a_server_that_says_nothing_is_given_up(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"ssh://git@127.0.0.1:{silent.getsockname()[1]}/{REPO}"
        body = Body(tmp_path / "one", "one", url)
        body.home.mkdir(parents=True)
        (body.home / "config.toml").write_text(
            f'agent = "kaoru"\nbody = "one"\nremote = "{url}"\nconnect_timeout = 1\n'
        )
        assert "127.0.0.1" in body.fails(5, "init", url, "--body", "one")


def test_a_place_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    body = Body(tmp_path / "one", "one", None)
    line = body.fails(1, "--home", "/proc/soulsync", "init", "--agent", "kaoru", "--body", "one")
    assert "/proc/soulsync can't be created" in line
    assert "writable" in line


def test_without_standard_input_it_asks_nothing(new: Body, openssh: OpenSSHServer) -> None:
    openssh.authorize(REPO, line_of(new))
    done = new.run("init", str(new.url))
    assert done.returncode == 0
    assert "now lives here as one" in done.stdout
    assert "soulsync schedule install" in done.stdout


def test_a_program_gets_what_it_needs_in_one_object(new: Body, openssh: OpenSSHServer) -> None:
    refused = json.loads(new.run("init", str(new.url), "--json").stdout)
    assert refused["outcome"] == "denied"
    assert refused["fingerprint"] == fingerprint(refused["public_key"])
    assert (refused["settings_page"], refused["write_access"], refused["port_443"]) == (None, None, False)
    openssh.authorize(REPO, refused["public_key"])
    done = new.init()
    assert {name: done[name] for name in ("agent", "body", "remote", "dir")} == {
        "agent": "kaoru", "body": "one", "remote": new.url, "dir": str(new.soul),
    }  # fmt: skip
    assert done["outcome"] == "pushed"
    assert (done["schedule"], done["warnings"]) == (None, [])


def test_a_key_whose_file_an_editor_spoilt_works_again(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    body = over_ssh(embedded, tmp_path / "one", "one")
    key = body.home / "id_ed25519"
    key.write_bytes(key.read_bytes().rstrip(b"\n").replace(b"\n", b"\r\n"))
    assert body.sync()["outcome"] == "unchanged"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


class Silent:
    """A witness that keeps what it is told."""

    def __init__(self) -> None:
        self.detours: list[tuple[str, int]] = []

    def met(self, where: str, keys: list[HostKey]) -> None:
        return

    def detoured(self, host: str, port: int) -> None:
        self.detours.append((host, port))

    def refused(self, why: DeniedError) -> bool:
        return False

    def waits(self, seconds_left: float) -> None:
        return


@pytest.fixture
def blocked() -> Iterator[int]:
    """A port that refuses every connection, as long as the test lasts."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        yield int(sock.getsockname()[1])


def test_where_the_usual_port_is_blocked_the_hosts_other_one_is_used_and_kept(
    embedded: EmbeddedServer, blocked: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GitHub's table entry, with this machine in the place of github.com:22 and ssh.github.com:443."""
    there = ("127.0.0.1", embedded.port)
    monkeypatch.setattr(ssh, "DETOURS", {("127.0.0.1", blocked): there})
    embedded.create(REPO)
    setup = connect.prepare(connect.Wanted(f"ssh://git@127.0.0.1:{blocked}/{REPO}", "laptop"))
    embedded.authorize(REPO, setup.public_key)
    witness = Silent()
    assert connect.finish(setup, wait=0, witness=witness).pushed
    assert witness.detours == [there]
    assert config_file.load(setup.home).port_443

    connect.finish(setup, wait=0, witness=witness)
    assert witness.detours == [there]  # known from now on
    outfit.put_on(setup.home, setup.config)
    assert git(setup.config.soul, "ls-remote", "origin", "main", env={"PATH": os.environ["PATH"]})


def test_a_host_without_another_port_stays_offline(blocked: int, tmp_path: Path) -> None:
    url = f"ssh://git@127.0.0.1:{blocked}/{REPO}"
    body = Body(tmp_path / "one", "one", url)
    assert "Connection refused" in body.fails(5, "init", url, "--body", "one")
    assert "port_443" not in (body.home / "config.toml").read_text()
