"""Which commits the driver takes for the two sides, in every operation that calls it; and who is local in each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from soulsync.formats.entries import parse
from soulsync.merge.newest import blob_id
from soulsync.repo.install import install
from tests.user_git import UserGit

if TYPE_CHECKING:
    from pathlib import Path

MEMORY = "memories/MEMORY.md"
NOTE = "notes/天 a.md"
AGENT = {
    "id": "0b6d2c1e-6c1f-4a53-9a57-2f1f0f3c9d10",
    "name": "kaoru",
    "displayName": "薰",
    "description": "old",
    "color": "#7C6CF2",
    "language": "zh-CN",
    "createdAt": "2026-01-01T00:00:00.000Z",
}


def agent(**fields: str) -> str:
    return json.dumps({**AGENT, **fields}, ensure_ascii=False, indent=2) + "\n"


@pytest.fixture
def git(tmp_path: Path) -> UserGit:
    git = UserGit.init(tmp_path / "soul", tmp_path / "home")
    install(git.root, body="one")
    git.commit({MEMORY: "A\n§\nB\n", NOTE: "old\n", "agent.json": agent()}, day=0)
    git("branch", "base")
    return git


def up_and_mine(git: UserGit, up_day: float, my_day: float) -> None:
    """Branch ``up`` with a commit, and ``mine``, checked out, with three."""
    git.branch("up", "base", {MEMORY: "A\n§\nB\n§\nup\n", NOTE: "up\n", "agent.json": agent(description="up")}, up_day)
    git.branch("mine", "base", {MEMORY: "A\n§\nB\n§\nmine\n"}, my_day)
    git.commit({NOTE: "mine\n"}, my_day + 0.1)
    git.commit({"agent.json": agent(description="mine", color="#000000")}, my_day + 0.2)


def larger(*texts: str) -> str:
    """What wins when the commits are unknown."""
    return max(texts, key=lambda text: blob_id(text.encode()))


def entries(git: UserGit) -> list[str]:
    return sorted(parse(git.read(MEMORY).encode()))


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
@pytest.mark.parametrize(("up_day", "my_day", "kept"), [(10, 20, "mine\n"), (20, 10, "up\n")])
def test_rebase_weighs_my_commits_against_the_new_base(
    git: UserGit, backend: str, up_day: float, my_day: float, kept: str
) -> None:
    up_and_mine(git, up_day, my_day)
    git("rebase", "-q", backend, "up")
    assert git.read(NOTE) == kept
    assert entries(git) == ["A", "B", "mine", "up"]
    # git calls the new base "ours"; local is what this body committed (§4: local wins)
    assert json.loads(git.read("agent.json"))["description"] == "mine"
    assert json.loads(git.read("agent.json"))["color"] == "#000000"
    assert git("status", "--porcelain") == ""


def test_merge_keeps_the_local_field_and_the_newer_note(git: UserGit) -> None:
    up_and_mine(git, 20, 10)
    git("merge", "-q", "--no-edit", "up")
    assert json.loads(git.read("agent.json"))["description"] == "mine"
    assert git.read(NOTE) == "up\n"


def test_pull_knows_the_fetched_commit(git: UserGit, tmp_path: Path) -> None:
    up_and_mine(git, 20, 10)
    git("pull", "-q", "--no-rebase", "--no-edit", str(git.root), "up")
    assert git.read(NOTE) == "up\n"


def test_an_unrelated_later_commit_on_a_side_does_not_count(git: UserGit) -> None:
    up_and_mine(git, 20, 10)
    git.commit({"notes/other.md": "later\n"}, 99)
    git("merge", "-q", "--no-edit", "up")
    assert git.read(NOTE) == "up\n"


def test_a_merge_within_a_side_counts_only_where_it_differs_from_all_parents(git: UserGit) -> None:
    up_and_mine(git, 20, 10)
    git.branch("topic", "mine~2", {"notes/t.md": "t\n"}, 15)
    git("checkout", "-q", "mine")
    git("merge", "-q", "--no-ff", "--no-edit", "topic", day=90)  # brings nothing to the note
    git("merge", "-q", "--no-edit", "up")
    assert git.read(NOTE) == "up\n"


def test_settings_of_log_do_not_change_the_answer(git: UserGit) -> None:
    up_and_mine(git, 20, 10)
    for key, value in (
        ("log.showSignature", "true"),
        ("log.follow", "true"),
        ("diff.renames", "copies"),
        ("color.ui", "always"),
        ("diff.relative", "true"),
        ("log.date", "relative"),
        ("diff.external", "false"),
    ):
        git("config", key, value)
    git("merge", "-q", "--no-edit", "up")
    assert git.read(NOTE) == "up\n"


def test_cherry_pick_of_one_commit_falls_back_to_the_larger_blob(git: UserGit) -> None:
    up_and_mine(git, 10, 20)
    git("cherry-pick", "up")
    assert git.read(NOTE) == larger("mine\n", "up\n")
    assert entries(git) == ["A", "B", "mine", "up"]


def test_cherry_pick_of_several_commits_knows_each(git: UserGit) -> None:
    git.branch("up", "base", {NOTE: "up 1\n"}, 10)
    git.commit({"notes/b.md": "b\n"}, 11)
    for day, kept in ((5, "up 1\n"), (15, "mine\n")):
        git.branch("mine", "base", {NOTE: "mine\n"}, day)
        git("cherry-pick", "--allow-empty", "--keep-redundant-commits", "base..up")
        assert git.read(NOTE) == kept


def test_revert_is_symmetric_for_entries(git: UserGit) -> None:
    git.commit({MEMORY: "A\n§\nB\n§\nC\n"}, 1)
    git.commit({MEMORY: "A\n§\nB\n§\nC\n§\nD\n"}, 2)
    git("revert", "--no-edit", "HEAD~1")
    assert entries(git) == ["A", "B", "D"]


def test_stash_pop_puts_the_later_work_in_place(git: UserGit) -> None:
    git.write(NOTE, "stashed\n")
    git.write(MEMORY, "A\n§\nB\n§\nstashed\n")
    git("stash", "-q", day=20)
    git.commit({NOTE: "committed\n", MEMORY: "A\n§\nB\n§\ncommitted\n"}, 10)
    git("stash", "pop", "-q")
    assert git.read(NOTE) == "stashed\n"
    assert entries(git) == ["A", "B", "committed", "stashed"]


def test_checkout_with_local_changes_falls_back(git: UserGit) -> None:
    git.branch("other", "base", {NOTE: "other\n"}, 10)
    git("checkout", "-q", "main")
    git.write(NOTE, "local\n")
    git("checkout", "-q", "-m", "other")
    assert git.read(NOTE) == larger("other\n", "local\n")


def test_am_three_way(git: UserGit, tmp_path: Path) -> None:
    up_and_mine(git, 10, 20)
    git("format-patch", "-q", "-o", str(tmp_path / "patches"), "base..up")
    patch = next((tmp_path / "patches").iterdir())
    git("am", "-q", "-3", str(patch))
    assert entries(git) == ["A", "B", "mine", "up"]


def test_the_variables_of_an_agent_name_the_commits(git: UserGit) -> None:
    up_and_mine(git, 10, 20)
    ids = git("rev-parse", "mine", "up").split()
    git("cherry-pick", "up", SOULSYNC_OURS=ids[0], SOULSYNC_THEIRS=ids[1])
    assert git.read(NOTE) == "mine\n"


def test_variables_left_over_from_another_merge_are_not_believed(git: UserGit) -> None:
    up_and_mine(git, 20, 10)
    ids = git("rev-parse", "base", "mine~1").split()
    git.env |= {"SOULSYNC_OURS": ids[0], "SOULSYNC_THEIRS": ids[1], f"GITHEAD_{ids[0]}": "base"}
    git("cherry-pick", "up")
    assert git.read(NOTE) == larger("mine\n", "up\n")
