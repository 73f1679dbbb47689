"""What a killed git or a person left behind: explained or set aside, never guessed at."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.bodies import assert_in_step, in_turn

if TYPE_CHECKING:
    from tests.bodies import Body, Remote


@pytest.mark.parametrize("name", ["index.lock", "HEAD.lock", "refs/heads/main.lock", "config.lock", "packed-refs.lock"])
def test_a_lock_left_by_a_killed_git_stops_nothing(name: str, one: Body, remote: Remote) -> None:
    lock = one.soul / ".git" / name
    lock.write_text("")
    os.utime(lock, (1, 1))
    one.remember("goes through")
    result = one.sync()
    assert result["pushed"]
    assert any(lock.name in text for text in result["warnings"])
    assert "goes through" in remote.git("show", "main:memories/MEMORY.md")
    assert not lock.exists()
    assert any(lock.name in p.name for p in (one.home / "state" / "recovery").iterdir())


@pytest.mark.parametrize("name", ["refs/soulsync/fetched.lock", "packed-refs.lock", "HEAD.lock"])
def test_a_lock_that_is_in_the_way_of_the_fetch_stops_nothing(name: str, one: Body, two: Body) -> None:
    """The fetch begins before anything is looked at, so also before the lock is set aside."""
    two.remember("from two")
    two.sync()
    file = one.soul / ".git" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"")
    assert one.sync()["outcome"] == "pulled"
    assert (file.exists(), one.entries()) == (False, ["from two"])


def test_a_fresh_lock_whose_owner_is_gone_stops_nothing_either(one: Body) -> None:
    (one.soul / ".git" / "index.lock").write_text("")
    one.remember("goes through")
    assert one.sync()["pushed"]


def test_a_lock_that_a_process_holds_is_respected(one: Body) -> None:
    lock = one.soul / ".git" / "index.lock"
    with lock.open("w"):
        os.utime(lock, (1, 1))
        one.remember("waits")
        one.fails(75, "sync")
        assert lock.exists()
    assert one.sync()["pushed"]


def test_an_open_merge_is_explained_and_kept(one: Body, two: Body) -> None:
    for body in (one, two):
        body.write("own.txt", f"by {body.name}\n")
    one.sync()
    two.git("add", "own.txt")
    two.git("commit", "-q", "-m", "mine")
    two.git("config", "--remove-section", "merge.soul-newest")
    two.git("fetch", "-q", "origin")
    assert two.try_git("merge", "origin/main").returncode == 1
    before = two.read("own.txt")
    assert "merge" in two.fails(1, "sync")
    assert two.read("own.txt") == before
    assert "<<<<<<<" in before
    two.git("merge", "--abort")
    two.sync()
    assert "<<<<<<<" not in two.read("own.txt")
    one.sync()
    assert_in_step(one, two)


@pytest.mark.parametrize("words", [["checkout", "-q", "--detach"], ["checkout", "-q", "-b", "other"]])
def test_another_branch_is_an_error_that_names_the_way_back(words: list[str], one: Body) -> None:
    one.git(*words)
    one.remember("kept")
    line = one.fails(1, "sync")
    assert "switch main" in line
    assert one.entries() == ["kept"]
    one.git("switch", "-q", "main")
    assert one.sync()["pushed"]


def test_a_rebase_under_way_is_an_error(one: Body) -> None:
    (one.soul / ".git" / "rebase-merge").mkdir()
    assert "rebase --abort" in one.fails(1, "sync")


def test_a_damaged_index_is_only_a_damaged_cache(one: Body, remote: Remote) -> None:
    (one.soul / ".git" / "index").write_bytes(b"DIRC broken")
    one.remember("goes through")
    one.sync()
    assert "goes through" in remote.git("show", "main:memories/MEMORY.md")
    assert one.clean()


def test_a_missing_index_deletes_nothing(one: Body, remote: Remote) -> None:
    (one.soul / ".git" / "index").unlink()
    tree = one.tree()
    assert one.sync()["outcome"] == "unchanged"
    assert remote.tree() == tree
    assert one.clean()


def test_an_emptied_folder_spreads_to_nobody(one: Body, two: Body) -> None:
    one.remember("precious")
    one.write("notes/n.md", "# n\n")
    in_turn(one, two)
    for path in sorted(one.soul.rglob("*"), reverse=True):
        if ".git" not in path.relative_to(one.soul).parts and path.is_file():
            path.unlink()
    result = one.sync()
    assert any("no deletion was believed" in text for text in result["warnings"])
    assert one.entries() == ["precious"]
    two.sync()
    assert two.entries() == ["precious"]
    assert two.exists("notes/n.md")


def test_a_required_file_that_vanishes_comes_back(one: Body) -> None:
    one.remember("precious")
    one.sync()
    for path in ("memories/MEMORY.md", "SOUL.md", "README.md", "journal/.gitkeep"):
        one.delete(path)
    one.sync()
    assert one.entries() == ["precious"]
    assert all(one.exists(path) for path in ("SOUL.md", "README.md", "journal/.gitkeep"))


def test_an_empty_memories_file_is_believed(one: Body, two: Body) -> None:
    one.remember("forget me")
    in_turn(one, two)
    one.write("memories/MEMORY.md", "")
    in_turn(one, two)
    assert two.entries() == []


def test_packed_refs_and_objects_are_read(one: Body, two: Body) -> None:
    one.remember("x")
    in_turn(one, two)
    one.git("pack-refs", "--all")
    one.git("gc", "-q")
    assert one.sync()["outcome"] == "unchanged"
    one.remember("y")
    two.remember("z")
    in_turn(one, two)
    assert_in_step(one, two)
    assert sorted(two.entries()) == ["x", "y", "z"]
