"""Nothing in the soul's own configuration or attributes is ever run or followed (soul-repo-v4 §8)."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from soulsync.body.config import Config
from soulsync.body.engine import Engine
from soulsync.body.home import Home
from soulsync.body.targets import merged_with
from soulsync.formats.entries import parse
from soulsync.repo.soul import Soul
from tests.repo.helpers import MEMORY, Lab, entries

if TYPE_CHECKING:
    from pathlib import Path

HOOKS = (
    "pre-commit", "post-checkout", "post-merge", "post-index-change", "reference-transaction", "fsmonitor-watchman",
    "post-commit", "pre-merge-commit", "update",
)  # fmt: skip


@pytest.fixture
def canary(lab: Lab, tmp_path: Path) -> Path:
    """A soul in which everything that git can be made to run would leave a file there."""
    traces = tmp_path / "ran"
    traces.mkdir()

    def run(what: str) -> str:
        program = tmp_path / f"run-{what}"
        program.write_text(f"#!/bin/sh\ntouch '{traces}/{what}'\ncat\n")
        program.chmod(0o755)
        return str(program)

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "secret.md").write_text("secret")
    (tmp_path / "included").write_text(f'[core]\n\tfsmonitor = "{run("include")}"\n')
    lab.check_out(lab.base())
    lab.write(".gitattributes", "* filter=evil diff=evil merge=evil ident\n*.md -text working-tree-encoding=UTF-16\n")
    evil = lab.commit({".gitattributes": lab.text(".gitattributes")}, str(lab.soul.head), at=1)
    lab.git("update-ref", "refs/heads/main", evil)
    lab.git("read-tree", "--reset", evil)
    settings = {
        "core.fsmonitor": run("fsmonitor"), "core.hooksPath": str(tmp_path / "hooks"), "core.worktree": str(elsewhere),
        "core.sshCommand": run("ssh"), "core.gitProxy": run("proxy"), "core.pager": run("pager"),
        "core.editor": run("editor"), "core.askPass": run("askpass"),
        "core.attributesFile": str(tmp_path / "attributes"),
        "core.excludesFile": str(tmp_path / "excludes"), "core.autocrlf": "true",
        "core.alternateRefsCommand": run("alt"),
        "filter.evil.clean": run("clean"), "filter.evil.smudge": run("smudge"), "filter.evil.process": run("process"),
        "filter.evil.required": "true", "diff.external": run("diff"), "diff.evil.command": run("diff2"),
        "diff.evil.textconv": run("textconv"), "merge.evil.driver": run("merge"), "alias.status": f"!{run('alias')}",
        "alias.log": f"!{run('alias-log')}", "include.path": str(tmp_path / "included"), "gpg.program": run("gpg"),
        "commit.gpgSign": "true", "credential.helper": f"!{run('credential')}", "extensions.worktreeConfig": "true",
        "url.file:///nowhere/.insteadOf": "/", "remote.origin.uploadpack": run("uploadpack"),
        "status.showUntrackedFiles": "no",
    }  # fmt: skip
    (tmp_path / "attributes").write_text("* filter=evil\n")
    (tmp_path / "excludes").write_text("*\n")
    for key, value in settings.items():
        lab.soul.git.run("config", "--file", str(lab.root / ".git/config"), "--add", key, value)
    (lab.root / ".git/config.worktree").write_text(f"[core]\n\tworktree = {elsewhere}\n")
    (lab.root / ".git/info").mkdir(exist_ok=True)
    (lab.root / ".git/info/attributes").write_text("* filter=evil\n")
    for folder in (tmp_path / "hooks", lab.root / ".git/hooks"):
        folder.mkdir(exist_ok=True)
        for name in HOOKS:
            (folder / name).write_text(f"#!/bin/sh\ntouch '{traces}/hook-{name}'\n")
            (folder / name).chmod(0o755)
    return traces


def engine(lab: Lab, tmp_path: Path) -> Engine:
    home = Home(tmp_path / "home")
    home.make()
    return Engine(home, Config("kaoru", "one", lab.root), Soul(lab.root, home.state / "git"))


def test_a_whole_round_runs_and_follows_nothing(
    lab: Lab, canary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_EXTERNAL_DIFF"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.fsmonitor=touch x'")
    theirs = lab.commit({MEMORY: entries("A", "theirs"), "notes/b.md": None, "x/y": "new"}, str(lab.soul.head), at=50)
    lab.write("notes/crlf.md", "a\r\n$Id$\r\n")
    lab.write(MEMORY, entries("A", "B", "C", "mine"))
    runner = engine(lab, tmp_path)
    runner.prepare()
    runner.snapshot(pushing=False)
    runner.move_to(merged_with(runner, theirs), "sync")
    runner.settle()
    assert list(canary.iterdir()) == []
    assert sorted(parse(lab.text(MEMORY).encode())) == ["A", "mine", "theirs"]
    assert lab.text("x/y") == "new"
    committed = lab.look_up("notes/crlf.md")
    assert committed == lab.entry("a\n$Id$\n")
    assert [p.name for p in (tmp_path / "elsewhere").iterdir()] == ["secret.md"]
    assert runner.soul.git.text("status", "--porcelain") == ""


def test_the_engines_own_files_are_repaired(lab: Lab, tmp_path: Path) -> None:
    folder = tmp_path / "state" / "git"
    Soul(lab.root, folder)
    (folder / "config").write_text("[core]\n\tfsmonitor = touch x\n")
    (folder / "info/attributes").write_bytes(b"\xff")
    (folder / "HEAD").unlink()
    (folder / "objects").unlink()
    (folder / "refs").unlink()
    (folder / "refs").symlink_to(tmp_path)
    again = Soul(lab.root, folder)
    assert "touch" not in (folder / "config").read_text()
    assert os.readlink(folder / "refs") == str(lab.root / ".git/refs")  # noqa: PTH115
    assert again.head is None


def test_refs_are_read_without_git(lab: Lab) -> None:
    base = lab.base()
    lab.check_out(base)
    assert (lab.soul.head, lab.soul.ref("refs/x")) == (base, None)
    lab.git("pack-refs", "--all")
    assert lab.soul.head == base
    lab.soul.set_ref("refs/soulsync/seen", base)
    newer = lab.commit({"notes/n.md": "n"}, base)
    lab.soul.move_ref("refs/heads/main", newer, base, "test")
    assert lab.git("rev-parse", "main") == newer == lab.soul.head
    lab.soul.drop_ref("refs/soulsync/seen")
    lab.soul.drop_ref("refs/soulsync/seen")
    assert lab.soul.ref("refs/soulsync/seen") is None


def test_commands_at_once_repair_the_engine_together(lab: Lab) -> None:
    for _ in range(20):
        shutil.rmtree(lab.soul.engine)
        children = [_opening(lab) for _ in range(4)]
        assert {os.waitpid(pid, 0)[1] for pid in children} == {0}


def _opening(lab: Lab) -> int:
    """A child that opens the soul."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            Soul(lab.root, lab.soul.engine)
            code = 0
        finally:
            os._exit(code)
    return pid
