"""Entries that this machine does not check out: they stay in every commit, and come as soon as they can (§6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.body.config import Config
from soulsync.body.engine import Engine
from soulsync.body.home import Home
from soulsync.body.targets import merged_with
from soulsync.formats.entries import parse
from soulsync.repo.objects import SYMLINK, Entry
from soulsync.spec import LITTER_PATTERNS
from tests.repo.helpers import Lab, entries

if TYPE_CHECKING:
    from pathlib import Path

LONG = f"notes/{'n' * 256}"
X = "memories/X.md"


class Run:
    """A soul whose next commit was fetched: a link, a name too long for this disk, and a file of memories."""

    def __init__(self, lab: Lab, home: Home) -> None:
        self.lab, self.home = lab, home
        base = lab.base()
        lab.check_out(base)
        lab.write(".git/info/exclude", "".join(f"{pattern}\n" for pattern in LITTER_PATTERNS))
        self.link = Entry(SYMLINK, lab.entry("target").id)
        self.tip = lab.commit({"link": self.link, LONG: "long", X: entries("arrived")}, base, at=5)

    def engine(self) -> Engine:
        return Engine(self.home, Config("kaoru", "one", self.lab.root), self.lab.soul)

    def bring(self) -> Engine:
        engine = self.engine()
        engine.snapshot(pushing=False)
        engine.move_to(merged_with(engine, self.tip), "sync")
        engine.settle()
        return engine

    def snapshot(self) -> list[str]:
        engine = self.engine()
        engine.snapshot(pushing=False)
        assert self.lab.git("status", "--porcelain") == ""
        return engine.report.committed


@pytest.fixture
def run(lab: Lab, tmp_path: Path) -> Run:
    home = Home(tmp_path / "home")
    home.make()
    return Run(lab, home)


def test_plain_git_sees_a_clean_tree_and_our_commits_keep_them(run: Run) -> None:
    run.bring()
    assert run.lab.git("status", "--porcelain") == ""
    run.lab.write("notes/n.md", "n")
    assert run.snapshot() == ["notes/n.md"]
    assert run.lab.look_up("link") == run.link
    assert run.lab.look_up(LONG) == run.lab.entry("long")


def test_a_file_comes_when_what_stood_in_its_way_is_gone(run: Run) -> None:
    (run.lab.root / X).symlink_to("MEMORY.md")
    assert any(X in warning for warning in run.bring().report.warnings)
    assert run.snapshot() == []
    (run.lab.root / X).unlink()
    assert run.snapshot() == []
    assert run.lab.text(X) == entries("arrived")
    run.lab.write(X, entries("arrived", "mine"))
    assert run.snapshot() == [X]
    (run.lab.root / X).unlink()
    assert run.snapshot() == [X]
    assert run.lab.look_up(X) is None


def test_a_file_that_came_in_its_place_is_joined(run: Run) -> None:
    (run.lab.root / X).symlink_to("MEMORY.md")
    run.bring()
    (run.lab.root / X).unlink()
    run.lab.write(X, entries("mine"))
    assert run.snapshot() == [X]
    assert sorted(parse((run.lab.root / X).read_bytes())) == ["arrived", "mine"]
    assert run.lab.look_up(X) == run.lab.entry((run.lab.root / X).read_bytes())
