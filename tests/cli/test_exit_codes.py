"""Every exit code by the situation that it stands for, and each failure as one line."""

from __future__ import annotations

import json
import socket
import time
from typing import TYPE_CHECKING

from tests.bodies import REPO, Body, over_ssh

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Remote
    from tests.servers import EmbeddedServer, GitServer


def test_0_also_when_there_was_nothing_to_do(one: Body) -> None:
    assert one.sync()["outcome"] == "unchanged"
    assert one.run("sync", "--quiet").returncode == 0


def test_1_when_a_person_left_a_merge_open(one: Body) -> None:
    (one.soul / ".git" / "MERGE_HEAD").write_text(one.head() + "\n")
    assert "git merge --abort" in one.fails(1, "sync")


def test_2_for_wrong_usage(one: Body) -> None:
    for words in (["sync", "--nonsense"], ["nonsense"], ["undo"], ["bridge", "add"], ["remote", "accept", "abc1234"]):
        done = one.run(*words)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert done.stderr.startswith("soulsync: ")
        assert len(done.stderr.splitlines()) == 1


def test_2_without_any_soul_on_the_machine(tmp_path: Path) -> None:
    body = Body(tmp_path / "nobody", "nobody", None)
    for words in (["sync"], ["status"], ["undo", "HEAD"], ["lease", "acquire"], ["key", "show"]):
        assert "soulsync init" in body.fails(2, *words)
    assert not body.base.exists()


def test_3_for_an_address_that_is_not_ssh(one: Body) -> None:
    assert "SSH" in one.fails(3, "remote", "set", "https://github.com/you/kaoru.soul.git")


def test_3_for_a_changed_host_key_with_both_fingerprints(server: GitServer, tmp_path: Path) -> None:
    server.create(REPO)
    body = over_ssh(server, tmp_path / "one", "one")
    [old] = server.host_keys()
    server.new_host_key()
    [new] = server.host_keys()
    body.remember("safe")
    line = body.fails(3, "sync")
    assert old in line
    assert new in line
    assert body.clean()


def test_4_and_the_key_to_add_when_the_server_does_not_know_it(server: GitServer, tmp_path: Path) -> None:
    server.create(REPO)
    body = Body(tmp_path / "one", "one", server.url(REPO))
    done = body.run("init", server.url(REPO), "--body", "one")
    assert done.returncode == 4
    assert (body.home / "id_ed25519.pub").read_text().strip() in done.stdout.splitlines()
    assert "PRIVATE" not in done.stdout
    assert len(done.stderr.splitlines()) == 1


def test_4_as_json_holds_the_key_to_add(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    body = Body(tmp_path / "one", "one", embedded.url(REPO))
    done = body.run("init", embedded.url(REPO), "--body", "one", "--json")
    assert done.returncode == 4
    printed = json.loads(done.stdout)
    assert printed["public_key"] == (body.home / "id_ed25519.pub").read_text().strip()
    assert printed["outcome"] == "denied"


def test_4_when_the_key_is_missing_or_open_and_work_is_committed(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    body = over_ssh(embedded, tmp_path / "one", "one")
    key = body.home / "id_ed25519"
    body.remember("first")
    key.chmod(0o644)
    body.fails(4, "sync")
    assert body.clean()
    key.chmod(0o600)
    kept = key.read_bytes()
    key.unlink()
    body.remember("second")
    body.fails(4, "sync")
    assert body.clean()
    assert body.status()["ahead"] == 2
    key.write_bytes(kept)
    key.chmod(0o600)
    assert body.sync()["pushed"]
    assert body.status()["ahead"] == 0


def test_4_when_the_key_may_only_read(server: GitServer, tmp_path: Path) -> None:
    server.create(REPO)
    over_ssh(server, tmp_path / "one", "one")
    reader = Body(tmp_path / "two", "two", server.url(REPO))
    assert reader.run("init", server.url(REPO), "--body", "two").returncode == 4
    server.authorize(REPO, (reader.home / "id_ed25519.pub").read_text().strip(), False)
    assert "write access" in reader.fails(4, "init", server.url(REPO), "--body", "two", "--json")


def test_4_when_the_key_was_taken_away(server: GitServer, tmp_path: Path) -> None:
    server.create(REPO)
    body = over_ssh(server, tmp_path / "one", "one")
    server.revoke(REPO, (body.home / "id_ed25519.pub").read_text().strip())
    body.remember("safe")
    body.fails(4, "sync")
    assert body.clean()


def test_5_when_nobody_listens_and_work_is_committed(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    body = over_ssh(embedded, tmp_path / "one", "one")
    embedded.stop()
    body.remember("safe")
    done = body.run("sync", "--json")
    assert done.returncode == 5
    result = json.loads(done.stdout)
    assert (result["outcome"], result["pushed"]) == ("offline", False)
    assert result["error"] == done.stderr.strip().removeprefix("soulsync: ")
    assert body.clean()
    assert body.status()["last_error"] == result["error"]


def test_5_when_the_server_accepts_and_says_nothing(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    body = over_ssh(embedded, tmp_path / "one", "one")
    port = embedded.port
    embedded.stop()
    config = body.home / "config.toml"
    config.write_text(config.read_text() + "connect_timeout = 2\n")
    with socket.create_server(("127.0.0.1", port)):
        started = time.monotonic()
        body.remember("safe")
        body.fails(5, "sync")
    assert time.monotonic() - started < 60  # bounded, not measured
    assert body.clean()


def test_5_for_init_before_the_server_runs(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    url, port = embedded.url(REPO), embedded.port
    embedded.stop()
    body = Body(tmp_path / "one", "one", url)
    body.fails(5, "init", url, "--body", "one")
    assert str(port) in url
    assert (body.home / "id_ed25519").exists()


def test_6_when_another_body_holds_the_lease(one: Body, two: Body) -> None:
    one.ok("lease", "acquire")
    assert "one" in two.fails(6, "lease", "acquire")


def test_75_while_another_soulsync_is_at_work(one: Body, remote: Remote) -> None:
    from filelock import FileLock

    one.remember("waits")
    with FileLock(one.home / "state" / "sync.lock"):
        assert "Try again" in one.fails(75, "sync")
    assert one.sync()["pushed"]


def test_no_traceback_for_a_config_that_cannot_be_read(one: Body) -> None:
    config = one.home / "config.toml"
    whole = config.read_text()
    for text in ("not = [toml", 'agent = "kaoru"\n', whole.replace('body = "one"', 'body = "../x"'), "agent = 1\n"):
        config.write_text(text)
        one.fails(1, "sync")
        one.fails(1, "status")


def test_no_traceback_for_a_soul_that_is_gone(one: Body) -> None:
    one.soul.rename(one.folder / "moved away")
    for words in (["sync"], ["status"], ["undo", "HEAD"], ["restore", "SOUL.md"], ["lease", "acquire"]):
        one.fails(1, *words)


def test_a_traceback_only_when_asked_for(one: Body) -> None:
    (one.home / "config.toml").write_text("not = [toml")
    assert "Traceback" in one.run("sync", SOULSYNC_DEBUG="1").stderr
    assert "Traceback" not in one.run("sync", SOULSYNC_DEBUG="0").stderr
