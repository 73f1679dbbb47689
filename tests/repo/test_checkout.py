"""The work tree brought to a new tree, beside programs that write (soul-repo-v4 §4 rules 4 and 13, §6)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from soulsync import spec
from soulsync.formats.entries import parse
from soulsync.repo import bulk, checkout
from soulsync.repo.intent import Intent
from soulsync.repo.objects import EXECUTABLE, SUBMODULE, SYMLINK, Entry
from tests.repo.helpers import MEMORY, Content, Lab, entries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soulsync.repo.checkout import Checkout


@pytest.fixture(params=[bulk.WORTHWHILE, 1], ids=["one by one", "at once"])
def lab(lab: Lab, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """A soul whose base is checked out; new files come in both ways."""
    monkeypatch.setattr(bulk, "WORTHWHILE", request.param)
    lab.check_out(lab.base())
    return lab


def bring(lab: Lab, files: Mapping[str, Content], force: frozenset[str] = frozenset()) -> Checkout:
    old = lab.main_tree()
    return checkout.run(lab.soul, lab.worktree, old, lab.tree(files, old), intent=None, force=force)


def held(lab: Lab) -> dict[str, bytes]:
    """The files of the work tree."""
    return {
        str(file.relative_to(lab.root)): file.read_bytes()
        for file in lab.root.rglob("*")
        if file.is_file() and ".git" not in file.relative_to(lab.root).parts and not file.name.endswith(".lock")
    }


def test_files_come_change_and_go(lab: Lab) -> None:
    files: dict[str, Content] = {
        MEMORY: entries("A", "N"), "notes/a.md": None, "notes/b.md": "new", "deep/er/天 \udcff": "x",
        "run": lab.entry("#!/bin/sh\n", EXECUTABLE),
    }  # fmt: skip
    done = bring(lab, files)
    assert held(lab) == lab.files(lab.tree(files, lab.main_tree()))
    assert ([swap.path for swap in done.swapped], done.absent, done.merged, done.warnings) == ([MEMORY], [], [], [])
    assert os.access(lab.root / "run", os.X_OK)
    assert not os.access(lab.root / "notes/b.md", os.X_OK)


def test_a_file_becomes_a_folder_and_the_reverse(lab: Lab) -> None:
    lab.check_out(lab.commit({"x": "file", "y/a": "1", "y/b": "2"}, str(lab.soul.head)))
    (lab.root / "z").mkdir()
    files: dict[str, Content] = {
        "x": None,
        "x/deep": "d",
        "y/a": None,
        "y/b": None,
        "y": "file",
        "z": "over an empty one",
    }
    assert bring(lab, files).warnings == []
    assert held(lab) == lab.files(lab.tree(files, lab.main_tree()))


def test_permissions_stay_as_their_owner_set_them(lab: Lab) -> None:
    (lab.root / MEMORY).chmod(0o600)
    bring(lab, {MEMORY: entries("N"), "notes/a.md": lab.entry("run", EXECUTABLE)})
    assert (lab.root / MEMORY).stat().st_mode & 0o777 == 0o600
    assert os.access(lab.root / "notes/a.md", os.X_OK)


def test_only_the_executable_bit_changed(lab: Lab) -> None:
    bring(lab, {"notes/a.md": lab.entry("# a\n\nold\n", EXECUTABLE)})
    assert os.access(lab.root / "notes/a.md", os.X_OK)


def test_what_was_written_since_the_snapshot_is_joined(lab: Lab) -> None:
    lab.write(MEMORY, entries("A", "B", "C", "mine"))
    lab.write("notes/a.md", "my words\n")
    done = bring(lab, {MEMORY: entries("A", "C", "N"), "notes/a.md": "arrived\n"})
    assert sorted(parse((lab.root / MEMORY).read_bytes())) == ["A", "C", "N", "mine"]
    assert lab.text("notes/a.md") == "my words\n"
    assert sorted(done.merged) == [MEMORY, "notes/a.md"]


def test_a_file_created_where_one_arrives_is_joined(lab: Lab) -> None:
    lab.write("memories/X.md", entries("mine"))
    lab.write("notes/new.md", "mine\n")
    bring(lab, {"memories/X.md": entries("theirs"), "notes/new.md": "theirs\n"})
    assert sorted(parse((lab.root / "memories/X.md").read_bytes())) == ["mine", "theirs"]
    assert lab.text("notes/new.md") == "mine\n"


def test_a_deletion_yields_to_what_was_written_since(lab: Lab) -> None:
    lab.write("notes/a.md", "my words\n")
    done = bring(lab, {"notes/a.md": None, "notes/b.md": None})
    assert lab.text("notes/a.md") == "my words\n"
    assert not (lab.root / "notes/b.md").exists()
    assert done.merged == ["notes/a.md"]


@pytest.mark.parametrize("again", [False, True])
def test_a_deletion_yields_to_what_is_written_at_that_moment(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    take = lab.worktree.take

    def take_while_someone_writes(path: str, name: str) -> None:
        lab.write(path, "first words\n")
        take(path, name)
        if again:
            lab.write(path, "second words\n")

    monkeypatch.setattr(lab.worktree, "take", take_while_someone_writes)
    done = bring(lab, {"notes/a.md": None})
    assert lab.text("notes/a.md") == ("second words\n" if again else "first words\n")
    assert done.merged == ["notes/a.md"]


def test_a_file_removed_at_that_moment_is_just_gone(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    take = lab.worktree.take

    def take_what_is_gone(path: str, name: str) -> None:
        (lab.root / path).unlink()
        take(path, name)

    monkeypatch.setattr(lab.worktree, "take", take_what_is_gone)
    assert bring(lab, {"notes/a.md": None}).warnings == []


@pytest.mark.parametrize("committed", ["a\r\nb\r\n", "a\nb\n"])
@pytest.mark.parametrize("standing", ["a\r\nb\r\n", "a\nb\n"])
@pytest.mark.parametrize("path", ["notes/crlf.md", "extra/crlf.txt"])
def test_crlf_is_no_edit_of_anybody(lab: Lab, path: str, committed: str, standing: str) -> None:
    lab.check_out(lab.commit({path: committed, "notes/gone.md": committed}, str(lab.soul.head)))
    lab.write(path, standing)
    lab.write("notes/gone.md", standing)
    done = bring(lab, {path: "arrived\n", "notes/gone.md": None})
    assert lab.text(path) == "arrived\n"
    assert not (lab.root / "notes/gone.md").exists()
    assert done.merged == []


# What is not created.


def test_links_submodules_and_oversize_files_are_not_created(lab: Lab) -> None:
    blob = lab.entry("/etc/passwd").id
    big = b"x" * (spec.MAX_CHECKOUT_BYTES + 1)
    files: dict[str, Content] = {
        "link": Entry(SYMLINK, blob), "module": Entry(SUBMODULE, "1" * 40), "big": big, "over": big[: 2 << 20],
    }  # fmt: skip
    done = bring(lab, files)
    assert sorted(done.absent) == ["big", "link", "module"]
    assert len(done.warnings) == 3
    assert set(held(lab)) & files.keys() == {"over"}


UNSAFE = [".git/hooks/post-merge", ".GIT/config", "x/.git/config", "git~1/x", ".g\u200cit/x", "n" * 256, "a/../b"]


@pytest.mark.parametrize("path", UNSAFE)
def test_names_that_reach_into_git_or_out_of_the_soul_are_not_created(lab: Lab, path: str) -> None:
    def everything() -> set[str]:
        paths = {str(found.relative_to(lab.root)) for found in lab.root.rglob("*")}
        return {found for found in paths if not found.startswith(".git/objects")}

    before = everything()
    assert bring(lab, {path: "x"}).absent == [path]
    assert everything() == before


@pytest.mark.parametrize("kind", ["link", "link on the way", "folder", "fifo", "file on the way", "too large"])
def test_what_is_no_plain_file_is_left_alone(lab: Lab, kind: str) -> None:
    outside = lab.root.parent / "outside"
    outside.mkdir()
    place = lab.root / "things"
    path = "things/f" if kind.endswith("way") else "things"
    if kind == "link":
        place.symlink_to(outside / "f")
    elif kind == "link on the way":
        place.symlink_to(outside)
    elif kind == "folder":
        lab.write("things/inside", "x")
    elif kind == "fifo":
        os.mkfifo(place)
    elif kind == "file on the way":
        place.write_text("mine")
    else:
        place.write_bytes(b"x" * (spec.MAX_FILE_BYTES + 1))
    done = bring(lab, {path: "arrived"})
    assert done.absent == [path]
    assert list(outside.iterdir()) == []
    assert list(lab.soul.staging.iterdir()) == [] if lab.soul.staging.exists() else True


def test_the_second_of_two_twins_is_not_created_where_names_are_folded(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Linux folds no names: one look is let through to the twin, as such a file system does (APFS, NTFS)."""
    monkeypatch.setattr(bulk, "WORTHWHILE", 2)  # it would move to a name that is taken there
    look = lab.worktree.look
    monkeypatch.setattr(lab.worktree, "look", lambda path, limit=None: look(path.replace("A.md", "a.md"), limit=limit))
    done = bring(lab, {"notes/A.md": "twin"})
    assert done.absent == ["notes/A.md"]
    assert lab.text("notes/a.md") == "# a\n\nold\n"


