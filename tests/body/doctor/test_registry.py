"""The other bodies: dead ones, shared keys, one name used twice, a forgotten lease; and syncs that fail."""

from __future__ import annotations

import json
import shlex
import time
from typing import TYPE_CHECKING

from soulsync.access.key import fingerprint, public_line
from soulsync.body.state import Status

if TYPE_CHECKING:
    import pytest

    from tests.bodies import Remote
    from tests.body.doctor.conftest import Doctor


def seen(days: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 86_400 * days))


def register(remote: Remote, body: str, **fields: object) -> None:
    remote.commit({f"bodies/{body}.json": json.dumps({"body": body, "kind": "bridge", **fields})})


def test_a_body_that_was_not_seen_for_long(at: Doctor, remote: Remote) -> None:
    register(remote, "phone", lastSeen=seen(29))
    at.body.sync()
    at.well("dead-bodies")
    register(remote, "phone", lastSeen=seen(45))
    at.body.sync()
    remedy = at.ill("dead-bodies", "phone (45 days)")
    file = at.home.config_file
    file.write_text(f"dead_after_days = 60\n{file.read_text()}")
    at.well("dead-bodies")
    file.write_text(file.read_text().replace("60", "20"))
    at.ill("dead-bodies", "phone")
    # What the remedy says, word for word.
    for command in remedy[remedy.index("git -C") :].rstrip(".").split(" && "):
        program, _, root, *words = shlex.split(command)
        assert (program, root) == ("git", str(at.body.soul))
        at.body.git(*words)
    at.body.sync()
    at.well("dead-bodies")
    assert not remote.git("ls-tree", "--name-only", "main", "bodies/phone.json")


def test_two_bodies_with_one_key(at: Doctor, remote: Remote) -> None:
    at.well("shared-keys")
    mine = fingerprint(public_line(at.home.key))
    register(remote, "copy", lastSeen=seen(0), keyFingerprint=mine)
    at.body.sync()
    assert "key rotate" in at.ill("shared-keys", "copy = one")


def test_another_machine_with_our_name(at: Doctor, remote: Remote) -> None:
    at.well("registration")
    register(remote, "one", lastSeen=seen(-0.001), keyFingerprint="SHA256:of-another-machine")
    at.body.sync("--no-push")
    assert "another --body" in at.ill("registration", "SHA256:of-another-machine")


def test_a_lease_that_was_not_given_back(at: Doctor, remote: Remote) -> None:
    assert at.well("lease") == "free"
    at.body.ok("lease", "acquire")
    assert "one until" in at.well("lease")
    old = int((time.time() - 3600) * 1000)
    remote.commit({"locks/consolidation.json": json.dumps({"body": "phone", "until": old}) + "\n"})
    at.body.sync()
    assert "lease acquire" in at.ill("lease", "phone")
    at.body.ok("lease", "acquire")
    at.body.ok("lease", "release")
    at.well("lease")


def test_syncs_that_fail(at: Doctor) -> None:
    at.well("last-sync")
    status = Status.load(at.home)
    status.last_error, status.outcome, status.failures = "host can't be reached.", "offline", 1
    status.save(at.home)
    at.well("last-sync")
    status.failures = 3
    status.save(at.home)
    assert str(at.home.log) in at.ill("last-sync", "3 in a row", "host can't be reached.")
    status.last_error, status.failures, status.last_success = None, 0, seen(9)
    status.save(at.home)
    at.ill("last-sync", "9 days ago")
    at.body.sync()
    at.well("last-sync")


def test_a_schedule_that_is_gone(at: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    assert at.well("schedule").startswith("none")
    monkeypatch.setenv("PATH", "/nothing")
    (at.home.state / "schedule.json").write_text('{"backend": "cron", "every": 300}')
    assert "schedule install" in at.ill("schedule", "gone from cron")
