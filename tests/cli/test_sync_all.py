"""``sync --all`` where one agent of the machine has trouble."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.bodies import Body, Remote

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def both(one: Body, tmp_path: Path) -> Body:
    """A machine on which the agents kaoru and maki live; maki has something to send."""
    one.ok("init", Remote(tmp_path / "remotes" / "maki.soul.git").url, "--body", "one")
    one.write("../../maki/soul/notes/n.md", "# maki\n")
    return one


def sync_all(body: Body, code: int) -> tuple[list[tuple[str, str]], list[str]]:
    """Agents with their outcomes, and the complaints."""
    done = body.run("sync", "--all", "--json")
    assert done.returncode == code, done
    results = json.loads(done.stdout)
    assert all(bool(result["error"]) == (result["outcome"] not in ("unchanged", "pushed")) for result in results)
    return [(result["agent"], result["outcome"]) for result in results], done.stderr.splitlines()


def test_the_code_is_that_of_the_first_failure(both: Body, remote: Remote) -> None:
    remote.path.rename(remote.path.with_name("away"))
    (both.base / "ren").mkdir()
    (both.base / "ren" / "config.toml").write_text("not = [toml")
    outcomes, complaints = sync_all(both, 4)
    assert outcomes == [("kaoru", "denied"), ("maki", "pushed"), ("ren", "failed")]
    assert [line.split(": ")[:2] for line in complaints] == [["soulsync", "kaoru"], ["soulsync", "ren"]]


def test_a_folder_that_is_broken_stops_nobody_else(both: Body) -> None:
    lock = both.home / "state" / "sync.lock"
    lock.unlink(missing_ok=True)
    lock.mkdir()
    outcomes, [complaint] = sync_all(both, 1)
    assert outcomes == [("kaoru", "failed"), ("maki", "pushed")]
    assert complaint.startswith("soulsync: kaoru: ")
    assert both.run("sync", "--all", "--quiet").stdout == ""
