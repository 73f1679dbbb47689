"""Trees by their raw bytes: what git writes we read, what we write git reads, whatever the names."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pygit2.enums import ObjectType

from soulsync.errors import SoulSyncError
from soulsync.repo import objects
from soulsync.repo.objects import BLOB, EXECUTABLE, SUBMODULE, SYMLINK, TREE, Entry
from tests.repo.helpers import Lab

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pygit2

ODD_NAMES = [
    b"with space", b'quo"te', b"qu'ote", b"back\\slash", b"tab\there", b"new\nline", "天 文".encode(), "🦀".encode(),
    b"\xff\xfe", b"-dash", b".git", b".GIT", b"a.", b"a", b"a-b", b"a0", b"CON", b"..", b":(top)x",
]  # fmt: skip


@pytest.fixture(scope="module")
def shared() -> Iterator[Lab]:
    with tempfile.TemporaryDirectory() as folder:
        yield Lab(Path(folder))


def test_trees_of_git_mktree_survive_a_round_trip(lab: Lab) -> None:
    blob = objects.write_blob(lab.repo, b"x\n")
    lines = b"".join(b"100644 blob %s\t%s\0" % (blob.encode(), name) for name in ODD_NAMES)
    tree = lab.git("mktree", "-z", data=lines)
    entries = objects.read_tree(lab.repo, tree)
    assert set(entries) == set(ODD_NAMES)
    assert objects.write_tree(lab.repo, entries) == tree
    assert objects.edit(lab.repo, tree, {}) == tree


def test_every_kind_of_entry_is_as_git_lists_it(lab: Lab) -> None:
    blob = lab.entry("x\n").id
    files = {
        "f": Entry(BLOB, blob), "x": Entry(EXECUTABLE, blob), "l": Entry(SYMLINK, blob),
        "m": Entry(SUBMODULE, "1" * 40), "d/e/f": Entry(BLOB, blob),
    }  # fmt: skip
    tree = lab.tree(files)
    listed = {
        line.split("\t")[1]: (int(line.split()[0], 8), line.split()[2])
        for line in lab.git("ls-tree", "-r", tree).splitlines()
    }
    assert listed == {path: tuple(entry) for path, entry in files.items()}
    assert dict(objects.walk(lab.repo, tree)) == files
    assert [e.is_file for e in files.values()] == [True, True, False, False, True]
    assert objects.lookup(lab.repo, tree, "d/e") == Entry(TREE, lab.git("rev-parse", f"{tree}:d/e"))
    assert objects.lookup(lab.repo, tree, "f/below") is None


def test_a_folder_is_sorted_as_git_sorts_it(lab: Lab) -> None:
    tree = lab.tree({"a/x": "1", "a.b": "2", "a-b": "3", "a0": "4"})
    lab.git("read-tree", tree)
    assert lab.git("write-tree") == tree
    lab.git("fsck", "--strict", "--no-dangling")


def test_a_file_becomes_a_folder_and_the_reverse(lab: Lab) -> None:
    file, folder = lab.tree({"a": "1", "b": "2"}), lab.tree({"a/x": "1", "a/y/z": "3", "b": "2"})
    for old, new in ((file, folder), (folder, file)):
        changes = objects.diff(lab.repo, old, new)
        assert set(changes) == {"a", "a/x", "a/y/z"}
        assert objects.edit(lab.repo, old, {path: after for path, (_, after) in changes.items()}) == new


def test_a_removed_file_goes_also_beside_removals_below_it(lab: Lab) -> None:
    tree = lab.tree({"a": "1", "b": "2"})
    assert lab.files(objects.edit(lab.repo, tree, {"a": None, "a/x": None})) == {"b": b"2"}
    assert lab.files(objects.edit(lab.repo, tree, {"a/x": None, "a": None})) == {"b": b"2"}
    folder = lab.tree({"a/x": "1", "b": "2"})
    assert objects.edit(lab.repo, folder, {"a": None}) == folder


def test_an_empty_tree_and_none_are_alike(lab: Lab) -> None:
    empty = objects.write_tree(lab.repo, {})
    assert objects.diff(lab.repo, None, empty) == {}
    assert objects.edit(lab.repo, None, {}) == empty
    assert objects.edit(lab.repo, lab.tree({"a/b": "1"}), {"a/b": None}) == empty


def test_an_id_is_known_without_storing(lab: Lab) -> None:
    assert objects.blob_id(b"x\r\n") == lab.git("hash-object", "--stdin", data=b"x\r\n")
    assert objects.blob_size(lab.repo, objects.write_blob(lab.repo, b"12345")) == 5


def test_a_tree_of_endless_folders_is_refused(lab: Lab) -> None:
    tree = lab.tree({"f": "x"})
    for _ in range(300):
        tree = objects.write_tree(lab.repo, {b"d": Entry(TREE, tree)})
    with pytest.raises(SoulSyncError):
        objects.diff(lab.repo, None, tree)
    with pytest.raises(SoulSyncError):
        objects.edit(lab.repo, tree, {"d/" * 250 + "f": None})


def test_a_missing_commit_is_explained(lab: Lab) -> None:
    with pytest.raises(SoulSyncError, match="missing"):
        objects.tree_of(lab.repo, "1" * 40)


NAMES = st.sampled_from(["a", "b", "a.b", "a-b", "B", " ", "天", "\udcff", ".git", 'q"\n'])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
MODES = st.sampled_from([BLOB, BLOB, EXECUTABLE, SYMLINK])


@st.composite
def trees(draw: st.DrawFn) -> dict[str, tuple[int, bytes]]:
    chosen: dict[str, tuple[int, bytes]] = {}
    for path in draw(st.lists(PATHS, max_size=8)):
        above = {path[:at] for at, char in enumerate(path) if char == "/"}
        if not above & chosen.keys() and not any(other.startswith(path + "/") for other in chosen):
            chosen[path] = (draw(MODES), draw(st.sampled_from([b"", b"1", b"2"])))
    return chosen


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(one=trees(), two=trees())
def test_editing_by_the_difference_gives_the_other_tree(
    shared: Lab, one: dict[str, tuple[int, bytes]], two: dict[str, tuple[int, bytes]]
) -> None:
    ids = [
        shared.tree({path: shared.entry(data, mode) for path, (mode, data) in files.items()}) for files in (one, two)
    ]
    changes = objects.diff(shared.repo, ids[0], ids[1])
    assert objects.edit(shared.repo, ids[0], {path: new for path, (_, new) in changes.items()}) == ids[1]
    raw = shared.git("diff-tree", "-r", "-z", "--no-renames", *ids).split("\0")
    assert set(changes) == set(raw[1::2])
    for path, (mode, data) in two.items():
        assert objects.lookup(shared.repo, ids[1], path) == shared.entry(data, mode)


def test_an_object_is_written_again_when_gc_took_the_folder_away(lab: Lab) -> None:
    """What `git gc` does between two steps of libgit2, done here before a write: the way to the folder is gone."""
    store = Path(lab.repo.path) / "objects"
    away = store.with_name("away")
    tries: list[int] = []
    objects.write_blob(lab.repo, b"opens the store\n")

    def write() -> pygit2.Oid:
        tries.append(len(tries))
        if len(tries) == 1:
            store.rename(away)
            store.write_bytes(b"")  # in the way
            try:
                return lab.repo.write(ObjectType.BLOB, b"kept\n")
            finally:
                store.unlink()
                away.rename(store)
        return lab.repo.write(ObjectType.BLOB, b"kept\n")

    assert lab.git("cat-file", "blob", objects.stored(write)) == "kept"
    assert tries == [0, 1]


def test_a_write_that_fails_each_time_is_told(lab: Lab) -> None:
    def write() -> pygit2.Oid:
        raise OSError("failed to rename lockfile")

    with pytest.raises(OSError, match="failed to rename"):
        objects.stored(write)
