"""``soulsync install --repo`` in a repository that is no soul: it finds stores and says what it assigned."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.bodies import Body
from tests.merge.test_stores import DAYS, entry, memory
from tests.user_git import UserGit

if TYPE_CHECKING:
    from pathlib import Path

SEVEN = ".agent/memory/semantic/MEM-007.json"
BOTH = {SEVEN, ".agent/memory/semantic/MEM-007-413f.json"}


@pytest.fixture
def nobody(tmp_path: Path) -> Body:
    return Body(tmp_path / "machine", "one", None)


@pytest.fixture
def git(tmp_path: Path) -> UserGit:
    git = UserGit.init(tmp_path / "project", tmp_path / "home")
    git.commit({"notes/tea.md": memory(), ".agent/memory/semantic/MEM-1.json": entry(memory_id="MEM-1")}, 0)
    return git


def test_what_was_assigned_is_told_and_taken_back(nobody: Body, git: UserGit) -> None:
    before = (git.root / ".git/config").read_bytes()
    assigned = [
        "  OxSoul store in notes/: soul-oxsoul, soul-oxsoul-index",
        "  cortex store in .agent/memory/: soul-cortex",
    ]
    lines = nobody.ok("install", "--repo", str(git.root)).splitlines()
    assert lines[:2] == assigned
    assert lines[-1] == "Installed."
    assert nobody.ok("install", "--repo", str(git.root)).splitlines() == [*assigned, "Everything is installed already."]
    assert nobody.ok("uninstall", "--repo", str(git.root)).endswith("Uninstalled.\n")
    assert (git.root / ".git/config").read_bytes() == before
    assert git.run("check-attr", "merge", "--", SEVEN).stdout.strip().endswith("unspecified")
    assert not (git.root / ".git/hooks/post-merge").exists()


def test_a_repository_without_soul_and_store_is_refused(nobody: Body, tmp_path: Path) -> None:
    git = UserGit.init(tmp_path / "other", tmp_path / "home")
    git.commit({"README.md": "# Other\n"}, 0)
    assert "no memory store" in nobody.fails(2, "install", "--repo", str(git.root))
    assert not (git.root / ".git/info/attributes").exists()


def test_a_hook_that_was_there_before_keeps_running(nobody: Body, git: UserGit) -> None:
    hook = git.root / ".git/hooks/post-merge"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho ran >> ran\n")
    hook.chmod(0o755)
    nobody.ok("install", "--repo", str(git.root))
    git("branch", "base")
    git.branch("ours", "base", {"notes/a.md": memory(name="a")}, 1)
    git.branch("theirs", "base", {"notes/b.md": memory("B.", name="b")}, 2)
    git("merge", "-q", "--no-edit", "ours")
    assert git.read("ran") == "ran\n"
    assert "b.md" in git.read("notes/MEMORY.md")
    nobody.ok("uninstall", "--repo", str(git.root))
    assert hook.read_text() == "#!/bin/sh\necho ran >> ran\n"


def test_two_clones_that_invent_one_id_keep_both_memories(nobody: Body, git: UserGit, tmp_path: Path) -> None:
    phone = UserGit(tmp_path / "phone", tmp_path / "home")
    subprocess.run(["git", "clone", "-q", str(git.root), str(phone.root)], check=True, timeout=30, env=git.env)
    for clone in (git, phone):
        nobody.ok("install", "--repo", str(clone.root))
    git.commit({SEVEN: entry("Tea.")}, 1)
    phone.commit({SEVEN: entry("Beer.", created_at=DAYS[2])}, 2)
    git("branch", "mine")
    git("pull", "-q", "--no-rebase", "--no-edit", str(phone.root), "main")
    phone("pull", "-q", "--no-rebase", "--no-edit", str(git.root), "mine")
    trees = [clone("write-tree") for clone in (git, phone)]
    assert trees[0] == trees[1]
    assert set(git("ls-files").splitlines()) >= BOTH
    for clone in (git, phone):
        clone("commit", "-q", "-m", "both")
    git("pull", "-q", "--no-rebase", "--no-edit", str(phone.root), "main")
    assert git("write-tree") == trees[0]
    assert git("status", "--porcelain") == ""


def test_what_a_merge_without_hooks_left_out_is_written_when_it_is_asked_for(nobody: Body, git: UserGit) -> None:
    assert "no repository that has our merge drivers" in nobody.fails(2, "validate", "--fix", str(git.root))
    nobody.ok("install", "--repo", str(git.root))
    git("branch", "base")
    for name, text in (("tea", "Tea."), ("beer", "Beer.")):
        git.branch(name, "base", {SEVEN: entry(text), f"notes/{name}.md": memory(text, name=name)}, 1)
    git("-c", "core.hooksPath=/dev/null", "merge", "-q", "--no-edit", "tea")
    git.branch("later", "HEAD", {"README.md": "# More\n"}, 3)
    done = nobody.run("validate", "--fix", str(git.root / ".agent/memory"))
    assert done.returncode == 0, done.stdout
    (second,) = {path for path in git("ls-files").splitlines() if "MEM-007-" in path}
    assert [line.split(" ")[1] for line in done.stderr.splitlines()] == [f"{SEVEN}:", "notes/MEMORY.md"]
    assert [name in git.read("notes/MEMORY.md") for name in ("tea.md", "beer.md")] == [True, True]
    git("commit", "-q", "-m", "both")
    assert nobody.run("validate", "--fix", str(git.root / ".agent/memory")).stderr == ""
    git("rm", "-q", second)
    git("commit", "-q", "-m", "forget it")
    assert nobody.run("validate", "--fix", str(git.root / ".agent/memory")).stderr == ""
    assert not (git.root / second).exists()
