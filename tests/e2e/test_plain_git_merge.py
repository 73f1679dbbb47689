"""Plain ``git merge`` in a repository with the drivers installed: every situation that a rule depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.formats.entries import parse
from soulsync.repo.install import install
from tests.user_git import UserGit

if TYPE_CHECKING:
    from pathlib import Path

MEMORY = "memories/MEMORY.md"
ODD_PATHS = [
    "notes/with space.md",
    'notes/quo\'te "double".md',
    "notes/100% %s %P.md",
    "notes/天 文.md",
    "notes/emoji 🦀.md",
    "notes/$(touch pwned) `x` ;&.md",
    "notes/-dash.md",
    "notes/back\\slash.md",
]


def entries(*texts: str) -> str:
    return "\n§\n".join(texts) + "\n"


@pytest.fixture
def git(tmp_path: Path) -> UserGit:
    git = UserGit.init(tmp_path / "kaoru's 100% 灵魂", tmp_path / "home")
    install(git.root, body="one")
    git.commit({MEMORY: entries("A", "B"), "SOUL.md": "# 薰\nold\n", "notes/a.md": "# a\n\nold\n"}, day=0)
    git("branch", "base")
    return git


def both(git: UserGit, ours: dict[str, str | bytes | None], theirs: dict[str, str | bytes | None]) -> None:
    """Branches ``older`` (day 10) and ``newer`` (day 20), both from ``base``."""
    git.branch("older", "base", ours, 10)
    git.branch("newer", "base", theirs, 20)


def merged_both_ways(git: UserGit, one: str = "older", two: str = "newer") -> str:
    """Merge either branch into the other; both must be clean and give one tree, which stays checked out."""
    trees = []
    for into, what in ((one, two), (two, one)):
        git("checkout", "-q", "--detach", into)
        git("merge", "-q", "--no-edit", what)
        trees.append(git("rev-parse", "HEAD^{tree}"))
    assert trees[0] == trees[1]
    assert git("status", "--porcelain") == ""
    return trees[0]


def test_entries_of_both_sides_stay_and_the_newer_note_wins(git: UserGit) -> None:
    both(
        git,
        {MEMORY: entries("A", "see §3"), "notes/a.md": "# a\n\nolder\n", "SOUL.md": "# 薰\nolder\n"},
        {MEMORY: entries("B", "A", "N"), "notes/a.md": "# a\n\nnewer\n", "SOUL.md": "# 薰\nnewer\n"},
    )
    merged_both_ways(git)
    assert sorted(parse(git.read(MEMORY).encode())) == ["A", "N", "see §3"]
    assert "newer" in git.read("notes/a.md")
    assert "newer" in git.read("SOUL.md")


@pytest.mark.parametrize("path", ODD_PATHS)
def test_paths_of_every_kind_reach_the_driver_whole(git: UserGit, path: str) -> None:
    git.branch("odd", "base", {path: "old\n"}, 1)
    git("branch", "-f", "base", "odd")
    both(git, {path: "older\n"}, {path: "newer\n"})
    merged_both_ways(git)
    assert git.read(path) == "newer\n"
    assert not (git.root / "pwned").exists()


def test_a_file_that_both_added(git: UserGit) -> None:
    both(
        git,
        {"memories/X.md": entries("x1"), "notes/n.md": "1\n"},
        {"memories/X.md": entries("x2"), "notes/n.md": "2\n"},
    )
    merged_both_ways(git)
    assert sorted(parse(git.read("memories/X.md").encode())) == ["x1", "x2"]
    assert git.read("notes/n.md") == "2\n"


def test_unrelated_histories(git: UserGit) -> None:
    git("checkout", "-q", "--orphan", "other")
    git.commit({MEMORY: entries("A", "C")}, 5)
    git("checkout", "-q", "base")
    git("merge", "-q", "--no-edit", "--allow-unrelated-histories", "other")
    assert sorted(parse(git.read(MEMORY).encode())) == ["A", "B", "C"]


def test_a_renamed_file_that_the_other_side_changed(git: UserGit) -> None:
    long = "# a\n\n" + "".join(f"line {i}\n" for i in range(40))
    git.branch("long", "base", {"notes/a.md": long}, 1)
    git("branch", "-f", "base", "long")
    both(git, {"notes/a.md": None, "notes/b.md": long + "mine\n"}, {"notes/a.md": long + "theirs\n"})
    git("checkout", "-q", "older")
    result = git.run("merge", "-q", "--no-edit", "newer")
    # git before 2.50 pairs the two names and calls the driver; later ones leave a modify/delete conflict to the user
    assert result.returncode in (0, 1), result.stderr
    assert "<<<<<<<" not in git.read("notes/b.md")


def test_an_edit_here_and_a_delete_there_is_left_to_the_user(git: UserGit) -> None:
    both(git, {"notes/a.md": None}, {"notes/a.md": "# a\n\nnewer\n"})
    git("checkout", "-q", "older")
    assert git.run("merge", "-q", "--no-edit", "newer").returncode == 1
    assert git("status", "--porcelain").startswith("DU notes/a.md")


def test_a_file_in_a_folder_that_the_other_side_renamed_stays_where_it_is(git: UserGit) -> None:
    git.branch("cat", "base", {"notes/cat/1.md": "one\n" * 9, "notes/cat/2.md": "two\n" * 9}, 1)
    git("branch", "-f", "base", "cat")
    moved: dict[str, str | bytes | None] = {"notes/cat/1.md": None, "notes/cat/2.md": None}
    both(git, {**moved, "notes/new/1.md": "one\n" * 9, "notes/new/2.md": "two\n" * 9}, {"notes/cat/3.md": "three\n"})
    merged_both_ways(git)
    assert git.read("notes/cat/3.md") == "three\n"


def test_a_criss_cross_history_merges_its_bases_first(git: UserGit) -> None:
    both(
        git,
        {MEMORY: entries("A", "B", "o"), "notes/a.md": "o\n"},
        {MEMORY: entries("A", "B", "n"), "notes/a.md": "n\n"},
    )
    for name, into, what, day in (("left", "older", "newer", 21), ("right", "newer", "older", 22)):
        git("checkout", "-q", "-B", name, into)
        git("merge", "-q", "--no-edit", what, day=day)
    git("checkout", "-q", "left")
    git.commit({MEMORY: git.read(MEMORY) + "§\nleft\n", "notes/a.md": "left\n"}, 30)
    git("checkout", "-q", "right")
    git.commit({MEMORY: git.read(MEMORY) + "§\nright\n", "notes/a.md": "right\n"}, 31)
    assert len(git("merge-base", "--all", "left", "right").split()) == 2
    merged_both_ways(git, "left", "right")
    assert sorted(parse(git.read(MEMORY).encode())) == ["A", "B", "left", "n", "o", "right"]
    assert git.read("notes/a.md") == "right\n"


def test_an_octopus_merge_asks_no_driver(git: UserGit) -> None:
    """Documented limit: git merges three heads by lines and never runs a driver; the hooks report what is missing."""
    for i, name in enumerate(("p", "q", "r")):
        git.branch(name, "base", {f"notes/{name}.md": f"{name}\n"}, 10 + i)
    git("merge", "-q", "--no-edit", "p", "q")
    assert git("rev-list", "--parents", "-1", "HEAD").count(" ") == 3


def test_merge_tree_prints_nothing_of_ours(git: UserGit) -> None:
    both(git, {MEMORY: entries("A", "B", "o")}, {MEMORY: entries("A", "B", "n")})
    tree = git("merge-tree", "--write-tree", "older", "newer")
    assert tree == git("merge-tree", "--write-tree", "newer", "older")
    assert git("show", f"{tree}:{MEMORY}") == entries("A", "B", "n", "o").strip()


def test_looking_at_history_changes_nothing(git: UserGit) -> None:
    both(git, {MEMORY: entries("A", "o"), "notes/a.md": "o\n"}, {MEMORY: entries("B", "n"), "notes/a.md": "n\n"})
    merged_both_ways(git)
    git("log", "-1", "--remerge-diff")
    assert git("status", "--porcelain", "--ignored") == ""


def test_renames_that_collide_leave_no_markers_of_a_rule(git: UserGit) -> None:
    """Git calls the driver once with the old path (both renamed), or twice (a rename against an added file)."""
    long = "# a\n\n" + "".join(f"line {i}\n" for i in range(40))
    git.branch("long", "base", {"notes/a.md": long}, 1)
    git("branch", "-f", "base", "long")
    for theirs in (
        {"notes/a.md": None, "notes/c.md": long + "theirs\n"},
        {"notes/a.md": long + "theirs\n", "notes/b.md": "an added stranger\n"},
    ):
        both(git, {"notes/a.md": None, "notes/b.md": long + "ours\n"}, dict(theirs))
        git("checkout", "-q", "older")
        result = git.run("merge", "--no-edit", "newer")
        assert result.returncode in (0, 1), result.stderr
        assert "<<<<<<<" not in git.read("notes/b.md")
        git("reset", "-q", "--hard")


def test_a_file_that_became_a_link_is_left_to_the_user(git: UserGit) -> None:
    git("checkout", "-q", "-B", "newer", "base")
    (git.root / "notes/a.md").unlink()
    (git.root / "notes/a.md").symlink_to("../SOUL.md")
    git.commit({}, 20)
    git.branch("older", "base", {"notes/a.md": "older\n"}, 10)
    assert git.run("merge", "--no-edit", "newer").returncode == 1


def test_a_merge_that_git_refuses_leaves_no_trace(git: UserGit) -> None:
    both(git, {MEMORY: entries("A", "o"), "notes/a.md": "o\n"}, {MEMORY: entries("B", "n"), "notes/a.md": "n\n"})
    git("checkout", "-q", "older")
    git.write("notes/a.md", "not committed\n")
    assert git.run("merge", "--no-edit", "newer").returncode != 0
    assert git("status", "--porcelain", "--ignored") == "M notes/a.md"
    assert git.read("notes/a.md") == "not committed\n"


def test_a_merge_started_in_a_subfolder(git: UserGit) -> None:
    both(git, {MEMORY: entries("A", "o"), "notes/a.md": "o\n"}, {MEMORY: entries("A", "n"), "notes/a.md": "n\n"})
    assert git.run("merge", "--no-edit", "older", cwd=git.root / "notes").returncode == 0
    assert git.read("notes/a.md") == "n\n"


def test_one_path_merged_again_from_its_stages(git: UserGit) -> None:
    both(
        git, {MEMORY: entries("A", "B", "o"), "notes/a.md": None}, {MEMORY: entries("A", "B", "n"), "notes/a.md": "n\n"}
    )
    assert git.run("merge", "--no-edit", "older").returncode == 1  # the deleted note stops it
    git.write(MEMORY, "spoiled\n")
    git("checkout", "--merge", "--", MEMORY)
    assert sorted(parse(git.read(MEMORY).encode())) == ["A", "B", "n", "o"]


def test_work_that_a_rebase_puts_aside_and_back(git: UserGit) -> None:
    both(git, {MEMORY: entries("A", "B", "o")}, {"notes/n.md": "n\n"})
    git.write(MEMORY, entries("A", "B", "not committed"))
    git("rebase", "-q", "--autostash", "older")
    assert sorted(parse(git.read(MEMORY).encode())) == ["A", "B", "not committed", "o"]


def test_merge_tree_in_a_bare_repository(git: UserGit, tmp_path: Path) -> None:
    both(git, {MEMORY: entries("A", "B", "o")}, {MEMORY: entries("A", "B", "n")})
    wanted = git("merge-tree", "--write-tree", "older", "newer")
    bare = UserGit(tmp_path / "bare.git", git.home)
    git("clone", "-q", "--bare", str(git.root), str(bare.root))
    for part in ("config", "info/attributes"):
        (bare.root / part).write_bytes((git.root / ".git" / part).read_bytes())
    bare("config", "core.bare", "true")
    assert bare("merge-tree", "--write-tree", "older", "newer") == wanted


@pytest.mark.parametrize("flags", [("--no-ff",), ("-s", "ort", "-X", "ours"), ("-X", "theirs"), ("-X", "patience")])
def test_options_of_a_merge_do_not_change_its_result(git: UserGit, flags: tuple[str, ...]) -> None:
    both(git, {MEMORY: entries("A", "o"), "notes/a.md": "o\n"}, {MEMORY: entries("B", "n"), "notes/a.md": "n\n"})
    git("merge", "-q", "--no-edit", *flags, "older")
    assert sorted(parse(git.read(MEMORY).encode())) == ["n", "o"]
    assert git.read("notes/a.md") == "n\n"
