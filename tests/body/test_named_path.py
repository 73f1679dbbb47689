"""Paths in the soul, however they are written; what is outside is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.body.named_path import inside
from soulsync.errors import SoulSyncError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.lived import Lived

SAME = ["notes/tea.md", "./notes/tea.md", "notes//tea.md", "notes/./tea.md", "notes/tea.md/", "{soul}/notes/tea.md",
        "{soul}//notes/./tea.md", "{link}/notes/tea.md", "{soul}/../soul link/notes/tea.md"]  # fmt: skip
OUTSIDE = ["../x", "notes/../../x", "notes/../notes/tea.md", "/etc/passwd", "/", "{soul} 2/notes/tea.md"]


@pytest.fixture
def soul(tmp_path: Path) -> Path:
    folder = tmp_path / "my söul"
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "tea.md").touch()
    (folder / "notes" / "out").symlink_to("/etc/passwd")
    (tmp_path / "soul link").symlink_to(folder)
    return folder


def written(soul: Path, path: str) -> str:
    return path.format(soul=soul, link=soul.parent / "soul link")


@pytest.mark.parametrize("path", SAME)
def test_one_path_in_many_spellings(soul: Path, path: str) -> None:
    assert inside(soul, written(soul, path)) == "notes/tea.md"
    if "{" in path:
        assert inside(soul.parent / "soul link", written(soul, path)) == "notes/tea.md"


@pytest.mark.parametrize("path", OUTSIDE)
def test_what_is_outside_is_refused(soul: Path, path: str) -> None:
    with pytest.raises(SoulSyncError, match="no path inside the soul"):
        inside(soul, written(soul, path))


def test_the_soul_itself_and_a_link_in_it(soul: Path) -> None:
    assert [inside(soul, path) for path in (str(soul), f"{soul}/", ".", "./", "")] == [""] * 5
    assert inside(soul, f"{soul}/notes/out") == "notes/out"
    assert inside(soul, "notes/tea: *.md") == "notes/tea: *.md"


def test_log_and_restore_take_them(lived: Lived) -> None:
    lived.ok("note", "write", "tea", "green")
    lived.sync()
    told = lived.ok("log", "--path", "notes/tea.md")
    assert "tea.md" in told
    for path in ("./notes/tea.md", f"{lived.soul}/notes/tea.md", f"{lived.soul}/notes/", "./notes//"):
        assert lived.ok("log", "--path", path) == told
    assert lived.ok("log", "--path", f"{lived.soul}/") == lived.ok("log", "--path", ".") == lived.ok("log")
    lived.fails(1, "log", "--path", "/etc/passwd")
    (lived.soul / "notes/tea.md").unlink()
    lived.sync()
    lived.ok("restore", f"{lived.soul}/notes/tea.md")
    assert lived.read("notes/tea.md").endswith("green\n")
    assert "whole soul" in lived.fails(1, "restore", ".")