# Putting back, and the note of what is under way.


def test_what_is_put_back_is_not_joined(lab: Lab) -> None:
    lab.write("bodies/one.json", "somebody's")
    (lab.root / "SOUL.md").unlink()
    tree = lab.main_tree()
    paths = frozenset(["bodies/one.json", "SOUL.md", "notes", "not/there"])
    checkout.run(lab.soul, lab.worktree, tree, tree, intent=None, force=paths)
    assert held(lab) == lab.files(tree)


def test_the_note_is_on_disk_before_the_first_file_changes(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    intent, old = Intent(lab.root.parent / "state" / "checkout.json"), lab.main_tree()
    new = lab.tree({"notes/a.md": "new", "notes/b.md": None, "notes/\udcff": "x"}, old)
    seen = []

    def look(*_args: object, **_options: object) -> None:
        seen.append(intent.read())
        raise InterruptedError

    monkeypatch.setattr(lab.worktree, "take", look)
    with pytest.raises(InterruptedError):
        checkout.run(lab.soul, lab.worktree, old, new, intent=intent)
    [note] = seen
    assert note is not None
    assert note[:2] == (old, new)
    assert sorted(note[2].values()) == ["notes/a.md", "notes/b.md", "notes/\udcff"]
    intent.clear()
    intent.clear()
    assert intent.read() is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"old": 1}', '{"old": "x", "new": "y", "staged": 3}', "\x00"])
