"""The whole visit: many faults at once, repaired; and what no repair may do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from soulsync.body import doctor
from soulsync.body.locks import sync_lock
from soulsync.errors import BusyError
from tests.body.doctor.test_leftovers import aged

if TYPE_CHECKING:
    from tests.body.doctor.conftest import Doctor


def visit(at: Doctor, *options: str) -> tuple[int, dict[str, Any]]:
    done = at.body.run("doctor", "--json", *options)
    assert done.stderr == ""
    return done.returncode, dict(json.loads(done.stdout))


def names(checks: list[dict[str, Any]]) -> list[str]:
    return [check["name"] for check in checks if not check["ok"]]


def test_many_faults_are_repaired_in_one_visit_and_the_second_is_all_green(at: Doctor) -> None:
    code, found = visit(at)
    assert (code, found["ok"], found["fixed"]) == (0, True, [])
    assert all(set(check) == {"name", "ok", "detail", "fix"} and check["fix"] is None for check in found["checks"])
    assert len({check["name"] for check in found["checks"]}) == len(found["checks"])
    every = [look.name for look in doctor.looks()]
    assert [check["name"] for check in found["checks"]] == [name for name in every if name != "host-key"]

    soul, home, refs = at.body.soul, at.home, at.body.git("for-each-ref")
    home.root.chmod(0o755)
    home.key.chmod(0o640)
    home.key.with_name("id_ed25519.pub").unlink()
    (home.state / "checkout.json").write_text("torn")
    aged_lock = soul / ".git/config.lock"
    aged_lock.touch()
    aged(aged_lock)
    (soul / ".git/info/attributes").write_text("")
    (soul / ".git/hooks/commit-msg").unlink()
    at.body.write(".gitignore", "memories/\n")
    sick = ["home-folder", "key", "public-key", "fixed-files", "locks", "checkout-note", "installation"]
    code, found = visit(at, "--fix")
    assert names(found["checks"]) == []
    assert code == 0
    assert {line.partition(":")[0] for line in found["fixed"]} == set(sick)
    code, found = visit(at, "--fix")
    assert (code, found["fixed"]) == (0, [])
    assert at.body.git("for-each-ref") == refs


def test_what_can_not_be_repaired_stays_red_and_untouched(at: Doctor) -> None:
    at.body.git("switch", "-q", "-c", "other")
    at.body.git("config", "core.pager", "spy")
    before = at.body.git("for-each-ref"), at.body.git("config", "--list", "--local")
    code, found = visit(at, "--fix", "--offline")
    assert code == 1
    assert names(found["checks"]) == ["branch", "git-settings"]
    assert (at.body.git("for-each-ref"), at.body.git("config", "--list", "--local")) == before
    assert found["fixed"] == []


def test_no_repair_while_a_sync_is_at_work(at: Doctor) -> None:
    with sync_lock(at.home):
        assert "Another soulsync" in at.body.fails(75, "doctor", "--fix", "--offline")
        at.body.ok("doctor", "--offline")
    with sync_lock(at.home), pytest.raises(BusyError):
        list(doctor.examine(at.home, fix=True))


def test_one_of_several_agents_is_named(at: Doctor) -> None:
    other = at.home.root.with_name("akira")
    other.mkdir()
    (other / "config.toml").write_text("torn")
    assert "--agent" in at.body.fails(2, "doctor", "--offline")
    done = at.body.run("--agent", "akira", "doctor", "--json")
    assert names(json.loads(done.stdout)["checks"])[0] == "config"
    assert '"kaoru on one"' in at.body.ok("--agent", "kaoru", "doctor", "--offline", "--json")


def test_a_body_of_which_only_the_folder_is_left(at: Doctor) -> None:
    at.home.config_file.unlink()
    code, found = visit(at, "--offline")
    assert code == 1
    assert names(found["checks"]) == ["config"]
    assert set(found["waiting"]) > {"repository", "drivers", "hooks", "dead-bodies"}
    at.home.key.unlink()
    assert "No soul is connected" in at.body.fails(2, "doctor")


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("state", "config"),
        ("soul/.git", "repository"),
        ("soul/.git/hooks", "repository"),
        ("soul/.git/objects", "repository"),
    ],
)
def test_a_file_where_a_folder_should_be(at: Doctor, place: str, name: str) -> None:
    folder = at.home.root / place
    folder.rename(at.body.folder / "away")
    folder.write_text("x")
    code, found = visit(at, "--offline", "--fix")
    assert code == 1
    assert name in names(found["checks"])
    assert not [check for check in found["checks"] if "The check itself failed" in check["detail"]]


def test_a_check_that_fails_itself_is_a_finding(at: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOULSYNC_DEBUG", raising=False)
    monkeypatch.setattr("soulsync.body.doctor.soul.agent_id", lambda _data: 1 / 0)
    assert "SOULSYNC_DEBUG=1" in at.ill("identity", "ZeroDivisionError")
