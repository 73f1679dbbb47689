"""Connecting a machine as a body."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest

from soulsync import spec
from tests.bodies import REPO, Body, Remote, assert_in_step, over_ssh, snapshot
from tests.schedules import Clockwork, at

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import EmbeddedServer

FILL_IN = "补齐灵魂仓库规范结构（one）"


def test_an_empty_remote_becomes_a_whole_soul(one: Body, remote: Remote) -> None:
    paths = set(remote.git("ls-tree", "-r", "--name-only", "main").splitlines())
    assert paths == {*spec.FIXED_FILES, *spec.REQUIRED_FILES, "journal/.gitkeep", "notes/.gitkeep", "bodies/one.json"}
    assert remote.git("log", "--format=%s", "main") == FILL_IN
    for path, text in spec.FIXED_FILES.items():
        assert one.read(path) == text
    assert one.entries() == []
    assert_in_step(one)


def test_a_remote_with_a_readme_is_an_empty_soul(remote: Remote, tmp_path: Path) -> None:
    first = remote.commit({"README.md": "# my own words\n", ".gitignore": "*.pyc\n"})
    body = remote.body(tmp_path / "one", "one")
    body.init()
    assert body.read("README.md") == "# my own words\n"
    assert body.read(".gitignore") == "*.pyc\n"
    assert body.subjects() == [FILL_IN, "from elsewhere"]
    assert body.head("HEAD^") == first


def test_what_another_implementation_left_out_is_filled_in_and_nothing_is_overwritten(
    remote: Remote, tmp_path: Path
) -> None:
    identity = {"id": "5b6c2f3e-1d2c-4f5a-9b8d-0123456789ab", "name": "kaoru", "displayName": "薰", "extra": [1]}
    files = {
        "agent.json": json.dumps(identity, ensure_ascii=False),
        ".soul-spec.json": '{"spec": "soul-repo", "version": 9}',
        "memories/MEMORY.md": "no newline at the end",
        "own/thing.txt": "kept\n",
    }
    remote.commit(dict(files))
    body = remote.body(tmp_path / "one", "one")
    body.init()
    for path, text in files.items():
        assert body.read(path) == text
    assert body.subjects() == [FILL_IN, "from elsewhere"]
    assert body.read("SOUL.md") == "# 薰\n"
    assert body.exists("memories/USER.md")
    assert body.git("log", "-1", "--format=%an <%ae>") == "薰 (one) <kaoru@one.local>"


def test_a_second_body_joins_without_a_second_fill_in(one: Body, two: Body) -> None:
    assert two.identity() == one.identity()
    assert [s for s in two.subjects() if "补齐" in s] == [FILL_IN]
    assert_in_step(one, two)


def test_init_again_changes_nothing(one: Body, remote: Remote) -> None:
    one.sync()
    skip = ("state/status.json", "sync.log")
    before, head = snapshot(one.home, without=skip), remote.head()
    assert one.init()["outcome"] == "unchanged"
    assert one.init("--agent", "kaoru")["outcome"] == "unchanged"
    assert snapshot(one.home, without=skip) == before
    assert remote.head() == head


def test_init_again_with_other_wishes_is_refused(one: Body, tmp_path: Path) -> None:
    one.fails(2, "init", str(one.url), "--body", "other")
    one.fails(2, "init", str(tmp_path / "elsewhere.git"), "--agent", "kaoru", "--body", "one")
    one.fails(2, "init", str(one.url), "--dir", str(tmp_path / "elsewhere"))


def test_a_remote_without_main_is_refused(remote: Remote, tmp_path: Path) -> None:
    remote.commit({"README.md": "# x\n"})
    remote.git("update-ref", "refs/heads/master", "main")
    remote.allow_everything()
    remote.git("update-ref", "-d", "refs/heads/main")
    body = remote.body(tmp_path / "one", "one")
    assert "master" in body.fails(3, "init", str(body.url), "--body", "one")
    assert remote.git("for-each-ref", "--format=%(refname)") == "refs/heads/master"


def test_a_remote_that_is_no_soul_is_refused_and_stays_as_it_is(remote: Remote, tmp_path: Path) -> None:
    tip = remote.commit({"src/main.c": "int main;\n", "README.md": "# code\n"})
    body = remote.body(tmp_path / "one", "one")
    assert "no soul" in body.fails(3, "init", str(body.url), "--body", "one")
    assert remote.head() == tip
    assert not body.exists("src/main.c")


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/you/kaoru.soul.git",
        "git://host/kaoru.soul.git",
        "file:///tmp/kaoru.soul.git",
        "/tmp/kaoru.soul.git",
        "ext::sh -c touch% x",
        "git@-oProxyCommand=x:kaoru.soul.git",
        "ssh://-host/kaoru.soul.git",
        "git@host:-kaoru.soul.git",
        "ssh://git:secret@host/kaoru.soul.git",
    ],
)
def test_anything_but_an_ssh_address_is_refused(address: str, tmp_path: Path) -> None:
    body = Body(tmp_path / "one", "one", address)
    body.fails(3, "init", "--body", "one", "--agent", "kaoru", "--", address)
    assert not body.base.exists()


@pytest.mark.parametrize("name", ["", "Upper", "ein mensch", "a/b", "..", "薰", "x" * 41])
def test_a_bad_body_name_is_refused(name: str, tmp_path: Path) -> None:
    body = Body(tmp_path / "one", "one", None)
    body.fails(2, "init", "--agent", "kaoru", "--body", name)
    assert not body.base.exists()


@pytest.mark.parametrize("name", ["Upper", "-a", "a/b", "..", "x" * 41])
def test_a_bad_agent_name_is_refused(name: str, tmp_path: Path) -> None:
    body = Body(tmp_path / "one", "one", None)
    body.fails(2, "init", f"--agent={name}", "--body", "one")
    assert not body.base.exists()


def test_without_a_name_the_agent_is_named_after_the_repository(remote: Remote, tmp_path: Path) -> None:
    assert remote.body(tmp_path / "one", "one").init()["agent"] == "kaoru"
    Body(tmp_path / "two", "two", None).fails(2, "init", "--body", "two")


def test_without_a_name_the_body_is_named_after_the_machine(tmp_path: Path) -> None:
    body = Body(tmp_path / "one", "one", None)
    named = json.loads(body.ok("init", "--agent", "kaoru", "--json"))["body"]
    assert spec.is_body_name(named)


def test_display_name_and_language_of_a_new_soul(remote: Remote, tmp_path: Path) -> None:
    body = remote.body(tmp_path / "one", "one")
    body.init("--display-name", "薰 Kaoru", "--language", "ja")
    identity = body.identity()
    assert (identity["displayName"], identity["language"]) == ("薰 Kaoru", "ja")
    assert "seed" not in identity
    assert body.read("SOUL.md") == "# 薰 Kaoru\n"


def test_a_home_that_is_a_file_is_wrong_usage(tmp_path: Path) -> None:
    body = Body(tmp_path / "one", "one", None)
    body.base.write_text("a file")
    body.fails(2, "init", "--agent", "kaoru", "--body", "one")


@pytest.mark.parametrize("place", ["", ".ssh", ".ssh/soul", ".soulsync", ".soulsync/kaoru", ".soulsync/kaoru/state/x"])
def test_a_private_folder_does_not_become_a_soul(place: str, tmp_path: Path) -> None:
    body = Body(tmp_path / "one", "one", None)
    body.fails(2, "init", "--agent", "kaoru", "--body", "one", "--dir", str(body.folder / place))
    assert not body.base.exists()


def test_a_folder_with_something_in_it_does_not_become_a_soul(tmp_path: Path) -> None:
    body = Body(tmp_path / "one", "one", None)
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "file").write_text("kept")
    body.fails(2, "init", "--agent", "kaoru", "--body", "one", "--dir", str(folder))
    assert [p.name for p in folder.iterdir()] == ["file"]


def test_a_clone_of_another_repository_does_not_become_a_soul(one: Body, tmp_path: Path) -> None:
    """Also when the agent itself lives here already: the folder must be a clone of this soul."""
    other = Remote(tmp_path / "other.git")
    other.commit({"src/main.c": "int main;\n"})
    subprocess.run(["git", "clone", "-q", other.url, str(tmp_path / "clone")], check=True, timeout=60)
    body = Body(tmp_path / "late", "late", None)
    body.fails(2, "init", "--agent", "kaoru", "--body", "late", "--dir", str(tmp_path / "clone"))


def test_a_clone_of_this_soul_becomes_the_soul(one: Body, remote: Remote, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", remote.url, str(clone)], check=True, timeout=60)
    (clone / "notes" / "begun.md").write_text("# begun\n")
    body = remote.body(tmp_path / "late", "late")
    body.soul = clone
    body.init("--dir", str(clone))
    one.sync()
    assert one.exists("notes/begun.md")
    assert_in_step(one, body)


def test_the_soul_lives_where_dir_says(remote: Remote, tmp_path: Path) -> None:
    body = remote.body(tmp_path / "one", "one")
    folder = tmp_path / "a place with spaces, 薰"
    assert body.init("--dir", str(folder))["dir"] == str(folder)
    body.soul = folder
    body.remember("there")
    body.sync()
    assert "there" in remote.git("show", "main:memories/MEMORY.md")
    assert not (body.home / "soul").exists()


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_private_things_are_private_whatever_the_umask(umask: int, remote: Remote, tmp_path: Path) -> None:
    body = remote.body(tmp_path / "one", "one")
    before = os.umask(umask)
    try:
        body.init()
        body.remember("x")
        body.sync()
    finally:
        os.umask(before)
    assert _mode(body.home / "id_ed25519") == 0o600
    for folder in (body.base, body.home, body.home / "state"):
        assert _mode(folder) == 0o700
    private = [p for place in (body.home, body.home / "state") for p in place.iterdir() if p.is_file()]
    assert {p.name: _mode(p) for p in private if p.suffix != ".pub" and _mode(p) != 0o600} == {}


def test_a_home_that_was_opened_is_closed_again(one: Body) -> None:
    one.home.chmod(0o755)
    one.init()
    assert _mode(one.home) == 0o700


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(
    "lost",
    [
        ["soul"],
        ["state"],
        ["soul", "state"],
        ["soul", "config.toml"],
        ["state", "config.toml"],
        ["soul/.git/HEAD"],
        ["config.toml"],
        ["id_ed25519.pub"],
        ["soul/.git/config"],
        ["soul/.git/hooks"],
    ],
)
def test_init_continues_where_it_was_cut_off(lost: list[str], one: Body, remote: Remote) -> None:
    head = remote.head()
    for name in lost:
        path = one.home / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    one.init()
    assert remote.head() == head
    assert_in_step(one)
    one.remember("goes on")
    one.sync()
    assert "goes on" in remote.git("show", "main:memories/MEMORY.md")


def test_init_schedules_the_sync_where_it_is_told_to(remote: Remote, tmp_path: Path) -> None:
    clockwork = Clockwork(tmp_path / "programs", "crontab", "launchctl")
    clockwork.add("systemctl", "exit 1")
    body = at(remote.body(tmp_path / "one", "one"), clockwork)
    assert body.init()["schedule"] is None  # a program that connects a machine is asked nothing
    backend = body.init("--schedule")["schedule"]
    assert backend in ("cron", "launchd")
    assert body.init("--no-schedule")["schedule"] == backend  # what stands there is taken out by `schedule remove`


def test_init_waits_for_the_key_and_shows_it_at_once(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    body = Body(tmp_path / "one", "one", embedded.url(REPO))
    running = body.start("init", embedded.url(REPO), "--body", "one", "--wait", "60")
    assert running.stdout is not None
    line = next(line for line in running.stdout if line.startswith("ssh-ed25519 ")).strip()
    embedded.authorize(REPO, line)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 0, out + err
    assert body.sync()["outcome"] == "unchanged"


def test_private_things_are_private_over_ssh_too(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    before = os.umask(0)
    try:
        body = over_ssh(embedded, tmp_path / "one", "one")
        body.sync()
    finally:
        os.umask(before)
    assert {_mode(body.home / name) for name in ("known_hosts", "id_ed25519", "config.toml")} == {0o600}
    assert _mode(body.home) == 0o700


def test_a_schedule_that_fails_does_not_hide_that_the_body_is_connected(remote: Remote, tmp_path: Path) -> None:
    body = remote.body(tmp_path / "one", "one")
    clockwork = Clockwork(tmp_path / "programs", "crontab")
    (clockwork.folder / "crontab").write_text("#!/bin/sh\necho 'the spool is full' >&2\nexit 1\n")
    clockwork.add("launchctl", "exit 1")
    clockwork.add("systemctl", "exit 1")
    done = at(body, clockwork).run("init", remote.url, "--body", "one", "--schedule")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "kaoru now lives here as one" in done.stdout

    for outcome in ("pulled", "unchanged"):  # a program is told the same, also when it tries again
        two = remote.body(tmp_path / "two", "two")
        again = at(two, clockwork).run("init", remote.url, "--body", "two", "--schedule", "--json")
        assert again.returncode == 1
        (line,) = again.stderr.splitlines()
        told = json.loads(again.stdout)
        assert (told["outcome"], told["schedule"]) == (outcome, None)
        assert [f"soulsync: {text}" for text in told["warnings"]] == [line]
        assert "the spool is full" in line


@pytest.mark.parametrize("text", ["", "agent = [", None])
def test_a_config_that_is_damaged_or_gone_is_made_again_as_the_message_says(
    text: str | None, one: Body, remote: Remote
) -> None:
    file = one.home / "config.toml"
    before = file.read_text()
    file.unlink() if text is None else file.write_text(text)
    said = one.run("doctor", "--offline").stdout
    assert "soulsync init ADDRESS --body NAME" in " ".join(said.split())
    file.unlink(missing_ok=True)
    one.ok("init", remote.url, "--body", "one")
    assert file.read_text() == before


def test_an_address_with_a_slip_in_it_is_put_right_by_the_same_command(remote: Remote, tmp_path: Path) -> None:
    body = remote.body(tmp_path / "one", "one")
    body.fails(5, "init", "ssh://git@127.0.0.1:1/kaoru.soul.git", "--body", "one", "--port-443")
    assert body.init()["remote"] == remote.url
    assert "port_443" not in (body.home / "config.toml").read_text()
    assert_in_step(body)