def test_a_note_that_is_none_is_none(lab: Lab, text: str) -> None:
    intent = Intent(lab.root.parent / "checkout.json")
    intent.file.write_text(text)
    assert intent.read() is None


def test_objects_that_are_gone_are_told_by_nobody(lab: Lab) -> None:
    from soulsync.repo.intent import Recovered, recover

    intent = Intent(lab.root.parent / "checkout.json")
    for old, new in (("1" * 40, "2" * 40), ("x", "y"), (None, "")):
        intent.write(old, new, {"s": "notes/a.md"})
        assert recover(lab.soul, lab.worktree, intent) == Recovered()


def test_what_a_stale_program_wrote_since_the_last_commit_is_no_deletion(lab: Lab) -> None:
    """Only the newest replacement accounts for what stood there; the committed version lacks what came after it."""
    first, since, newest = entries("A", "B"), entries("A", "B", "w1", "w2"), entries("A", "B", "w1", "w2", "in 1")
    lab.check_out(lab.commit({MEMORY: first}, str(lab.soul.head)))
    old = lab.main_tree()
    (lab.root / MEMORY).write_text(entries("A", "B", "w1", "w2", "w3"))  # it has not seen "in 1"
    checkout.run(
        lab.soul, lab.worktree, old, lab.tree({MEMORY: entries("A", "B", "in 1", "in 2")}, old), intent=None,
        stood={MEMORY: [first.encode(), since.encode()]}, newest={MEMORY: newest.encode()},
    )  # fmt: skip
    assert set(parse((lab.root / MEMORY).read_bytes())) == {"A", "B", "w1", "w2", "w3", "in 1", "in 2"}
