"""A sync that is killed anywhere: the next plain run completes it; nothing is lost and nothing doubled.

A child of this process kills itself at its n-th system event (file opened, renamed, removed, process started), as told
by Python's audit hook; what comes after the last event before an exchange counts as before it.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from soulsync.body.config import Config
from soulsync.body.engine import Engine
from soulsync.body.home import Home
from soulsync.body.targets import merged_with
from soulsync.formats.entries import parse
from soulsync.repo import bulk, rename
from soulsync.repo.objects import blob_id
from soulsync.repo.soul import Soul
from soulsync.repo.worktree import WorkTree
from tests.repo.helpers import MEMORY, Content, Lab, entries

if TYPE_CHECKING:
    from pathlib import Path

DAY = "journal/one/2026-01-01.md"
EVENTS = ("open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "subprocess.Popen", "shutil.")
MOST_RUNS = 32


class Copy:
    """A soul of its own, copied from ``root``, which is about to bring in ``tip``."""

    def __init__(self, root: Path, folder: Path, tip: str) -> None:
        shutil.copytree(root, folder / "soul", symlinks=True)
        self.root, self.tip = folder / "soul", tip
        self.home = Home(folder / "home")
        self.home.make()

    def engine(self) -> Engine:
        return Engine(self.home, Config("kaoru", "one", self.root), Soul(self.root, self.home.state / "git"))

    def sync(self) -> Engine:
        engine = self.engine()
        engine.prepare()
        engine.snapshot(pushing=False)
        engine.move_to(merged_with(engine, self.tip), "sync")
        return engine

    def killed_at(self, event: int) -> bool:
        """Whether a child that runs a sync was killed by its ``event``-th event; it ends by itself otherwise."""
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                self._child(event)
                code = 0
            finally:
                os._exit(code)
        status = os.waitpid(pid, 0)[1]
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
        return os.WIFSIGNALED(status)

    def _child(self, event: int) -> None:
        left = event

        def hook(name: str, _arguments: object) -> None:
            nonlocal left
            if name.startswith(EVENTS):
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        self.sync()
        if event > 10**6:
            (self.home.root / "count").write_text(str(event - left))


@pytest.fixture
def ready(lab: Lab) -> tuple[Path, str]:
    """The work tree holds words that no commit has; another body's commit is there, not merged yet."""
    base = lab.base(**{DAY: "# 2026-01-01 · one\n", "x": "file", "y/z": "1"})
    theirs: dict[str, Content] = {
        MEMORY: entries("A", "C", "theirs"),
        "memories/NEW.md": entries("n"),
        "notes/a.md": None,
        "notes/b.md": "arrived",
        "notes/deep/c.md": "new",
        "x": None,
        "x/inside": "i",
        "y/z": None,
        "y": "file",
        "SOUL.md": "# 薰\n\nloud\n",
    }
    tip = lab.commit(theirs, base, at=50)
    lab.check_out(base)
    lab.write(MEMORY, entries("A", "B", "C", "mine"))
    lab.write("notes/mine.md", "mine\n")
    lab.write(DAY, "# 2026-01-01 · one\n\n## 08:00 up\n\ntext\n")
    return lab.root, tip


def complete(copy: Copy, extra: set[str]) -> None:
    engine = copy.sync()
    engine.settle()
    engine.snapshot(pushing=False)
    soul = engine.soul
    files = held(copy.root)
    assert soul.git.out("status", "--porcelain", "-z") == b""
    memories = parse(files[MEMORY])
    assert sorted(memories) == sorted({"A", "C", "mine", "theirs"} | extra)
    assert "notes/a.md" not in files
    assert (files["notes/b.md"], files["notes/mine.md"], files["notes/deep/c.md"]) == (b"arrived", b"mine\n", b"new")
    assert (files["x/inside"], files["y"], files["SOUL.md"]) == (b"i", b"file", "# 薰\n\nloud\n".encode())
    assert parse(files["memories/NEW.md"]) == ["n"]
    assert b"08:00 up" in files[DAY]
    assert not copy.engine().intent.file.exists()
    assert soul.git.run("merge-base", "--is-ancestor", copy.tip, "main", check=False).code == 0
    for left in soul.staging.iterdir():  # a run killed before it settled: only what history holds as well
        assert soul.git.run("cat-file", "-e", blob_id(left.read_bytes()), check=False).code == 0


