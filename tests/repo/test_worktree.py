"""Files reached without following a link, and replaced in one step, with the system's own call and without it."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import TYPE_CHECKING

import pytest

from soulsync.repo import rename
from soulsync.repo.worktree import FILE, FOLDER, LINK, MISSING, OBSTRUCTED, OTHER, WorkTree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=["native", "hard links"])
def tree(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkTree:
    """A work tree on a system with the calls, and on one without."""
    if request.param == "hard links":
        monkeypatch.setattr(rename, "_native", lambda: None)
    root = tmp_path / "root"
    (root / ".git").mkdir(parents=True)
    return WorkTree(root, root / ".git" / "soulsync")


def put(tree: WorkTree, path: str, data: bytes) -> Path:
    file = tree.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


@contextlib.contextmanager
def flipping(place: Path, target: Path) -> Iterator[None]:
    """Another process's doing: ``place`` is a folder and a link to ``target`` in turn."""
    aside, stop = place.with_name("aside"), threading.Event()

    def flip() -> None:
        while not stop.is_set():
            place.rename(aside)
            place.symlink_to(target)
            place.unlink()
            aside.rename(place)

    thread = threading.Thread(target=flip)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


# Looking.


def test_what_stands_at_a_path(tree: WorkTree, tmp_path: Path) -> None:
    put(tree, "d/f", b"data").chmod(0o754)
    (tree.root / "l").symlink_to(tmp_path)
    os.mkfifo(tree.root / "p")
    found = tree.look("d/f", limit=4)
    assert (found.kind, found.size, found.mode, found.data) == (FILE, 4, 0o754, b"data")
    assert tree.look("d/f", limit=3).data is None
    kinds = {"d": FOLDER, "l": LINK, "p": OTHER, "x": MISSING, "x/y": MISSING, "l/d": OBSTRUCTED, "d/f/g": OBSTRUCTED}
    assert {path: tree.look(path, limit=9).kind for path in kinds} == kinds
    assert tree.look("n" * 300, limit=9).kind == MISSING


def test_a_link_that_comes_and_goes_is_never_read_through(tree: WorkTree, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "f").write_bytes(b"secret")
    put(tree, "d/f", b"own")
    with flipping(tree.root / "d", outside):
        until = time.monotonic() + 0.5
        while time.monotonic() < until:
            assert tree.look("d/f", limit=100).data in (None, b"own")
            assert set(tree.files_below("d")) <= {"d/f", "d"}


def test_nothing_is_created_or_swapped_or_taken_through_a_link(tree: WorkTree, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "f").write_bytes(b"theirs")
    (tree.root / "d").symlink_to(outside)
    tree.stage("s", b"ours", 0o644)
    for act in (tree.create, tree.exchange, tree.take):
        with pytest.raises(NotADirectoryError):
            act("d/f", "s")
        with pytest.raises(NotADirectoryError):
            act("d/new/g", "s")
    assert [p.name for p in outside.iterdir()] == ["f"]
    assert (outside / "f").read_bytes() == b"theirs"
    assert not tree.remove_empty("d")


