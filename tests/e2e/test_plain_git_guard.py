"""A driver that is missing, killed or broken: both sides stay in the file, whatever becomes of the program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from soulsync.repo.install import driver_command, install, uninstall
from soulsync.shipped import PACKAGE
from tests.user_git import UserGit

if TYPE_CHECKING:
    from pathlib import Path

MEMORY = "memories/MEMORY.md"
START = str(PACKAGE / "start.py")


@pytest.fixture
def git(tmp_path: Path) -> UserGit:
    git = UserGit.init(tmp_path / "soul", tmp_path / "home")
    install(git.root, body="one")
    git.commit({MEMORY: "A\n§\nB\n"}, day=0)
    git.branch("theirs", "main", {MEMORY: "A\n§\nB\n§\ntheirs\n"}, 1)
    git.branch("ours", "main", {MEMORY: "A\n§\nB\n§\nours\n"}, 2)
    return git


def script(folder: Path, name: str, text: str) -> str:
    file = folder / name
    file.write_text(text)
    file.chmod(0o755)
    return str(file)


def conflicts_with_both_sides(git: UserGit, python: str, start: str = START) -> str:
    """Merge with this command as the driver; what git said."""
    git("config", "merge.soul-entries.driver", driver_command("soul-entries", python, start))
    result = git.run("merge", "--no-edit", "theirs")
    assert result.returncode == 1
    assert git("status", "--porcelain") == f"UU {MEMORY}"
    text = git.read(MEMORY)
    assert "ours\n" in text
    assert "theirs\n" in text
    assert "<<<<<<< ours" in text
    return result.stderr


def test_a_missing_interpreter(git: UserGit) -> None:
    said = conflicts_with_both_sides(git, "/nowhere/python 3%")
    assert "soulsync: the merge driver failed (127). Both sides are in the file." in said


def test_an_interpreter_that_may_not_be_run(git: UserGit, tmp_path: Path) -> None:
    file = tmp_path / "python"
    file.write_text("")
    assert "(126)" in conflicts_with_both_sides(git, str(file))


def test_a_driver_that_is_killed(git: UserGit, tmp_path: Path) -> None:
    assert "(137)" in conflicts_with_both_sides(git, script(tmp_path, "it's 100%", "#!/bin/sh\nkill -9 $$\n"))


def test_a_package_that_is_gone(git: UserGit) -> None:
    assert "(2)" in conflicts_with_both_sides(git, sys.executable, "/nowhere/soulsync/start.py")


def test_a_package_that_can_not_be_imported(git: UserGit, tmp_path: Path) -> None:
    (tmp_path / "soulsync").mkdir()
    start = tmp_path / "soulsync/start.py"
    start.write_bytes((PACKAGE / "start.py").read_bytes())
    assert "(1)" in conflicts_with_both_sides(git, sys.executable, str(start))


def test_a_rule_that_this_version_does_not_know(git: UserGit) -> None:
    command = driver_command("soul-entries", sys.executable, START).replace("soul-entries", "soul-tomorrow")
    git("config", "merge.soul-entries.driver", command)
    assert git.run("merge", "--no-edit", "theirs").returncode == 1
    assert "theirs\n" in git.read(MEMORY)
    assert "ours\n" in git.read(MEMORY)


def test_binary_files_that_git_would_not_merge(git: UserGit) -> None:
    git.commit({"memories/x.md": b"\x00ours\n"}, 3)
    git.branch("other", "main", {"memories/x.md": b"\x00theirs\n"}, 1)
    git("checkout", "-q", "ours")
    git("config", "merge.soul-entries.driver", driver_command("soul-entries", "/nowhere/python", START))
    assert git.run("merge", "--no-edit", "other").returncode == 1
    assert git.read("memories/x.md") == "\0ours\n\0theirs\n"


def test_a_rebase_stops_and_can_be_aborted(git: UserGit) -> None:
    git("config", "merge.soul-entries.driver", driver_command("soul-entries", "/nowhere/python", START))
    assert git.run("rebase", "theirs").returncode == 1
    assert "theirs\n" in git.read(MEMORY)
    git("rebase", "--abort")
    assert git("status", "--porcelain") == ""


def test_without_soulsync_git_merges_by_lines_as_before(git: UserGit) -> None:
    uninstall(git.root)
    assert git.run("merge", "--no-edit", "theirs").returncode == 1
    assert "<<<<<<< HEAD" in git.read(MEMORY)
