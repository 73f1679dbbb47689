"""Faults on the way to the server, made for real: against an SSH server, and against a repository by its path."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from soulsync.access.key import public_line
from tests.bodies import REPO, over_ssh
from tests.body.doctor.conftest import Doctor

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Remote
    from tests.servers import EmbeddedServer


@pytest.fixture
def far(embedded: EmbeddedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """The doctor of a body that is connected over SSH."""
    embedded.create(REPO)
    body = over_ssh(embedded, tmp_path / "far", "far")
    monkeypatch.setenv("HOME", str(body.folder))
    monkeypatch.delenv("SOUL_ALLOW_LOCAL_REMOTE", raising=False)
    return Doctor(body)


def test_all_faults_of_one_server(far: Doctor, embedded: EmbeddedServer) -> None:
    """One connected body, one fault after the other."""
    names = ("address", "server", "host-key", "write-access", "remote-history", "force-push")
    details = {name: far.well(name) for name in names}
    assert details["host-key"] == embedded.host_keys()[0]
    assert details["remote-history"] == "in step"
    line = public_line(far.home.key)

    embedded.revoke(REPO, line)
    embedded.authorize(REPO, line, False)
    far.well("server")
    assert "write access" in far.ill("write-access", "may only read")

    embedded.revoke(REPO, line)
    assert "deploy key" in far.ill("server", "No access")
    embedded.authorize(REPO, line)
    far.well("server")

    embedded.new_host_key()
    assert f"trust-host {embedded.host_keys()[0]}" in far.ill("server", "has changed", details["host-key"])

    embedded.stop()
    assert "the next sync sends it" in far.ill("server", "can't be reached")
    far.home.known_hosts.write_text("")
    far.ill("host-key", "No host key")


def test_the_network_is_left_out_when_offline(far: Doctor, embedded: EmbeddedServer) -> None:
    connections = embedded.connections()
    found = json.loads(far.body.ok("doctor", "--offline", "--json"))
    assert found["ok"] is True
    assert not {"server", "host-key", "write-access", "remote-history"} & {check["name"] for check in found["checks"]}
    assert embedded.connections() == connections


def test_an_address_that_is_none(at: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOUL_ALLOW_LOCAL_REMOTE")
    at.ill("address", "not an SSH address")


def test_a_remote_that_was_rewritten(at: Doctor, remote: Remote) -> None:
    remote.allow_everything()
    tip = remote.commit({"notes/n.md": "# n\n"})
    at.body.sync()
    remote.git("update-ref", "refs/heads/main", f"{tip}^")
    assert "remote accept" in at.ill("remote-history", "rewritten", tip[:7])
    assert at.body.head() == tip


def test_a_remote_without_its_branch_or_of_another_agent(at: Doctor, remote: Remote) -> None:
    tip = remote.head()
    remote.git("update-ref", "-d", "refs/heads/main")
    at.ill("remote-history", "no branch main any more", tip[:7])
    remote.git("update-ref", "refs/heads/main", tip)
    at.well("remote-history")
    other = json.dumps({**at.body.identity(), "id": "00000000-0000-4000-8000-000000000000"})
    remote.commit({"agent.json": other})
    assert "remote show" in at.ill("remote-history", "another agent")


def test_what_waits_on_both_sides_is_counted(at: Doctor, remote: Remote) -> None:
    remote.commit({"notes/theirs.md": "# theirs\n"})
    at.body.write("notes/ours.md", "# ours\n")
    at.body.ok("sync", "--no-push")
    assert at.well("remote-history") == "2 to send, 0 to bring in"


def test_a_server_here_that_lets_history_be_rewritten(at: Doctor, remote: Remote) -> None:
    assert "refuses" in at.well("force-push")
    remote.allow_everything()
    remedy = at.ill("force-push", str(remote.path))
    at.body.ok("remote", "create", str(remote.path))
    at.well("force-push")
    assert f"soulsync remote create {remote.path}" in remedy