def test_a_link_as_staging_folder_is_not_followed(tree: WorkTree, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    tree.staging.symlink_to(outside)
    tree.stage("s", b"x", 0o644)
    assert list(outside.iterdir()) == []
    assert tree.staged("s") == b"x"


def test_a_name_is_spelled_as_the_folder_lists_it(tree: WorkTree) -> None:
    put(tree, "d/A \udcff", b"x")
    assert tree.is_spelled_so("d/A \udcff")
    assert not tree.is_spelled_so("d/a \udcff")
    assert not tree.is_spelled_so("none/a")


def test_files_below_a_folder(tree: WorkTree, tmp_path: Path) -> None:
    for path in ("d/a", "d/e/b", "d/repo/.git/config", "d/repo/f", "d/sub/.git"):
        put(tree, path, b"x")
    (tree.root / "d/link").symlink_to(tmp_path)
    (tree.root / "top").symlink_to(tmp_path)
    assert set(tree.files_below("d/")) == {"d/a", "d/e/b", "d/repo/", "d/sub/", "d/link"}
    assert list(tree.files_below("top")) == []
    assert list(tree.files_below("nothing")) == []
    assert tree.holds_repository("d/repo")
    assert not tree.holds_repository("d/e")


# Replacing.


def test_create_only_where_nothing_stands(tree: WorkTree) -> None:
    tree.stage("s", b"new", 0o640)
    tree.create("a/b/c", "s")
    assert tree.look("a/b/c", limit=9)[1:] == (3, 0o640, b"new")
    assert tree.staged("s") is None
    tree.stage("s", b"newer", 0o644)
    with pytest.raises(FileExistsError):
        tree.create("a/b/c", "s")
    assert (tree.staged("s"), tree.look("a/b/c", limit=9).data) == (b"newer", b"new")


def test_exchange_gives_out_what_stood_there(tree: WorkTree) -> None:
    file = put(tree, "d/f", b"old")
    tree.stage("s", b"new", 0o644)
    with file.open("ab") as writer:  # somebody has the old file open
        tree.exchange("d/f", "s")
        writer.write(b" and more")
    assert file.read_bytes() == b"new"
    assert tree.staged("s") == b"old and more"
    with pytest.raises(FileNotFoundError):
        tree.exchange("d/none", "s")
    assert [p.name for p in tree.staging.iterdir()] == ["s"]


def test_take_removes_the_folders_that_become_empty(tree: WorkTree) -> None:
    put(tree, "a/b/c", b"x")
    put(tree, "a/d", b"y")
    tree.take("a/b/c", "s")
    assert tree.staged("s") == b"x"
    assert [p.name for p in (tree.root / "a").iterdir()] == ["d"]


def test_a_reader_sees_the_old_file_or_the_new_one_at_every_moment(tree: WorkTree) -> None:
    file, seen, stop = put(tree, "f", b"0" * 5000), set(), threading.Event()

    def read() -> None:
        while not stop.is_set():
            data = file.read_bytes()
            seen.add((len(data), len(set(data))))

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(60):
        tree.stage("s", str(number % 10).encode() * 5000, 0o644)
        tree.exchange("f", "s")
    stop.set()
    reader.join()
    assert seen == {(5000, 1)}


# Staging files.


def test_a_staging_file_is_whole_or_not_there(tree: WorkTree) -> None:
    tree.stage("s", b"first", 0o644)
    os.link(tree.staging / "s", tree.root / "placed")  # cut off between the two halves of a move by hard links
    tree.stage("s", b"second", 0o644)
    assert (tree.root / "placed").read_bytes() == b"first"
    (tree.staging / "t.part").write_bytes(b"cut sh")
    assert tree.staged("t") is None
    tree.sweep(older=3600)
    assert [p.name for p in tree.staging.iterdir()] == ["s"]
    tree.sweep(older=-1)
    assert tree.staged("s") is None
    tree.unstage("s")


def test_only_plain_files_are_read_from_staging(tree: WorkTree, tmp_path: Path) -> None:
    tree.stage("s", b"x", 0o644)
    secret = put(tree, "secret", b"secret")
    (tree.staging / "l").symlink_to(secret)
    os.mkfifo(tree.staging / "p")
    (tree.staging / "d").mkdir()
    assert [tree.staged(name) for name in ("l", "p", "d", "none")] == [None] * 4


def test_names_of_staging_files_are_used_once(tree: WorkTree) -> None:
    assert len({tree.fresh_name() for _ in range(100)} | {WorkTree(tree.root, tree.staging).fresh_name()}) == 101


def test_where_hard_links_are_refused_files_still_move(tree: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_args: object, **_options: object) -> None:
        raise PermissionError(1, "Operation not permitted")  # what FAT says (Linux 6.1)

    monkeypatch.setattr(rename, "_native", lambda: None)
    monkeypatch.setattr(os, "link", refused)
    test_create_only_where_nothing_stands(tree)
    put(tree, "d/f", b"old")
    tree.stage("s", b"new", 0o644)
    tree.exchange("d/f", "s")
    assert (tree.staged("s"), (tree.root / "d/f").read_bytes()) == (b"old", b"new")