def held(root: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(root)): file.read_bytes()
        for file in root.rglob("*")
        if file.is_file() and ".git" not in file.relative_to(root).parts
    }


@pytest.mark.parametrize("system", ["native", "hard links", "new files at once"])
def test_a_run_that_is_killed_anywhere_is_completed_by_the_next(
    ready: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    if system == "hard links":
        monkeypatch.setattr(rename, "_native", lambda: None)
    if system == "new files at once":
        monkeypatch.setattr(bulk, "WORTHWHILE", 1)
    whole = Copy(ready[0], tmp_path / "whole", ready[1])
    assert not whole.killed_at(10**9)
    count = int((whole.home.root / "count").read_text())
    complete(whole, set())
    assert count > MOST_RUNS
    for number, event in enumerate(range(1, count + 1, max(1, count // MOST_RUNS))):
        copy = Copy(ready[0], tmp_path / f"at{event}", ready[1])
        if not copy.killed_at(event):  # modules that the first run had to load count as well
            assert number > MOST_RUNS // 2
            break
        extra = set()
        if number % 3 == 1:  # the agent goes on writing before the next run
            file = copy.root / MEMORY
            file.write_bytes(file.read_bytes() + "§\nlater\n".encode())
            extra = {"later"}
        complete(copy, extra)


def test_words_in_a_staging_file_of_a_killed_run_are_joined(ready: tuple[Path, str], tmp_path: Path) -> None:
    """Killed right after an exchange that brought out what somebody had just written."""
    copy = Copy(ready[0], tmp_path / "copy", ready[1])
    engine = copy.engine()
    engine.snapshot(pushing=False)
    old = engine.soul.git.text("rev-parse", "main^{tree}")
    new = merged_with(engine, copy.tip)(engine.soul.head).commit
    tree = WorkTree(copy.root, engine.soul.staging)
    engine.intent.write(old, engine.soul.git.text("rev-parse", f"{new}^{{tree}}"), {"m": MEMORY, "n": "notes/b.md"})
    tree.stage("m", entries("A", "B", "C", "mine", "words").encode(), 0o644)
    tree.stage("n", b"words of a note\n", 0o644)
    arrived = engine.soul.git.out("cat-file", "blob", f"{new}:{MEMORY}")
    (copy.root / MEMORY).write_bytes(arrived)
    (copy.root / "notes/b.md").write_bytes(b"arrived")
    last = copy.sync()
    assert sorted(parse(held(copy.root)[MEMORY])) == ["A", "C", "mine", "theirs", "words"]
    assert held(copy.root)["notes/b.md"] == b"words of a note\n"
    assert len(last.report.warnings) == 2
    assert list(engine.soul.staging.iterdir()) == [] or all(s.path == MEMORY for s in last._swaps)


def test_files_that_a_power_cut_took_back_after_main_had_moved_are_placed_again(
    ready: tuple[Path, str], tmp_path: Path
) -> None:
    """Read as edits, the old versions would undo what arrived: the order of the two must not matter."""
    copy = Copy(ready[0], tmp_path / "copy", ready[1])
    before = copy.engine()
    before.snapshot(pushing=False)
    old = held(copy.root)
    base = before.soul.git.text("rev-parse", "main^{tree}")
    copy.sync()
    new = before.soul.git.text("rev-parse", "main^{tree}")
    for path in held(copy.root):
        (copy.root / path).unlink()
    shutil.rmtree(copy.root / "x")
    for path, data in old.items():
        if path.startswith("y/"):
            (copy.root / "y").mkdir()
        (copy.root / path).parent.mkdir(parents=True, exist_ok=True)
        (copy.root / path).write_bytes(data)
    before.intent.write(base, new, {})
    complete(copy, set())
