"""Hook files: never one of another lost, never written where other repositories look, and back again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.repo.install import check, install, uninstall
from soulsync.repo.install_hooks import HOOKS, OWN_FOLDER
from tests.user_git import UserGit

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def git(tmp_path: Path) -> UserGit:
    return UserGit.init(tmp_path / "soul", tmp_path / "home")


def hook(folder: Path, name: str, log: Path, then: str = "") -> None:
    """A hook that notes its name, its arguments and its stdin."""
    folder.mkdir(parents=True, exist_ok=True)
    read = "$(cat)" if name in ("pre-push", "post-rewrite") else ""
    (folder / name).write_text(f"#!/bin/sh\necho \"{name} $# {read}\" >>'{log}'\n{then}\n")
    (folder / name).chmod(0o755)


def said(log: Path) -> list[str]:
    return [line.split()[0] for line in log.read_text().splitlines()] if log.exists() else []


def test_a_hook_that_was_there_runs_first_and_comes_back(git: UserGit, tmp_path: Path) -> None:
    log, hooks = tmp_path / "log", git.root / ".git/hooks"
    for name in HOOKS:
        hook(hooks, name, log)
    before = {name: (hooks / name).read_bytes() for name in HOOKS}
    lines = install(git.root, body="one", remote_url="/elsewhere")
    assert "keep the hook pre-commit as pre-commit.before-soulsync; it still runs" in lines
    git.write("a", "a\n")
    git("add", "a")
    git("commit", "-q", "-m", "one")
    assert said(log) == ["pre-commit", "commit-msg"]
    assert git("log", "-1", "--format=%s") == "one（one）"
    uninstall(git.root)
    assert {name: (hooks / name).read_bytes() for name in HOOKS} == before
    assert not list(hooks.glob("*soulsync*"))


def test_its_failure_is_respected(git: UserGit, tmp_path: Path) -> None:
    hook(git.root / ".git/hooks", "pre-commit", tmp_path / "log", "exit 7")
    install(git.root, body="one")
    git.write("a", "a\n")
    git("add", "a")
    assert git.run("commit", "-m", "one").returncode == 1
    assert said(tmp_path / "log") == ["pre-commit"]


def test_pre_push_and_post_rewrite_give_it_the_same_stdin(git: UserGit, tmp_path: Path) -> None:
    log, remote = tmp_path / "log", tmp_path / "remote.git"
    git("init", "-q", "--bare", str(remote))
    for name in ("pre-push", "post-rewrite"):
        hook(git.root / ".git/hooks", name, log)
    install(git.root, body="one", remote_url=str(remote))
    first = git.commit({"a": "a\n"}, 0)
    git("push", "-q", str(remote), "main", SOUL_ALLOW_LOCAL_REMOTE="1")
    assert log.read_text().startswith(f"pre-push 2 refs/heads/main {first} refs/heads/main 0000")
    git("commit", "-q", "--amend", "--no-verify", "-m", "two")
    assert f"post-rewrite 1 {first} {git('rev-parse', 'HEAD')}\n" in log.read_text()


def test_a_hook_that_another_tool_puts_over_ours_is_chained_too(git: UserGit, tmp_path: Path) -> None:
    log, hooks = tmp_path / "log", git.root / ".git/hooks"
    hook(hooks, "pre-commit", log)
    install(git.root, body="one")
    (hooks / "pre-commit").unlink()
    hook(hooks, "pre-commit", log)
    assert check(git.root) != []
    install(git.root, body="one")
    git.write("a", "a\n")
    git("add", "a")
    git("commit", "-q", "-m", "one")
    assert said(log) == ["pre-commit", "pre-commit"]
    assert check(git.root) == []
    assert install(git.root, body="one") == []


def test_a_hook_that_is_a_link_or_may_not_run(git: UserGit, tmp_path: Path) -> None:
    hooks = git.root / ".git/hooks"
    hook(tmp_path / "tool", "pre-commit", tmp_path / "log")
    hooks.mkdir(exist_ok=True)
    (hooks / "pre-commit").symlink_to(tmp_path / "tool/pre-commit")
    (hooks / "commit-msg").write_text("exit 1\n")
    install(git.root, body="one")
    git.write("a", "a\n")
    git("add", "a")
    git("commit", "-q", "-m", "one")
    assert said(tmp_path / "log") == ["pre-commit"]
    uninstall(git.root)
    assert (hooks / "pre-commit").is_symlink()
    assert (tmp_path / "tool/pre-commit").exists()


@pytest.mark.parametrize("scope", ["--global", "--local"])
@pytest.mark.parametrize("place", ["../shared hooks", ".githooks"])
def test_a_folder_that_is_not_the_repositorys_own_is_never_written(
    git: UserGit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scope: str, place: str
) -> None:
    monkeypatch.setenv("HOME", str(git.home))
    log, folder = tmp_path / "log", git.root / place
    for name in ("pre-commit", "prepare-commit-msg"):
        hook(folder, name, log)
    git("config", scope, "core.hooksPath", place)
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    install(git.root, body="one")
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before
    assert git("config", "--local", "core.hooksPath") == str(git.root / ".git" / OWN_FOLDER)
    git.write("a", "a\n")
    git("add", "a")
    git("commit", "-q", "-m", "one")
    assert said(log) == ["pre-commit", "prepare-commit-msg"]
    assert git("log", "-1", "--format=%s") == "one（one）"
    assert check(git.root) == []
    assert install(git.root, body="one") == []
    uninstall(git.root)
    assert git("config", "core.hooksPath") == place
    assert not (git.root / ".git" / OWN_FOLDER).exists()
    assert git.run("config", "--local", "core.hooksPath").returncode == (1 if scope == "--global" else 0)


def test_a_global_folder_that_comes_and_goes(git: UserGit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(git.home))
    install(git.root, body="one")
    git("config", "--global", "core.hooksPath", str(tmp_path / "outer"))
    assert install(git.root, body="one", dry_run=True) != []
    install(git.root, body="one")
    assert not (git.root / ".git/hooks/pre-commit").exists()
    assert (git.root / ".git" / OWN_FOLDER / "pre-commit").exists()
    git("config", "--global", "--unset", "core.hooksPath")
    install(git.root, body="one")
    assert (git.root / ".git/hooks/pre-commit").exists()
    assert git.run("config", "core.hooksPath").returncode == 1
    assert check(git.root) == []


def test_a_setting_of_one_work_tree_is_reported(git: UserGit) -> None:
    git("config", "extensions.worktreeConfig", "true")
    git("config", "--worktree", "core.hooksPath", "mine")
    assert any(line.startswith("found core.hooksPath") for line in install(git.root, body="one"))


def test_without_the_interpreter_commits_go_on_and_pushes_do_not(git: UserGit, tmp_path: Path) -> None:
    install(git.root, body="one", remote_url=str(tmp_path), python="/nowhere/python")
    git.write("a", "a\n")
    git("add", "a")
    result = git.run("commit", "-m", "one")
    assert result.returncode == 0
    assert "soulsync: /nowhere/python or" in result.stderr
    assert "is gone; nothing was checked. Run soulsync install." in result.stderr
    remote = tmp_path / "remote.git"
    git("init", "-q", "--bare", str(remote))
    result = git.run("push", str(remote), "main", SOUL_ALLOW_LOCAL_REMOTE="1")
    assert result.returncode == 1
    assert "the push was not checked" in result.stderr
