"""Questions to git that run while something else is done."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from soulsync.repo import ahead
from soulsync.repo.git import Git, GitError

VERSION = ("--version",)


@pytest.fixture
def git(tmp_path: Path) -> Git:
    git = Git(tmp_path / ".git", tmp_path)
    git.run("init", "-q", "-b", "main")
    return git


def shim(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a program of this name before git on the PATH."""
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


def test_the_answer_is_that_of_the_command(git: Git) -> None:
    text = "x" * 300_000  # more than a pipe holds
    blob = git.run("hash-object", "-w", "--stdin", input=text.encode()).out.decode().strip()
    questions = (("cat-file", "blob", blob), ("symbolic-ref", "HEAD"))
    with git.asked(*questions):
        assert [git.text(*question) for question in reversed(questions)] == ["refs/heads/main", text]


def test_each_is_asked_once(git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shim(tmp_path / "bin", monkeypatch, f"echo asked >>{tmp_path}/log; echo answer")
    with git.asked(VERSION):
        assert git.text(*VERSION) == "answer"
        assert (tmp_path / "log").read_text() == "asked\n"
        assert git.text(*VERSION) == "answer"
    assert (tmp_path / "log").read_text() == "asked\n" * 2


def test_a_failure_is_told_by_asking_again(git: Git) -> None:
    wrong = ("cat-file", "blob", "0" * 40)
    with git.asked(wrong), pytest.raises(GitError, match="bad file"):
        git.run(*wrong)


def test_an_answer_that_does_not_come_is_not_waited_for(
    git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "PATIENCE", 0.2)
    hang = f"mkdir {tmp_path}/first 2>/dev/null || {{ echo second; exit; }}\necho $$ >{tmp_path}/pid\nexec sleep 600"
    shim(tmp_path / "bin", monkeypatch, hang)
    with git.asked(VERSION):
        assert git.text(*VERSION) == "second"
    assert not Path("/proc", (tmp_path / "pid").read_text().strip()).exists()


def test_what_nobody_wants_to_know_is_ended(git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "fifo")
    shim(tmp_path / "bin", monkeypatch, f"echo $$ >{tmp_path}/fifo\nexec sleep 600")
    with git.asked(VERSION):
        pid = (tmp_path / "fifo").read_text().strip()
        assert Path("/proc", pid).exists()
    assert not Path("/proc", pid).exists()


def test_where_git_is_missing_whoever_asks_hears_it(git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with git.asked(VERSION), pytest.raises(Exception, match="git is missing"):
        git.run(*VERSION)
