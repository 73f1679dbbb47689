"""Plain git of a user whose own settings are far from git's defaults: the merged tree is the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.repo.install import check, install
from tests.user_git import UserGit

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = {
    "core.autocrlf": "true",
    "core.eol": "crlf",
    "core.quotePath": "true",
    "core.attributesFile": "~/attributes",
    "core.hooksPath": "~/hooks",
    "core.fsmonitor": "true",
    "core.commentChar": ";",
    "merge.conflictStyle": "zdiff3",
    "merge.directoryRenames": "true",
    "merge.renames": "copies",
    "merge.default": "union",
    "merge.soul-entries.driver": "false",
    "merge.soul-entries.recursive": "text",
    "merge.stat": "true",
    "merge.log": "20",
    "merge.verbosity": "5",
    "rerere.enabled": "true",
    "rerere.autoUpdate": "true",
    "init.defaultBranch": "trunk",
    "color.ui": "always",
    "log.showSignature": "true",
    "log.follow": "true",
    "log.date": "relative",
    "diff.renames": "copies",
    "diff.noprefix": "true",
    "diff.external": "false",
    "diff.relative": "true",
    "diff.ignoreSubmodules": "all",
    "status.showUntrackedFiles": "no",
    "push.followTags": "true",
    "alias.merge-file": "!false",
    "alias.log": "!false",
    "alias.cat-file": "!false",
}
SHELL = {
    "LANG": "zh_CN.GBK",
    "LANGUAGE": "de",
    "PYTHONPATH": "/nowhere",
    "PYTHONSTARTUP": "/nowhere",
    "GREP_OPTIONS": "-v",
}
MEMORY = "memories/MEMORY.md"


def merged(git: UserGit) -> str:
    """Two bodies' changes merged; the tree."""
    install(git.root, body="one")
    git.commit({".gitattributes": "* text=auto eol=lf\n", MEMORY: "A\n§\nB\n", "notes/天 文.md": "old\n"}, 0)
    git("branch", "-f", "base")
    git.branch("older", "base", {MEMORY: "A\n§\nsee §3\n", "notes/天 文.md": "older\n", "notes/n.md": "n1\n"}, 1)
    git.branch("newer", "base", {MEMORY: "B\n§\nA\n§\nN\n", "notes/天 文.md": "newer\n", "notes/n.md": "n2\n"}, 2)
    git("checkout", "-q", "older")
    git("merge", "--no-edit", "newer")
    assert git("log", "-1", "--format=%s", "--no-color").endswith("（one）")
    return git("rev-parse", "HEAD^{tree}")


@pytest.fixture
def plain(tmp_path: Path) -> str:
    return merged(UserGit.init(tmp_path / "plain", tmp_path / "quiet"))


def test_no_setting_changes_the_merge(plain: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git = UserGit(tmp_path / "soul", tmp_path / "home", **SHELL)
    monkeypatch.setenv("HOME", str(git.home))
    (git.home / "attributes").write_text("*.md merge=union -text\n")
    (git.home / ".config/git").mkdir(parents=True)
    (git.home / ".config/git/ignore").write_text("*.tmp\n")
    hooks = git.home / "hooks"
    hooks.mkdir()
    (hooks / "prepare-commit-msg").write_text('#!/bin/sh\ntouch "$HOME/ran"\n')
    (hooks / "prepare-commit-msg").chmod(0o755)
    git.root.mkdir()
    for key, value in HOSTILE.items():
        git("config", "--global", key, value)
    git("init", "-q", "-b", "main")
    assert merged(git) == plain
    assert check(git.root) == []
    assert (git.home / "ran").exists()
    assert [p.name for p in hooks.iterdir()] == ["prepare-commit-msg"]


def test_a_linked_work_tree_and_a_subfolder(plain: str, tmp_path: Path) -> None:
    git = UserGit.init(tmp_path / "soul", tmp_path / "home")
    merged(git)
    linked = UserGit(tmp_path / "linked 灵", git.home)
    git("worktree", "add", "-q", "--detach", str(linked.root), "newer")
    result = linked.run("merge", "--no-edit", "older", cwd=linked.root / "notes")
    assert result.returncode == 0, result.stderr
    assert linked("rev-parse", "HEAD^{tree}") == plain
    assert linked("log", "-1", "--format=%s").endswith("（one）")
