"""The deploy key over time, against both SSH servers: verify, rotate, and a host key that changed."""

from __future__ import annotations

import json
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest

from soulsync.access.key import fingerprint, public_line
from tests.bodies import Body

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import GitServer

REPO = "kaoru.soul"


@pytest.fixture
def body(server: GitServer, tmp_path: Path) -> Body:
    """A body that is connected over SSH."""
    server.create(REPO)
    connected = Body(tmp_path / "one", "one", server.url(REPO))
    connected.run("init", server.url(REPO), "--body", "one", "--wait", "0")
    server.authorize(REPO, public_line(connected.home / "id_ed25519"))
    connected.init()
    return connected


def test_verify_tells_a_key_that_may_write(body: Body) -> None:
    assert json.loads(body.ok("key", "verify", "--json")) == {"read": True, "write": True, "detail": None}


def test_verify_tells_a_key_that_may_only_read(body: Body, server: GitServer) -> None:
    line = public_line(body.home / "id_ed25519")
    server.revoke(REPO, line)
    server.authorize(REPO, line, write=False)
    done = body.run("key", "verify", "--json")
    assert done.returncode == 4
    powers = json.loads(done.stdout)
    assert (powers["read"], powers["write"]) == (True, False)


def test_verify_tells_a_key_that_is_not_let_in(body: Body, server: GitServer) -> None:
    server.revoke(REPO, public_line(body.home / "id_ed25519"))
    done = body.run("key", "verify", "--json")
    assert done.returncode == 4
    assert json.loads(done.stdout)["read"] is False
    said = body.run("key", "verify")
    assert said.returncode == 4
    assert "does not let this key in" in said.stdout
    assert "Add this body's deploy key" in said.stdout


def test_rotate_keeps_the_old_key_until_the_new_one_may_write(body: Body, server: GitServer) -> None:
    old = public_line(body.home / "id_ed25519")
    body.fails(4, "key", "rotate", "--wait", "0", "--json")
    assert public_line(body.home / "id_ed25519") == old
    assert body.sync()["outcome"] == "unchanged"

    server.authorize(REPO, public_line(body.home / "id_ed25519.new"))
    done = json.loads(body.ok("key", "rotate", "--json"))
    assert done["old_fingerprint"] == fingerprint(old)
    assert public_line(body.home / "id_ed25519") == done["public_key"] != old
    assert stat.S_IMODE((body.home / "id_ed25519").stat().st_mode) == 0o600
    assert not list(body.home.glob("*.new*"))
    server.revoke(REPO, old)
    body.remember("after the rotation")
    assert body.sync()["outcome"] == "pushed"
    body.init()  # which tells everybody the new key at once
    assert json.loads(body.read("bodies/one.json"))["keyFingerprint"] == fingerprint(done["public_key"])


def test_rotate_replaces_a_key_that_can_not_be_used(body: Body, server: GitServer) -> None:
    key = body.home / "id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-p", "-N", "secret", "-f", str(key)], check=True, timeout=20)
    assert "ssh-keygen -p -N" in body.fails(4, "sync")
    key.write_text("garbage\n")
    assert "key rotate" in body.fails(4, "sync")
    body.fails(4, "key", "rotate", "--json")
    server.authorize(REPO, public_line(body.home / "id_ed25519.new"))
    assert json.loads(body.ok("key", "rotate", "--json"))["old_fingerprint"] is None
    assert body.sync()["outcome"] == "unchanged"


def test_rotate_shows_the_new_key_and_goes_on_when_it_may_write(body: Body, server: GitServer) -> None:
    running = body.start("key", "rotate", "--wait", "60")
    assert running.stdout is not None
    line = next(line for line in running.stdout if line.startswith("ssh-ed25519 ")).strip()
    assert line != public_line(body.home / "id_ed25519")
    server.authorize(REPO, line, write=False)
    assert any("may only read" in line for line in running.stdout)  # a key that only reads is no key to swap to
    server.revoke(REPO, line)
    server.authorize(REPO, line)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 0, out + err
    assert "Delete the old deploy key" in out
    assert public_line(body.home / "id_ed25519") == line


def test_a_changed_host_key_is_accepted_by_its_fingerprint_alone(body: Body, server: GitServer) -> None:
    (old,) = server.host_keys()
    server.new_host_key()
    (new,) = server.host_keys()
    refusal = body.fails(3, "sync", "--quiet")
    assert old in refusal
    assert new in refusal
    body.fails(3, "key", "trust-host", old)
    body.fails(3, "sync", "--quiet")
    assert new in body.ok("key", "trust-host", new)
    assert body.sync()["outcome"] == "unchanged"


def test_a_soul_without_a_remote_has_no_key_to_verify(tmp_path: Path) -> None:
    local = Body(tmp_path / "one", "one", None)
    local.init()
    assert "remote" in local.fails(1, "key", "verify")
    assert "remote" in local.fails(1, "key", "rotate")
