"""Lock files of a killed git, and work that a person left open."""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from soulsync.errors import BusyError, SoulSyncError
from soulsync.repo import leftovers
from soulsync.repo.git import stop
from tests.repo.helpers import Lab

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCKS = ["index.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "refs/heads/main.lock", "refs/soulsync/x/y.lock"]


@pytest.fixture
def lab(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> Lab:
    monkeypatch.setattr(leftovers, "PATIENCE", 0.4)
    lab.check_out(lab.base())
    return lab


def lock(lab: Lab, name: str = "index.lock", age: float = 100) -> Path:
    file = lab.root / ".git" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("x")
    os.utime(file, (time.time() - age, time.time() - age))
    return file


@pytest.fixture
def recovery(tmp_path: Path) -> Path:
    return tmp_path / "state" / "recovery"


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_that_nobody_holds_is_set_aside_not_deleted(lab: Lab, recovery: Path, name: str) -> None:
    file = lock(lab, name)
    assert leftovers.set_aside_locks(lab.soul, recovery) == [file.name]
    assert not file.exists()
    [kept] = recovery.iterdir()
    assert kept.read_text() == "x"
    lab.write("notes/n.md", "n")
    lab.git("add", "-A")
    lab.git("commit", "-q", "-m", "works again")


def test_the_engines_own_lock_is_found_too(lab: Lab, recovery: Path) -> None:
    (lab.soul.engine / "index.lock").touch()
    assert leftovers.set_aside_locks(lab.soul, recovery) == ["index.lock"]


def test_two_locks_of_one_name_are_both_kept(lab: Lab, recovery: Path) -> None:
    lock(lab, "refs/heads/main.lock")
    lock(lab, "refs/remotes/origin/main.lock")
    assert leftovers.set_aside_locks(lab.soul, recovery) == ["main.lock", "main.lock"]
    assert len(list(recovery.iterdir())) == 2


def test_a_lock_that_goes_by_itself_is_only_waited_for(lab: Lab, recovery: Path) -> None:
    file = lock(lab, age=0)
    remover = subprocess.Popen(["sh", "-c", 'sleep 0.1; rm "$0"', str(file)])
    assert leftovers.set_aside_locks(lab.soul, recovery) == []
    remover.wait(10)
    assert not recovery.exists()


@pytest.fixture
def live_git(lab: Lab) -> Iterator[subprocess.Popen[bytes]]:
    """A git of somebody else that works in the soul: it waits for its input."""
    shell = subprocess.Popen(
        ["sh", "-c", "git cat-file --batch; true"], cwd=lab.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip
    assert shell.stdin is not None
    assert shell.stdout is not None
    shell.stdin.write(b"HEAD\n")
    shell.stdin.flush()
    shell.stdout.readline()
    yield shell
    shell.stdin.close()
    shell.stdout.close()
    shell.wait(10)


def test_while_a_git_works_in_the_soul_its_lock_stays(lab: Lab, recovery: Path) -> None:
    file = lock(lab)
    # Two forks away, so that it is no child of ours.
    script = '(setsid git cat-file --batch <"$0" >/dev/null 2>&1 &)'
    subprocess.run(
        ["sh", "-c", script, str(_fifo(lab))], cwd=lab.root, stderr=subprocess.DEVNULL, timeout=30, check=True
    )
    with (lab.root.parent / "fifo").open("wb"):
        _until(lambda: bool(leftovers.workers(lab.soul)))
        with pytest.raises(BusyError):
            leftovers.set_aside_locks(lab.soul, recovery)
        assert file.exists()
    _until(lambda: not leftovers.workers(lab.soul))
    assert leftovers.set_aside_locks(lab.soul, recovery) == ["index.lock"]


def _fifo(lab: Lab) -> Path:
    fifo = lab.root.parent / "fifo"
    os.mkfifo(fifo)
    return fifo


def _until(condition: object) -> None:
    assert callable(condition)
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_our_own_network_git_is_not_taken_for_a_stranger(
    lab: Lab, recovery: Path, live_git: subprocess.Popen[bytes]
) -> None:
    assert os.getsid(live_git.pid) == live_git.pid  # like our own network git it leads a session, as our child
    lock(lab)
    assert leftovers.set_aside_locks(lab.soul, recovery) == ["index.lock"]


def test_a_git_in_another_folder_is_no_hindrance(lab: Lab, recovery: Path, tmp_path: Path) -> None:
    other = Lab(tmp_path / "elsewhere").soul.git
    lock(lab)
    with other.popen("cat-file", "--batch", stdin=subprocess.PIPE) as process:
        try:
            assert leftovers.set_aside_locks(lab.soul, recovery) == ["index.lock"]
        finally:
            stop(process)


def test_a_killed_git_leaves_its_lock_and_the_next_run_goes_on(lab: Lab, recovery: Path) -> None:
    (lab.root / "notes/a.md").write_text("x")
    done = subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@y", "-c", "core.editor=kill -9 $PPID; :", "commit", "-aq"],
        cwd=lab.root, capture_output=True, timeout=30, check=False,
    )  # fmt: skip
    assert done.returncode < 0
    assert (lab.root / ".git/index.lock").exists()
    assert "index.lock" in leftovers.set_aside_locks(lab.soul, recovery)
    assert set(lab.save().edits) == {"notes/a.md"}


# Open work.


@pytest.mark.parametrize("name", ["merge", "rebase", "cherry-pick", "revert", "bisect"])
def test_open_work_is_explained_with_its_way_out(lab: Lab, name: str) -> None:
    base = lab.soul.head or ""
    ours, theirs = (lab.commit({"notes/a.md": text}, base, at=5) for text in ("1", "2"))
    lab.check_out(ours)
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@y"]
    commands = {
        "merge": ["merge", theirs], "rebase": ["rebase", theirs], "cherry-pick": ["cherry-pick", theirs],
        "revert": ["revert", "--no-edit", "--no-commit", base], "bisect": ["bisect", "start"],
    }  # fmt: skip
    subprocess.run([*git, *commands[name]], cwd=lab.root, capture_output=True, timeout=30, check=False)
    with pytest.raises(SoulSyncError) as e:
        leftovers.refuse_open_work(lab.soul)
    word = "bisection" if name == "bisect" else name
    assert word in e.value.problem
    assert "git " in e.value.remedy


@pytest.mark.parametrize("where", ["--detach", "-bside"])
def test_another_branch_is_explained(lab: Lab, where: str) -> None:
    leftovers.refuse_open_work(lab.soul)
    lab.git("checkout", "-q", where)
    with pytest.raises(SoulSyncError, match="detached" if where == "--detach" else "branch side"):
        leftovers.refuse_open_work(lab.soul)


def test_a_missing_head_is_explained(lab: Lab) -> None:
    (lab.root / ".git/HEAD").unlink()
    with pytest.raises(SoulSyncError, match="HEAD"):
        leftovers.refuse_open_work(lab.soul)
