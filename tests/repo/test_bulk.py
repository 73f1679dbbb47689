"""Many new files at once: whole folders move into place, and nothing that stands there is touched."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from soulsync.formats.entries import parse
from soulsync.repo import bulk, checkout, durable
from soulsync.repo.objects import EXECUTABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soulsync.repo.checkout import Checkout
    from tests.repo.helpers import Content, Lab

MANY = {f"notes/{number // 10}/n{number}.md": f"# {number}\n" for number in range(bulk.WORTHWHILE)}


def bring(lab: Lab, files: Mapping[str, Content]) -> Checkout:
    return checkout.run(lab.soul, lab.worktree, None, lab.tree(files), intent=None)


def held(lab: Lab) -> dict[str, bytes]:
    found = (file for file in lab.root.rglob("*") if file.is_file())
    return {
        os.fsencode(file.relative_to(lab.root)).decode("utf-8", "surrogateescape"): file.read_bytes()
        for file in found
        if file.relative_to(lab.root).parts[0] != ".git"
    }


def staged(lab: Lab) -> list[str]:
    return [found.name for found in lab.soul.staging.iterdir()]


@pytest.fixture
def moved(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are moved into place as one."""
    paths: list[str] = []
    move_in = lab.worktree.move_in

    def note(path: str, source: bytes) -> None:
        move_in(path, source)
        paths.append(path)

    monkeypatch.setattr(lab.worktree, "move_in", note)
    return paths


def test_whole_folders_move_into_place(lab: Lab, moved: list[str]) -> None:
    files = {**MANY, "SOUL.md": "x", "deep/er/天 \udcff": "y"}
    done = bring(lab, files)
    assert held(lab) == lab.files(lab.tree(files))
    assert sorted(moved) == ["SOUL.md", "deep", "notes"]
    assert (done.absent, done.merged, done.warnings, staged(lab)) == ([], [], [], [])


def test_few_files_come_one_by_one(lab: Lab, moved: list[str]) -> None:
    few = dict(list(MANY.items())[1:])
    bring(lab, few)
    assert sorted(moved) == sorted(few)


def test_a_folder_that_stands_is_entered(lab: Lab, moved: list[str]) -> None:
    lab.write("notes/3/mine.md", "mine")
    bring(lab, MANY)
    assert held(lab) == {**lab.files(lab.tree(MANY)), "notes/3/mine.md": b"mine"}
    assert "notes/2" in moved
    assert "notes/3/n30.md" in moved


def test_what_an_agent_wrote_at_the_same_path_is_joined(lab: Lab) -> None:
    lab.write("memories/MEMORY.md", "mine\n")
    done = bring(lab, {**MANY, "memories/MEMORY.md": "theirs\n"})
    assert set(parse(lab.text("memories/MEMORY.md").encode())) == {"mine", "theirs"}
    assert done.merged == ["memories/MEMORY.md"]


def test_no_link_is_followed(lab: Lab, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (lab.root / "notes").symlink_to(tmp_path / "elsewhere")
    done = bring(lab, {**MANY, "SOUL.md": "x"})
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert sorted(done.absent) == sorted(MANY)
    assert held(lab) == {"SOUL.md": b"x"}


def test_bytes_are_those_of_the_tree(lab: Lab) -> None:
    attributes = "*.md eol=crlf ident filter=upper working-tree-encoding=UTF-16\n"
    lab.git("config", "filter.upper.smudge", "tr a-z A-Z")
    files: dict[str, Content] = {**MANY, ".gitattributes": attributes, "a.md": "a\r\n$Id$\n", "b.md": b"\0\xff\r\n"}
    bring(lab, files)
    assert held(lab) == lab.files(lab.tree(files))


def test_modes_and_what_is_left_to_the_slow_way(lab: Lab) -> None:
    files: dict[str, Content] = {
        **MANY,
        "run": lab.entry("#!/bin/sh\n", EXECUTABLE),
        "large": b"x" * (17 << 20),
        "deep/.git/config": "x",
    }
    done = bring(lab, files)
    assert os.access(lab.root / "run", os.X_OK)
    assert not os.access(lab.root / "SOUL.md", os.X_OK)
    assert sorted(done.absent) == ["deep/.git/config", "large"]


@pytest.mark.parametrize(
    "fault", ['case "$*" in *checkout-index*) exit 1;; esac', 'case "$*" in *checkout-index*) echo no >&2;; esac']
)
def test_where_git_fails_each_file_is_placed(
    fault: str, lab: Lab, moved: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = lab.soul.git.text("--exec-path") + "/git"
    shims = tmp_path / "bin"
    shims.mkdir()
    (shims / "git").write_text(f'#!/bin/sh\n{fault}\nexec {real} "$@"\n')
    (shims / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(shims), prepend=os.pathsep)
    bring(lab, MANY)
    assert held(lab) == lab.files(lab.tree(MANY))
    assert sorted(moved) == sorted(MANY)
    assert staged(lab) == []


def test_what_a_killed_run_left_is_swept(lab: Lab) -> None:
    left = lab.soul.staging / "18-1.bulk" / "files" / "notes"
    left.mkdir(parents=True)
    (left / "a.md").write_text("x")
    lab.worktree.sweep(older=3600)
    assert staged(lab) == []


@pytest.mark.parametrize("system", ["native", "without the call", "refuses the call"])
def test_all_is_on_disk_before_it_moves(
    system: str, lab: Lab, moved: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    flushed = durable.flush
    if system != "native":
        call = None if system == "without the call" else lambda _fd: errno.ENOSYS
        monkeypatch.setattr(durable, "_syncfs", lambda: call)
        monkeypatch.setattr(os, "fsync", lambda fd: synced.append(str(Path(f"/proc/self/fd/{fd}").readlink())))

    def flush(folder: Path) -> None:
        assert len([file for file in (folder / "files").rglob("*") if file.is_file()]) == len(MANY)
        assert moved == []
        flushed(folder)
        if system != "native":
            assert {path.partition("/files/")[2] for path in synced} >= set(MANY)

    monkeypatch.setattr(durable, "flush", flush)
    bring(lab, MANY)
    assert moved == ["notes"]


def test_a_disk_that_fails_is_told(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(durable, "_syncfs", lambda: lambda _fd: errno.EIO)
    with pytest.raises(OSError, match="Input/output"):
        bring(lab, MANY)
    assert held(lab) == {}
    assert staged(lab) == []
