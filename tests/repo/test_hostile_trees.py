"""Trees and git directories that only an attacker makes are known before anything moves (soul-repo-v4 §8)."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from soulsync.errors import RefusedError
from soulsync.repo import objects, tampered
from soulsync.repo.foreign_tree import refuse_impossible
from soulsync.repo.objects import SYMLINK, TREE, Entry

if TYPE_CHECKING:
    from tests.repo.helpers import Lab

BAD = (
    b".", b"..", b"", b"a/b", b"/a", b"a/../b", b".git", b".GIT", b".Git ", b".git.", b"git~1", b"GIT~23",
    b".g\xe2\x80\x8cit", b".git::$INDEX_ALLOCATION", b".git:x",
)  # fmt: skip
GOOD = (b".gitignore", b".gitmodules", b"git", b"git~x", b"..a", b"con", b"a:b", b"x ", b"\xff", b"a\nb", b"n" * 300)


def top(lab: Lab, name: bytes, mode: int) -> str:
    inner = objects.write_tree(lab.repo, {b"f": lab.entry("x")})
    entry = Entry(TREE, inner) if mode == TREE else Entry(mode, lab.entry("x").id)
    return objects.write_tree(lab.repo, {name: entry})


@pytest.mark.parametrize("mode", [TREE, 0o100644])
@pytest.mark.parametrize("name", BAD)
def test_a_name_that_git_refuses(name: bytes, mode: int, lab: Lab) -> None:
    tree = top(lab, name, mode)
    below = objects.write_tree(lab.repo, {b"notes": Entry(TREE, tree)})
    for whole in (tree, below):
        with pytest.raises(RefusedError):
            refuse_impossible(lab.repo, None, whole)
        refuse_impossible(lab.repo, whole, whole)  # what passed once, or was always there, is not looked at again


@pytest.mark.parametrize("name", GOOD)
def test_a_name_that_is_only_odd(name: bytes, lab: Lab) -> None:
    refuse_impossible(lab.repo, None, top(lab, name, 0o100644))


@pytest.mark.parametrize("mode", [0, 0o644, 0o020666, 0o040755, 0o106755, 0o010644])
def test_a_kind_that_git_does_not_know(mode: int, lab: Lab) -> None:
    with pytest.raises(RefusedError):
        refuse_impossible(lab.repo, None, objects.write_tree(lab.repo, {b"x": Entry(mode, lab.entry("x").id)}))
    with pytest.raises(RefusedError):
        refuse_impossible(lab.repo, None, top(lab, b".gitmodules", SYMLINK))


@pytest.mark.parametrize(
    "name", ["config", "index", "HEAD", "packed-refs", "info/exclude", "refs/heads/x", "logs/HEAD"]
)
def test_a_link_or_a_pipe_for_a_file_of_git(name: str, lab: Lab) -> None:
    git_dir = lab.root / ".git"
    tampered.refuse(git_dir)
    path = git_dir / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to("/etc/passwd")
    with pytest.raises(RefusedError, match=name):
        tampered.refuse(git_dir)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(RefusedError, match=name):
        tampered.refuse(git_dir)


@pytest.mark.parametrize("name", ["refs", "logs", "objects", "hooks", "info", "objects/pack"])
def test_a_link_for_a_folder_of_git(name: str, lab: Lab) -> None:
    path = lab.root / ".git" / name
    if path.exists():
        shutil.rmtree(path)
    path.symlink_to("/etc")
    with pytest.raises(RefusedError, match=name):
        tampered.refuse(lab.root / ".git")


@pytest.mark.parametrize("at", [1, 10**9])
def test_a_file_that_was_changed_never_yields_to_a_link(at: int, lab: Lab) -> None:
    path = "journal/one/2026-01-01.md"
    base = lab.base(**{path: "# 2026-01-01 · one\n"})
    ours = lab.commit({path: "# 2026-01-01 · one\n\n## 10:00 mine\n"}, base, at=5)
    theirs = lab.commit({path: Entry(SYMLINK, lab.entry("/etc/passwd").id)}, base, at=at)
    assert "mine" in (lab.read(lab.merge(ours, theirs).tree, path) or "")
