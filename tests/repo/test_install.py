"""Installing in a repository: what is written, what stays, that a second time changes nothing, and the way back."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING

import pytest

from soulsync import spec
from soulsync.errors import BusyError, SoulSyncError
from soulsync.merge.rules import MODULES, attributes_lines, rule_for
from soulsync.repo import install_config
from soulsync.repo.install import check, install, uninstall
from soulsync.shipped import PACKAGE
from tests.user_git import UserGit

if TYPE_CHECKING:
    from pathlib import Path

PATHS = [
    "memories/MEMORY.md",
    "memories/天.md",
    "memories/deep/x.md",
    "agent.json",
    "SOUL.md",
    "notes/a b/c.md",
    "journal/one/2026-01-01.md",
    "bodies/one.json",
    "locks/consolidation.json",
    "extra.txt",
    "notes/agent.json",
    "notes/memories/x.md",
]


@pytest.fixture
def git(tmp_path: Path) -> UserGit:
    return UserGit.init(tmp_path / "soul 灵 100%", tmp_path / "home")


def snapshot(git: UserGit) -> dict[str, bytes]:
    """Every file below ``.git`` with its bytes and mode."""
    files = (p for p in (git.root / ".git").rglob("*") if p.is_file() or p.is_symlink())
    return {str(p.relative_to(git.root)): p.read_bytes() + oct(p.lstat().st_mode).encode() for p in files}


def test_git_chooses_the_driver_that_the_rules_name(git: UserGit) -> None:
    install(git.root, body="one")
    for path in PATHS:
        assert git("-c", "core.quotePath=false", "check-attr", "merge", "--", path).rpartition(": ")[2] == rule_for(
            path
        )
    for rule in MODULES:
        command = git("config", f"merge.{rule}.driver")
        assert command.startswith(f"{sys.executable} -I -S {PACKAGE}/start.py merge {rule} %O %A %B %P %L;")
        assert git("config", f"merge.{rule}.name")


def test_settings_are_written_for_git_and_for_the_hooks(git: UserGit) -> None:
    install(
        git.root,
        body="one",
        remote_url="git@host:kaoru/kaoru.soul.git",
        agent_id="0b6d",
        ssh_command="ssh -i '/a b/key' -F /dev/null",
        user=("薰 (one)", "kaoru@one.local"),
    )
    assert git("config", "merge.renames") == "false"
    assert git("config", "merge.directoryRenames") == "false"
    assert git("config", "soulsync.body") == "one"
    assert git("config", "soulsync.remote") == "git@host:kaoru/kaoru.soul.git"
    assert git("config", "soulsync.agentId") == "0b6d"
    assert git("config", "core.sshCommand") == "ssh -i '/a b/key' -F /dev/null"
    assert git("config", "user.name") == "薰 (one)"
    for name in ("memories/MEMORY.md.lock", "memories/.mem_x", "memories/MEMORY.md.bak.1"):
        git.write(name, "x\n")
    assert git("status", "--porcelain") == ""


def test_a_second_time_changes_nothing(git: UserGit) -> None:
    assert install(git.root, body="one", user=("a", "b"))
    before = snapshot(git)
    assert check(git.root) == []
    assert install(git.root, body="one", user=("a", "b")) == []
    assert snapshot(git) == before


def test_a_dry_run_says_the_same_and_writes_nothing(git: UserGit) -> None:
    before = snapshot(git)
    said = install(git.root, body="one", dry_run=True)
    assert snapshot(git) == before
    assert install(git.root, body="one") == said


def test_uninstall_leaves_no_trace(git: UserGit) -> None:
    git("config", "user.name", "somebody")
    git("config", "--add", "merge.po.driver", "po %A")
    (git.root / ".git/info").mkdir(exist_ok=True)
    (git.root / ".git/info/attributes").write_text("*.po merge=po\n# no newline at the end")
    before = snapshot(git)
    install(git.root, body="one", remote_url="git@h:a/b.git", ssh_command="ssh", user=("薰", "k@one.local"))
    assert uninstall(git.root)
    after = snapshot(git)
    assert after.pop(".git/info/attributes").startswith(b"*.po merge=po\n# no newline at the end")
    before.pop(".git/info/attributes")
    assert after == before
    assert uninstall(git.root) == []


def test_what_the_user_set_after_us_stays(git: UserGit) -> None:
    install(git.root, body="one", user=("薰", "k@one.local"), ssh_command="ssh -i a")
    install(git.root, body="one", user=("薰", "k@one.local"), ssh_command="ssh -i b")
    git("config", "user.name", "new name")
    uninstall(git.root)
    assert git("config", "user.name") == "new name"
    assert git.run("config", "user.email").returncode == 1
    assert git.run("config", "core.sshCommand").returncode == 1


def test_lines_of_others_stay_and_are_told_and_ours_win(git: UserGit) -> None:
    attributes = git.root / ".git/info/attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("*.po merge=po\n*.md -diff\n")
    said = install(git.root, body="one")
    assert "left info/attributes: *.po merge=po" in said
    with attributes.open("a") as file:
        file.write("*.md merge=union\n")
    assert git("check-attr", "merge", "SOUL.md").endswith("union")
    assert check(git.root) == ["Still to do: write the merge drivers of each path in attributes."]
    install(git.root, body="one")
    assert git("check-attr", "merge", "SOUL.md").endswith("soul-newest")
    assert attributes.read_text().startswith("*.po merge=po\n*.md -diff\n*.md merge=union\n")
    assert check(git.root) == []


def test_check_names_what_is_gone_or_changed(git: UserGit) -> None:
    assert check(git.root) == ["Merge drivers and hooks are not installed."]
    install(git.root, body="one")
    git("config", "merge.soul-entries.driver", "true")
    git("config", "--unset", "merge.renames")
    (git.root / ".git/hooks/pre-push").unlink()
    (git.root / ".git/info/exclude").unlink()
    assert check(git.root) == [
        "Still to do: set merge.renames.",
        "Still to do: set merge.soul-entries.driver.",
        "Still to do: write the hook pre-push.",
        "Still to do: write what git must not add in exclude.",
    ]
    install(git.root, body="one")
    assert check(git.root) == []


def test_check_names_a_program_that_is_gone(git: UserGit, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.symlink_to(sys.executable)
    install(git.root, body="one", python=str(python))
    assert check(git.root) == []
    python.unlink()
    assert check(git.root) == [f"{python} is gone."]


def test_an_interpreter_with_an_odd_path_runs(git: UserGit, tmp_path: Path) -> None:
    python = tmp_path / 'it\'s "100%" $HOME 灵 python'
    python.symlink_to(sys.executable)
    install(git.root, body="one", python=str(python))
    git.commit({"SOUL.md": "old\n"}, 0)
    git.branch("a", "main", {"SOUL.md": "a\n"}, 2)
    git.branch("b", "main", {"SOUL.md": "b\n"}, 1)
    git("merge", "-q", "-m", "both", "a")
    assert git.read("SOUL.md") == "a\n"
    assert git("log", "-1", "--format=%s") == "both（one）"


def test_other_repositories_get_the_drivers_they_need_and_no_guard(git: UserGit) -> None:
    lines = ["/stores/*.md merge=soul-entries"]
    install(git.root, body=None, attributes=lines, hooks=("post-merge",))
    assert git("check-attr", "merge", "README.md").endswith("unspecified")
    assert git("check-attr", "merge", "stores/x.md").endswith("soul-entries")
    assert git.run("config", "merge.soul-newest.driver").returncode == 1
    assert not (git.root / ".git/hooks/pre-commit").exists()
    assert check(git.root) == []


def test_a_linked_work_tree_shares_the_installation(git: UserGit) -> None:
    git.commit({"SOUL.md": "x\n"}, 0)
    linked = git.root.with_name("linked")
    git("worktree", "add", "-q", "-b", "side", str(linked))
    install(linked, body="one")
    assert check(git.root) == []
    assert check(linked) == []
    assert install(git.root, body="one") == []
    assert git.run("check-attr", "merge", "SOUL.md", cwd=linked).stdout.strip().endswith("soul-newest")


def test_a_folder_that_is_no_repository(tmp_path: Path) -> None:
    for deed in (partial(install, body="one"), uninstall, check):
        with pytest.raises(SoulSyncError, match="is not the top of a git repository"):
            deed(tmp_path)


def test_a_config_lock_of_another_program_is_waited_for(git: UserGit) -> None:
    lock = git.root / ".git/config.lock"
    lock.touch()
    release = threading.Timer(0.2, lock.unlink)
    release.start()
    install(git.root, body="one")
    release.join()
    assert check(git.root) == []


def test_a_config_lock_that_stays_is_named(git: UserGit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install_config, "PATIENCE", 0.1)
    lock = git.root / ".git/config.lock"
    lock.touch()
    with pytest.raises(BusyError, match=r"config\.lock is there"):
        install(git.root, body="one")
    lock.unlink()
    # without its command a driver's name would make every merge fail, so the attributes come last
    assert git("check-attr", "merge", "SOUL.md").endswith("unspecified")


def test_two_installs_at_once_do_not_mix(git: UserGit, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import sys, pathlib; from soulsync.repo.install import install; install(pathlib.Path(sys.argv[1]), body='one')"
    )
    argv = [sys.executable, "-c", code, str(git.root)]
    several = [subprocess.Popen(argv) for _ in range(3)]
    assert [process.wait(60) for process in several] == [0, 0, 0]
    assert check(git.root) == []
    assert len(git("config", "--get-all", "soulsync.body").splitlines()) == 1
    monkeypatch.setattr(install_config, "PATIENCE", 0.1)
    holder = os.open(git.root / ".git", os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    with pytest.raises(BusyError, match="Another soulsync is installing"):
        install(git.root, body="two")
    os.close(holder)


def test_the_block_holds_the_rules_of_a_soul(git: UserGit) -> None:
    install(git.root, body="one")
    text = (git.root / ".git/info/attributes").read_text()
    assert text.splitlines()[1:-1] == attributes_lines()
    assert all(pattern in (git.root / ".git/info/exclude").read_text() for pattern in spec.LITTER_PATTERNS)
