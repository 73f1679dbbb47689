"""Daily files, journals of other bodies and notes in OpenClaw workspaces of two bodies that share a soul."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.bodies import git
from tests.claws import Claw, another, fresh, in_step

if TYPE_CHECKING:
    from tests.bodies import Body

DAY = "2026-02-24"


@pytest.fixture
def mine(one: Body) -> Claw:
    return fresh(one)


@pytest.fixture
def other(two: Body, mine: Claw) -> Claw:
    return another(two)


def test_daily_files_become_the_journal_and_others_can_read_it(mine: Claw, other: Claw) -> None:
    mine.write(f"memory/{DAY}.md", "- tea at nine\n")
    mine.write(f"memory/{DAY}-api.md", "## 9:05 Call\nlong\n")
    mine.write("memory/topics.md", "stays here\n")
    in_step(mine, other)
    assert mine.body.read(f"journal/one/{DAY}.md") == f"# {DAY} · one\n\n- tea at nine\n"
    assert other.read(f"memory/bodies/one/{DAY}-api.md") == f"# {DAY} · one\n\n## 09:05 Call\nlong\n"
    assert not (mine.folder / "memory/bodies/one").exists()
    mine.write(f"memory/{DAY}.md", "- tea at nine\n- rain\n")
    (mine.folder / f"memory/{DAY}-api.md").unlink()
    in_step(mine, other)
    assert other.read(f"memory/bodies/one/{DAY}.md") == f"# {DAY} · one\n\n- tea at nine\n- rain\n"
    assert other.body.exists(f"journal/one/{DAY}-api.md")
    assert json.loads(other.body.ok("validate", "--json"))["ok"]


def test_a_section_that_the_body_wrote_stays_beside_the_daily_file(mine: Claw) -> None:
    mine.body.ok("journal", "write", "Own", "words", "--json")
    (day,) = [file.name for file in (mine.body.soul / "journal/one").glob("2*.md")]
    mine.write(f"memory/{day}", "- tea\n")
    assert mine.carry()["faults"] == []
    text = mine.body.read(f"journal/one/{day}")
    assert "\n- tea\n" in text
    assert "Own\n\nwords\n" in text


def test_a_copy_of_another_journal_that_was_changed_is_left_and_named(mine: Claw, other: Claw) -> None:
    mine.write(f"memory/{DAY}.md", "- tea\n")
    in_step(mine, other)
    other.write(f"memory/bodies/one/{DAY}.md", "mine now\n")
    assert len(other.problems()) == 1
    assert other.read(f"memory/bodies/one/{DAY}.md") == "mine now\n"
    assert "tea" in other.body.read(f"journal/one/{DAY}.md")


def test_notes_go_both_ways_and_so_do_their_deletions(mine: Claw, other: Claw) -> None:
    mine.write("memory/notes/astro/moons.md", "# Moons\n\nPhobos\n")
    mine.write("memory/notes/a/b/c/d/deep.md", "# Too deep\n")
    other.body.write("notes/tea.md", "# Tea\n\ngreen\n")
    in_step(mine, other)
    assert other.read("memory/notes/astro/moons.md") == "# Moons\n\nPhobos\n"
    assert mine.read("memory/notes/tea.md") == "# Tea\n\ngreen\n"
    assert not other.body.exists("notes/a")
    (other.folder / "memory/notes/astro/moons.md").unlink()
    in_step(mine, other)
    assert not (mine.folder / "memory/notes/astro/moons.md").exists()
    assert (mine.folder / "memory/notes/a/b/c/d/deep.md").exists()


def test_a_repository_in_the_workspace_is_left_alone(mine: Claw) -> None:
    git(mine.folder, "init", "-q")
    git(mine.folder, "add", "MEMORY.md")
    before = {file: file.read_bytes() for file in (mine.folder / ".git").rglob("*") if file.is_file()}
    mine.body.remember("new")
    assert mine.carry()["faults"] == []
    assert "- new\n" in mine.read("MEMORY.md")
    assert {file: file.read_bytes() for file in (mine.folder / ".git").rglob("*") if file.is_file()} == before
