"""The index is only a cache: whatever it says, nothing is lost and nothing is invented."""

from __future__ import annotations

import pytest

from soulsync.errors import SoulSyncError
from soulsync.repo import index, leftovers, status
from soulsync.repo.git import GitError
from tests.repo.helpers import MEMORY, Lab, entries

NEW = entries("A", "B", "C", "D")


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """A soul with one edit and one deletion in its work tree."""
    lab.check_out(lab.base())
    lab.write(MEMORY, NEW)
    lab.write("notes/new.md", "n")
    (lab.root / "notes/b.md").unlink()
    return lab


def expect_all(lab: Lab) -> None:
    assert lab.snapshot().edits == {MEMORY: lab.entry(NEW), "notes/new.md": lab.entry("n"), "notes/b.md": None}


@pytest.mark.parametrize(
    "damage", ["absent", "empty", "cut", "garbage", "stale", "rm --cached", "add", "other content"]
)
def test_whatever_the_index_says(lab: Lab, damage: str) -> None:
    index = lab.root / ".git/index"
    data = index.read_bytes()
    if damage == "absent":
        index.unlink()
    elif damage == "empty":
        index.write_bytes(b"")
    elif damage == "cut":
        index.write_bytes(data[: len(data) // 2])
    elif damage == "garbage":
        index.write_bytes(b"no index " * 200)
    elif damage == "stale":
        lab.git("read-tree", lab.tree({MEMORY: "long ago", "gone.md": "x"}))
    elif damage == "rm --cached":
        lab.git("rm", "-q", "--cached", "-r", "memories", "agent.json", "notes")
    elif damage == "add":
        lab.git("add", "-A")
    else:
        lab.git("update-index", "--add", "--cacheinfo", f"100644,{lab.entry('staged').id},notes/a.md")
        lab.git("update-index", "--add", "--cacheinfo", f"100644,{lab.entry('staged').id},not/checked/out")
    expect_all(lab)


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_flags_in_the_index_hide_no_edit(lab: Lab, flag: str) -> None:
    lab.git("update-index", flag, MEMORY)
    assert lab.snapshot().edits[MEMORY] == lab.entry(NEW)


def test_a_split_index_is_made_whole(lab: Lab) -> None:
    lab.git("update-index", "--split-index")
    expect_all(lab)


def test_a_lock_on_the_index_does_not_stop_a_look(lab: Lab) -> None:
    (lab.root / ".git/index.lock").touch()
    expect_all(lab)


def test_a_damaged_index_under_a_lock_is_left_alone(lab: Lab) -> None:
    (lab.root / ".git/index").write_bytes(b"garbage")
    (lab.root / ".git/index.lock").touch()
    with pytest.raises(GitError):
        lab.status()


def test_unmerged_entries_are_refused(lab: Lab) -> None:
    ids = [lab.entry(text).id for text in "123"]
    lines = "".join(f"100644 {blob} {stage}\tnotes/a.md\n" for stage, blob in enumerate(ids, 1))
    lab.git("update-index", "--index-info", data=f"0 {'0' * 40}\tnotes/a.md\n{lines}".encode())
    found = lab.status()
    assert found.unmerged == ["notes/a.md"]
    with pytest.raises(SoulSyncError, match=r"notes/a\.md"):
        leftovers.refuse_unmerged(found.unmerged)


def test_odd_names_are_read_whole(lab: Lab) -> None:
    names = ['notes/"q" x.md', "notes/new\nline.md", "notes/ lead.md", "extra/\udcff", "notes/天.md"]
    for name in names:
        lab.write(name, "x")
    assert set(names) <= set(lab.status().untracked)


def test_a_soul_without_a_commit(tmp_path_factory: pytest.TempPathFactory) -> None:
    lab = Lab(tmp_path_factory.mktemp("empty"))
    lab.write("notes/a.md", "a")
    found = lab.status()
    assert (found.head, found.untracked) == (None, ["notes/a.md"])
    assert set(lab.snapshot().edits) == {"notes/a.md"}


def test_hidden_paths_come_back_when_nothing_stands_in_the_way(lab: Lab) -> None:
    for path in ("notes/a.md", "SOUL.md"):
        lab.git("update-index", "--skip-worktree", path)
    (lab.root / "notes/a.md").unlink()
    taken = lab.snapshot()
    assert "notes/a.md" not in taken.edits
    assert taken.restore == ["notes/a.md"]
    status.reveal(lab.soul, taken.revealed)
    assert lab.status().hidden == []


def test_something_unknown_is_an_error() -> None:
    with pytest.raises(SoulSyncError):
        status.parse(b"9 what\0")


def test_a_lock_of_the_index_that_a_killed_git_left_is_set_aside(lab: Lab) -> None:
    """As beside a program that cuts files short while git reads them: git dies by SIGBUS, its lock stays."""
    lock = lab.root / ".git/index.lock"
    lock.write_bytes(b"half an index")
    index.refresh(lab.soul)
    assert not lock.exists()
    [kept] = (lab.soul.engine.parent / "recovery").iterdir()
    assert kept.read_bytes() == b"half an index"
    assert lab.git("diff", "--cached", "--name-only") == ""
