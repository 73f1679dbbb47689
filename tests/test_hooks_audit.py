"""``post-merge`` and ``post-rewrite``: what a merge dropped is told, whoever made it, and nothing else is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.repo.install import install
from tests.user_git import UserGit

if TYPE_CHECKING:
    from pathlib import Path

MEMORY = "memories/MEMORY.md"


def entries(*texts: str) -> str:
    return "\n§\n".join(texts) + "\n"


@pytest.fixture
def git(tmp_path: Path) -> UserGit:
    git = UserGit.init(tmp_path / "soul", tmp_path / "home")
    install(git.root, body="one")
    git.commit(
        {
            MEMORY: entries("A", "B"),
            "notes/a b.md": "old\n",
            "journal/one/2026-01-01.md": "# 2026-01-01 · one\n\n## 10:00 Start\n\ntext\n",
        },
        0,
    )
    git("branch", "base")
    return git


def told(stderr: str) -> list[str]:
    """The lines of the audit; those of the driver name the version only."""
    marks = ("is gone", "git show")
    return [line for line in stderr.splitlines() if line.startswith("soulsync: ") and any(m in line for m in marks)]


def gave_way(path: str, commit: str) -> str:
    show = f"git show '{commit[:10]}:{path}'"
    return f"soulsync: {path}: the version of {commit[:10]} gave way and stays in history: {show}"


def merge_by_hand(git: UserGit, files: dict[str, str | bytes | None]) -> str:
    """Another program's merge of ``theirs`` into ``ours``, with these files; then it is pulled. What the hook said."""
    git("checkout", "-q", "ours")
    git.run("merge", "--no-commit", "--no-ff", "theirs")
    git.commit(files, 30)
    made = git("rev-parse", "HEAD")
    git("reset", "-q", "--hard", "HEAD^1")
    result = git.run("merge", "--ff-only", made)
    assert result.returncode == 0
    return result.stderr


def test_a_merge_by_the_rules_drops_nothing(git: UserGit) -> None:
    git.branch("theirs", "base", {MEMORY: entries("B", "T"), "notes/t.md": "t\n"}, 1)
    git.branch("ours", "base", {MEMORY: entries("A", "B", "O"), "notes/a b.md": None}, 2)
    result = git.run("merge", "--no-edit", "theirs")
    assert result.returncode == 0
    assert told(result.stderr) == []


def test_the_older_version_of_a_note_is_named_with_the_way_back(git: UserGit) -> None:
    theirs = git.branch("theirs", "base", {"notes/a b.md": "theirs\n"}, 1)
    git.branch("ours", "base", {"notes/a b.md": "ours\n"}, 2)
    result = git.run("merge", "--no-edit", "theirs")
    assert told(result.stderr) == [gave_way("notes/a b.md", theirs)]
    assert git("show", f"{theirs[:10]}:notes/a b.md") == "theirs"


def test_entries_that_a_merge_made_elsewhere_lost(git: UserGit) -> None:
    theirs = git.branch("theirs", "base", {MEMORY: entries("A", "B", "T 中文\nmore")}, 1)
    git.branch("ours", "base", {MEMORY: entries("A", "O")}, 2)
    lines = told(merge_by_hand(git, {MEMORY: entries("O")}))
    assert len(lines) == 2  # B was deleted by ours
    assert "“A” is gone, and nobody deleted it" in lines[0]
    assert lines[1] == (
        f"soulsync: {MEMORY}: “T 中文” is gone, and nobody deleted it; see git show {theirs[:10]}:{MEMORY}"
    )


def test_files_that_a_merge_made_elsewhere_lost(git: UserGit) -> None:
    git.branch("theirs", "base", {"notes/t.md": "t\n", MEMORY: entries("A", "B", "T")}, 1)
    git.branch("ours", "base", {"notes/o.md": "o\n", "notes/a b.md": None}, 2)
    lines = told(merge_by_hand(git, {"notes/t.md": None, MEMORY: None}))
    assert [line.split(": ")[1] for line in lines] == [MEMORY, MEMORY, MEMORY, "notes/t.md"]
    assert "is gone and stays in history" in lines[3]


def test_sections_of_a_journal(git: UserGit) -> None:
    path = "journal/one/2026-01-01.md"
    day = git.read(path)
    git.branch("theirs", "base", {path: day + "\n## 11:00 Theirs\n\nx\n"}, 1)
    git.branch("ours", "base", {path: day + "\n## 12:00 Ours\n\ny\n"}, 2)
    lines = told(merge_by_hand(git, {path: day + "\n## 12:00 Ours\n\ny\n"}))
    assert len(lines) == 1
    assert "“## 11:00 Theirs” is gone" in lines[0]


def test_an_octopus_merge_is_looked_at(git: UserGit) -> None:
    long = [f"entry {i}" for i in range(30)]
    git.commit({MEMORY: entries(*long)}, 1)
    for name in ("p", "q"):
        git.branch(name, "main", {MEMORY: entries(name, *long), f"notes/{name}.md": "x\n"}, 2)
        git.commit({MEMORY: entries(*long)}, 3)
    git("checkout", "-q", "main")
    result = git.run("merge", "--no-edit", "p", "q")
    assert result.returncode == 0
    assert told(result.stderr) == []


def test_unrelated_histories(git: UserGit) -> None:
    git("checkout", "-q", "--orphan", "other")
    git("rm", "-rqf", ".")
    git.commit({MEMORY: entries("A", "X")}, 1)
    result = git.run("merge", "--no-edit", "--allow-unrelated-histories", "base")
    assert result.returncode == 0, result.stderr
    assert told(result.stderr) == []


def test_a_squash_has_made_no_commit_yet(git: UserGit) -> None:
    git.branch("theirs", "base", {MEMORY: entries("A", "B", "T")}, 1)
    git("checkout", "-q", "base")
    assert told(git.run("merge", "--squash", "theirs").stderr) == []


def test_a_rebase_is_looked_at(git: UserGit) -> None:
    git.branch("up", "base", {"notes/a b.md": "up\n", MEMORY: entries("A", "B", "U")}, 20)
    mine = git.branch("mine", "base", {"notes/a b.md": "mine\n", MEMORY: entries("A", "M"), "notes/m.md": "m\n"}, 10)
    result = git.run("rebase", "up")
    assert result.returncode == 0
    assert told(result.stderr) == [gave_way("notes/a b.md", mine)]
    assert told(git.run("commit", "--amend", "-m", "again").stderr) == []


def test_many_lines_are_cut(git: UserGit) -> None:
    git.branch("theirs", "base", {MEMORY: entries(*(f"t {i}" for i in range(60)))}, 1)
    git.branch("ours", "base", {"notes/o.md": "o\n"}, 2)
    lines = [line for line in merge_by_hand(git, {MEMORY: entries("A", "B")}).splitlines() if "soulsync: " in line]
    assert len(lines) == 41
    assert lines[-1] == "soulsync: and 20 more."
