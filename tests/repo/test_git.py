"""The process wrapper: what it lets in, what it gives back, what it does when git does not end."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from soulsync.errors import SoulSyncError
from soulsync.repo.environment import clean_env, config_env
from soulsync.repo.git import Git, GitError, GitTimeoutError


@pytest.fixture
def git(tmp_path: Path) -> Git:
    work = tmp_path / "repo 灵"
    work.mkdir()
    git = Git(work / ".git", work)
    git.run("init", "-q", "-b", "main")
    return git


def test_gives_bytes_text_and_status(git: Git) -> None:
    blob = git.run("hash-object", "-w", "--stdin", input=b"\xff\x00\n").out.decode().strip()
    assert git.out("cat-file", "blob", blob) == b"\xff\x00\n"
    assert git.text("symbolic-ref", "HEAD") == "refs/heads/main"
    assert git.run("rev-parse", "--verify", "-q", "HEAD", check=False).code == 1


def test_a_failure_names_the_command_the_status_and_the_reason(git: Git) -> None:
    with pytest.raises(GitError) as e:
        git.run("cat-file", "blob", "0" * 40)
    assert (e.value.argv[:2], e.value.code) == (["git", "cat-file"], 128)
    assert "git cat-file failed with status 128: fatal:" in str(e.value)


def test_inherited_git_variables_do_not_reach_another_repository(
    git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "elsewhere/index"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.bare=true'")
    assert git.text("rev-parse", "--is-bare-repository") == "false"
    assert git.text("rev-parse", "--git-path", "index") == f"{git.git_dir}/index"


def test_the_environment_holds_no_key_agent_and_no_prompt() -> None:
    env = clean_env({"PATH": "/bin", "GIT_SSH_COMMAND": "x", "SSH_AUTH_SOCK": "/s", "DISPLAY": ":0", "LC_ALL": "zh_CN"})
    assert env["PATH"] == "/bin"
    assert env["LC_ALL"] == "C"
    assert env["GIT_TERMINAL_PROMPT"] == "0"
    assert not {"GIT_SSH_COMMAND", "SSH_AUTH_SOCK", "DISPLAY"} & set(env)


def test_config_of_the_caller_wins_and_needs_no_quoting(git: Git) -> None:
    odd = "a \"b\" 'c' % 灵\n;#"
    mine = Git(git.git_dir, git.work_tree, config=[("soul.odd", odd), ("color.ui", "always")])
    assert mine.text("config", "soul.odd") == odd
    assert mine.text("config", "color.ui") == "always"
    assert config_env([("a.b", "c")]) == {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "a.b",
        "GIT_CONFIG_VALUE_0": "c",
    }


def test_user_and_repository_settings_start_no_program(
    git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "ran"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    hook = hooks / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    hook.chmod(0o755)
    home = tmp_path / "home"
    (home / ".config/git").mkdir(parents=True)
    (home / ".config/git/ignore").write_text("*.md\n")
    (home / ".gitconfig").write_text(f"[core]\n\thooksPath = {hooks}\n")
    monkeypatch.setenv("HOME", str(home))
    git.run("config", "core.hooksPath", str(hooks))
    git.run("config", "core.fsmonitor", str(hook))
    assert git.work_tree is not None
    (Path(git.work_tree) / "a.md").write_text("a\n")
    git.run("add", "a.md")
    git.run("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one")
    git.run("checkout", "-q", "-b", "other")
    git.run("status")
    assert not mark.exists()


def test_a_pathspec_is_a_name_not_a_pattern(git: Git) -> None:
    assert git.work_tree is not None
    for name in ("*.md", "b.md", ":(top)x"):
        (Path(git.work_tree) / name).write_text("x\n")
    git.run("add", "--", "*.md", ":(top)x")
    assert git.out("ls-files", "-z") == b"*.md\0:(top)x\0"


def test_a_command_that_hangs_is_stopped_with_its_children(git: Git, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    alias = ("-c", f"alias.hang=!echo $$ >'{pid_file}'; sleep 60; true")
    with pytest.raises(GitTimeoutError) as e:
        git.run(*alias, "hang", timeout=1)
    assert "within 1 seconds" in str(e.value)
    child = int(pid_file.read_text())
    deadline = time.monotonic() + 10
    while _alive(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _alive(child)


def _alive(pid: int) -> bool:
    """Whether ``pid`` still runs; a zombie that nobody has reaped yet does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return not stat.strip().startswith("Z")


def test_a_signal_is_a_negative_status(git: Git) -> None:
    result = git.run("-c", "alias.die=!exec kill -TERM $PPID", "die", check=False)
    assert result.code == -signal.SIGTERM


def test_a_command_that_the_system_stops_because_a_file_was_cut_short_runs_again(git: Git, tmp_path: Path) -> None:
    """By SIGBUS, when a program empties a file that git has mapped into memory."""
    mark = tmp_path / "mark"
    once = f"!if test -e '{mark}'; then echo whole; else touch '{mark}'; kill -BUS $PPID; fi"
    assert git.run("-c", f"alias.once={once}", "once").out == b"whole\n"
    with pytest.raises(GitError) as e:
        git.run("-c", "alias.always=!kill -BUS $PPID", "always")
    assert e.value.code == -signal.SIGBUS


def test_a_machine_without_git_is_told_what_to_install(git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(SoulSyncError) as e:
        git.run("version", check=False)
    assert not isinstance(e.value, GitError)  # it is no answer of git, and no fault of a server
    assert "Install git" in e.value.remedy
