"""A soul on a machine of one's own: made and opened by soulsync, served by a real sshd, found sound by the doctor."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.bodies import Body, assert_in_step, in_turn

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import OpenSSHServer


def test_from_nothing_to_two_bodies_in_step_and_a_green_doctor(openssh: OpenSSHServer, tmp_path: Path) -> None:
    path, keys = openssh.root / "kaoru.soul.git", str(openssh.authorized_keys)
    server = Body(tmp_path / "server", "server", None)
    made = json.loads(server.ok("remote", "create", str(path), "--json"))
    # The address as it is printed, but for the port at which this sshd listens and the name that a test can reach.
    there = urlsplit(made["address"])
    assert (there.scheme, there.path, there.username) == ("ssh", str(path), openssh.user)
    url = f"ssh://{there.username}@127.0.0.1:{openssh.port}{there.path}"
    bodies = [Body(tmp_path / name, name, url) for name in ("laptop", "phone")]
    for body in bodies:
        assert body.run("init", url, "--body", body.name).returncode == 4
        server.ok(
            "remote", "authorize", str(path), "--key", str(body.home / "id_ed25519.pub"), "--authorized-keys", keys
        )
        body.init()
        body.remember(f"by {body.name}")
    in_turn(bodies[0], bodies[1], bodies[0], rounds=1)
    assert_in_step(*bodies)
    found = json.loads(bodies[0].ok("doctor", "--json"))
    details = {check["name"]: check["detail"] for check in found["checks"]}
    assert found["ok"] is True
    assert details["host-key"] == openssh.host_keys()[0]
    assert (details["remote-history"], "refuses" in details["force-push"]) == ("in step", True)

    server.ok(
        "remote", "authorize", str(path), "--key", str(bodies[1].home / "id_ed25519.pub"), "--authorized-keys", keys,
        "--remove",
    )  # fmt: skip
    assert "deploy key" in bodies[1].fails(4, "sync")
    bodies[0].sync()
