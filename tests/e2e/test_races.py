"""Several at once: bodies that push together, syncs of one body together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.body import config, sync
from soulsync.body.home import Home
from soulsync.body.locks import sync_lock
from soulsync.errors import BusyError
from tests.bodies import REPO, Body, assert_in_step, in_turn, over_ssh

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from tests.bodies import Remote
    from tests.servers import EmbeddedServer


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=180)
    return process.returncode, out, err


def test_five_syncs_of_one_body_at_once(one: Body, remote: Remote) -> None:
    one.remember("written before")
    ended = [finish(process) for process in [one.start("sync") for _ in range(5)]]
    assert {code for code, _, _ in ended} <= {0, 75}
    assert any(code == 0 for code, _, _ in ended)
    assert all("Traceback" not in err for _, _, err in ended)
    one.sync()
    assert one.entries() == ["written before"]
    assert remote.head() == one.head()
    assert one.subjects().count("更新记忆（one）") == 1
    one.git("fsck", "--strict", "--no-dangling")


def test_ten_bodies_push_at_once(remote: Remote, tmp_path: Path) -> None:
    bodies = [remote.body(tmp_path / f"b{n}", f"b{n}") for n in range(10)]
    for body in bodies:
        body.init()
        body.remember(f"from {body.name}")
        body.write(f"notes/{body.name}.md", f"# {body.name}\n")
    ended = [finish(process) for process in [body.start("sync") for body in bodies]]
    assert {code for code, _, _ in ended} <= {0, 75}, ended
    in_turn(*bodies, rounds=1)
    bodies[0].sync()
    assert_in_step(bodies[0], bodies[-1])
    assert sorted(bodies[0].entries()) == sorted(f"from {body.name}" for body in bodies)
    assert all(bodies[0].exists(f"notes/{body.name}.md") for body in bodies)


def test_bodies_push_at_once_over_ssh(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    bodies = [over_ssh(embedded, tmp_path / f"b{n}", f"b{n}") for n in range(3)]
    for body in bodies:
        body.remember(f"from {body.name}")
    ended = [finish(process) for process in [body.start("sync") for body in bodies]]
    assert {code for code, _, _ in ended} <= {0, 75}, ended
    in_turn(*bodies)
    assert_in_step(*bodies)
    assert sorted(bodies[0].entries()) == sorted(f"from {body.name}" for body in bodies)


def test_a_push_that_the_server_rejects_for_its_own_reason_is_an_error(one: Body, remote: Remote) -> None:
    remote.hook("pre-receive", "echo 'no pushes on Sundays' >&2", "exit 1")
    one.remember("safe")
    assert "Sundays" in one.fails(1, "sync")
    assert one.clean()
    (remote.path / "hooks" / "pre-receive").unlink()
    assert one.sync()["pushed"]


def test_a_push_that_failed_once_for_a_race_is_tried_again(one: Body, remote: Remote) -> None:
    once = remote.path.parent / "once"
    said = "remote rejected: cannot lock ref 'refs/heads/main': is at 1111 but expected 2222"
    remote.hook("pre-receive", f'mkdir "{once}" 2>/dev/null || exit 0', f'echo "{said}" >&2', "exit 1")
    one.remember("arrives")
    result = one.sync()
    assert (result["attempts"], result["pushed"]) == (2, True)


def test_a_body_that_loses_every_race_says_so_in_its_status(
    one: Body, remote: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "remote rejected: cannot lock ref 'refs/heads/main'"
    remote.hook("pre-receive", f'echo "{said}" >&2', "exit 1")
    monkeypatch.setenv("SOUL_ALLOW_LOCAL_REMOTE", "1")
    monkeypatch.setattr(sync, "FIRST_PAUSE", 0.0)  # up to 40 seconds otherwise
    one.remember("waits")
    run = sync.SyncRun(Home(one.home), config.load(Home(one.home)))
    with pytest.raises(BusyError, match="Other bodies kept pushing first"):
        run.execute()
    assert (run.result.attempts, run.result.outcome) == (sync.MAX_ATTEMPTS, "busy")
    assert "Other bodies kept pushing first" in one.status()["last_error"]
    assert one.clean()
    (remote.path / "hooks" / "pre-receive").unlink()
    assert one.sync()["pushed"]
    assert one.status()["last_error"] is None


def test_a_sync_that_finds_another_at_work_leaves_the_status_to_it(one: Body) -> None:
    before = one.status()
    with sync_lock(Home(one.home)):
        one.fails(75, "sync")
    assert one.status() == before


def test_a_push_that_arrived_though_the_answer_was_lost_counts(one: Body, remote: Remote) -> None:
    """The server dies after it moved the branch: the tip tells, not git's exit status."""
    remote.hook("post-receive", "kill -9 $PPID")
    one.remember("arrived")
    one.sync()
    assert remote.head() == one.head()
    assert one.status()["ahead"] == 0


def test_sync_and_an_agents_own_commits_at_once(one: Body, two: Body) -> None:
    """An agent that commits by itself while sync runs loses nothing."""
    for number in range(6):
        two.remember(f"two {number}")
        two.sync()
        running = one.start("sync")
        one.write(f"notes/n{number}.md", f"# {number}\n")
        one.try_git("add", "-A")
        one.try_git("commit", "-q", "-m", f"own {number}")
        code, _, err = finish(running)
        assert code in (0, 1, 75), err
    in_turn(one, two)
    assert_in_step(one, two)
    assert sorted(two.entries()) == [f"two {n}" for n in range(6)]
    assert all(two.exists(f"notes/n{n}.md") for n in range(6))


def test_work_written_while_the_push_is_under_way_goes_with_the_next_sync(one: Body, remote: Remote) -> None:
    remote.hook("pre-receive", f'printf "late\\n" > "{one.soul}/memories/USER.md"', "exit 0")
    one.remember("early")
    one.sync()
    (remote.path / "hooks" / "pre-receive").unlink()
    assert one.status()["dirty"] == ["memories/USER.md"]
    assert one.sync()["outcome"] == "pushed"
    assert remote.git("show", "main:memories/USER.md") == "late"
