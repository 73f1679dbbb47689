"""A body's name is one machine's: who comes second with it is told before anything is merged."""

from __future__ import annotations

import json
import shutil
import time
from typing import TYPE_CHECKING

import pytest

from soulsync.access.key import fingerprint, public_line
from tests.bodies import Body, assert_in_step

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Remote


@pytest.fixture
def late(two: Body, remote: Remote, tmp_path: Path) -> Body:
    """A new machine whose person wants the name ``two``, which another machine has."""
    return remote.body(tmp_path / "late", "two")


def ago(days: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 86_400 * days))


def registered(remote: Remote, body: str) -> str:
    return str(json.loads(remote.git("show", f"main:bodies/{body}.json"))["keyFingerprint"])


def test_a_name_of_another_machine_is_refused_before_anything_is_merged(late: Body, remote: Remote) -> None:
    tip = remote.head()
    line = late.fails(3, "init", remote.url, "--body", "two")
    assert "--body two-2" in line
    assert "--replace-body" in line
    assert "last seen" in line
    assert remote.head() == tip
    assert not late.exists("agent.json")
    assert json.loads(late.run("init", remote.url, "--body", "two", "--json").stdout)["outcome"] == "refused"


def test_with_another_name_the_same_setup_goes_on(late: Body, two: Body, remote: Remote) -> None:
    late.fails(3, "init", remote.url, "--body", "two")
    late.name = "two-2"
    assert late.init()["body"] == "two-2"
    two.sync()
    assert_in_step(late, two)
    assert registered(remote, "two-2") == fingerprint(public_line(late.home / "id_ed25519"))
    late.fails(2, "init", remote.url, "--body", "three")  # now it is known under its name


def test_a_machine_that_is_gone_gives_its_name(late: Body, remote: Remote) -> None:
    old = registered(remote, "two")
    late.init("--replace-body")
    assert registered(remote, "two") == fingerprint(public_line(late.home / "id_ed25519")) != old
    assert late.init()["body"] == "two"  # and nobody is asked again


def test_a_body_that_lost_all_but_its_key_is_the_same_body(two: Body) -> None:
    for name in ("soul", "state", "config.toml"):
        path = two.home / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert two.init()["body"] == "two"


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"kind": "bridge", "bridge": "other/1", "lastSeen": ago(1)}, 3),
        ({"kind": "bridge", "bridge": "other/1", "lastSeen": ago(30)}, 0),
        ({"kind": "bridge", "bridge": "other/1"}, 0),
        ({"kind": "runtime", "runtime": "other/1", "lastSeen": ago(1)}, 0),  # of this machine, which soulsync bridges
        ({"kind": "runtime", "lastSeen": ago(30), "keyFingerprint": "SHA256:other"}, 3),
    ],
)
def test_without_a_key_a_body_counts_as_another_while_it_is_alive(
    facts: dict[str, str], code: int, one: Body, remote: Remote, tmp_path: Path
) -> None:
    remote.commit({"bodies/phone.json": json.dumps({"body": "phone", **facts})})
    phone = remote.body(tmp_path / "phone", "phone")
    assert phone.run("init", remote.url, "--body", "phone").returncode == code


def test_a_soul_that_began_here_joins_under_a_free_name(late: Body, two: Body, remote: Remote) -> None:
    late.url = None
    late.init()
    late.remember("begun here")
    line = late.fails(3, "remote", "set", remote.url)
    assert "soulsync init --agent kaoru --body two-2" in line
    assert late.ok("remote", "show").startswith("No remote yet")
    late.ok("init", "--agent", "kaoru", "--body", "two-2")
    late.ok("remote", "set", remote.url)
    two.sync()
    assert_in_step(late, two)
    assert "begun here" in two.entries()


def test_a_soul_that_began_here_may_take_the_place_of_a_machine_that_is_gone(late: Body, remote: Remote) -> None:
    late.url = None
    late.init()
    late.ok("remote", "set", remote.url, "--replace-body")
    assert registered(remote, "two") == fingerprint(public_line(late.home / "id_ed25519"))


def test_a_machine_that_connects_with_a_copied_key_is_told(two: Body, remote: Remote, tmp_path: Path) -> None:
    phone = remote.body(tmp_path / "phone", "phone")
    phone.home.mkdir(parents=True)
    shutil.copy2(two.home / "id_ed25519", phone.home / "id_ed25519")
    [warning] = phone.init()["warnings"]
    assert "phone + two" in warning
    assert "key rotate" in warning


def test_a_key_that_was_copied_to_another_machine_is_noticed(two: Body, one: Body, tmp_path: Path) -> None:
    """Somebody copied the whole home folder and gave the body another name."""
    shutil.copytree(two.folder, tmp_path / "copy", symlinks=True)
    copy = Body(tmp_path / "copy", "copied", two.url, SOUL_ALLOW_LOCAL_REMOTE="1")
    config = copy.home / "config.toml"
    config.write_text(config.read_text().replace('"two"', '"copied"').replace(str(two.folder), str(copy.folder)))
    shutil.rmtree(copy.home / "state" / "git")  # its links lead to the original
    copy.remember("from the copy")
    copy.sync()
    said = one.sync()["warnings"]
    assert any("copied + two" in text and "key rotate" in text for text in said)
    assert one.status()["shared_keys"] == [["copied", "two"]]
    assert "copied, two share one key" in one.ok("status")


def cut_off(body: Body, remote: Remote) -> None:
    """An ``init`` that did not reach the remote: folder, key and config are made, the soul was not met."""
    away = remote.path.with_name("away")
    remote.path.rename(away)
    assert body.run("init", remote.url, "--body", body.name).returncode != 0
    away.rename(remote.path)


def test_a_sync_after_an_init_that_was_cut_off_takes_no_name_either(late: Body, two: Body, remote: Remote) -> None:
    cut_off(late, remote)
    tip = remote.head()
    assert "--body two-2" in late.fails(3, "sync")
    assert not late.exists("agent.json")
    late.name = "two-2"
    late.ok("init", "--body", "two-2")  # which agent and where is known already
    two.sync()
    assert_in_step(late, two)
    assert remote.git("merge-base", tip, "main") == tip


def test_a_sync_under_a_free_name_finishes_what_init_began(one: Body, remote: Remote, tmp_path: Path) -> None:
    phone = remote.body(tmp_path / "phone", "phone")
    cut_off(phone, remote)
    phone.sync()
    phone.sync()
    one.sync()
    assert_in_step(phone, one)
    assert registered(remote, "phone") == fingerprint(public_line(phone.home / "id_ed25519"))


def test_a_sync_begins_no_soul_and_says_who_does(remote: Remote, tmp_path: Path) -> None:
    phone = remote.body(tmp_path / "phone", "phone")
    cut_off(phone, remote)
    assert "soulsync init" in phone.fails(1, "sync")
    assert "in step    not yet" in phone.ok("status")
    phone.ok("init")
    assert_in_step(phone)


def test_init_alone_goes_on_only_where_it_is_clear_with_whom(one: Body) -> None:
    assert json.loads(one.ok("init", "--json"))["outcome"] == "unchanged"
    shutil.copytree(one.home, one.home.with_name("reina"), symlinks=True)
    assert "kaoru, reina" in one.fails(2, "init")
