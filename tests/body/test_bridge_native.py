"""A framework's files: replaced in one step, never over what was not read, never through a link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.body.bridge.native import Native, NativeFault
from soulsync.repo.worktree import WorkTree

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_made_and_replaced_with_its_mode_kept(tmp_path: Path) -> None:
    native = Native(tmp_path)
    assert native.read("memories/MEMORY.md") is None
    assert native.write("memories/MEMORY.md", None, b"one")
    file = tmp_path / "memories" / "MEMORY.md"
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o640)
    assert native.write("memories/MEMORY.md", b"one", b"two")
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"two", 0o640)
    assert [path.name for path in file.parent.iterdir()] == ["MEMORY.md"]


def test_what_was_written_since_it_was_read_stands(tmp_path: Path) -> None:
    native = Native(tmp_path)
    (tmp_path / "a.md").write_bytes(b"by another")
    assert not native.write("a.md", b"as read", b"ours")
    assert not native.write("a.md", None, b"ours")
    assert not native.remove("a.md", b"as read")
    assert not native.write("gone.md", b"as read", b"ours")
    assert (tmp_path / "a.md").read_bytes() == b"by another"
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]
    assert native.remove("a.md", b"by another")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("writes", "stands"),
    [({1: b"later"}, b"later"), ({1: b"later", 2: b"last"}, b"last"), ({2: b"too late to matter"}, b"ours")],
)
def test_what_is_written_at_the_very_moment_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: dict[int, bytes], stands: bytes
) -> None:
    """Another program replaces the file just before our first, or second, exchange of names."""
    exchange, file, calls = WorkTree.exchange, tmp_path / "a.md", []

    def late(tree: WorkTree, path: str, name: str) -> None:
        calls.append(name)
        if len(calls) in writes:
            (tmp_path / "new").write_bytes(writes[len(calls)])
            (tmp_path / "new").replace(file)
        exchange(tree, path, name)

    file.write_bytes(b"as read")
    monkeypatch.setattr(WorkTree, "exchange", late)
    assert Native(tmp_path).write("a.md", b"as read", b"ours") is (stands == b"ours")
    assert file.read_bytes() == stands
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]


def test_links_are_faults_on_the_way_too(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    home.mkdir()
    other.mkdir()
    (other / "a.md").write_bytes(b"x")
    (home / "a.md").symlink_to(other / "a.md")
    (home / "memories").symlink_to(other)
    native = Native(home)
    for path in ("a.md", "memories/a.md"):
        with pytest.raises(NativeFault, match="is a link"):
            native.read(path)
    with pytest.raises(NativeFault, match="is a link"):
        native.write("memories/b.md", None, b"y")
    assert sorted(native.files("")) == ["a.md", "memories"]
    assert [path.name for path in other.iterdir()] == ["a.md"]


def test_a_home_that_is_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "home").symlink_to(tmp_path / "real")
    native = Native(tmp_path / "home")
    native.check()
    assert native.write("a.md", None, b"x")
    assert (tmp_path / "home").is_symlink()
    assert native.read("a.md") == b"x"


def test_files_of_a_repository_in_the_folder_are_not_its_own(tmp_path: Path) -> None:
    for path in (".git/config", "notes/a.md", "nested/.git/HEAD", "nested/b.md", "c.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(b"")
    assert sorted(Native(tmp_path).files("")) == ["c.md", "notes/a.md"]
