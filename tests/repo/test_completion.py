"""Plain git in repositories that hold memory stores: the drivers, and the hooks that complete what drivers can't write.

Each merge must come to the tree that the engine makes of the same two commits.
"""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

import pytest

from soulsync.merge.oxsoul_index import rebuilt
from soulsync.repo import install_stores
from soulsync.repo.install import install, uninstall
from soulsync.repo.merge import merge_commits
from soulsync.repo.soul import Soul
from tests.merge.test_stores import DAYS, entry, memory
from tests.user_git import UserGit

if TYPE_CHECKING:
    from pathlib import Path

TEA, INDEX = "oxsoul/tea.md", "oxsoul/MEMORY.md"
SEVEN, SECOND = ".agent/memory/semantic/MEM-007.json", ".agent/memory/semantic/MEM-007-413f.json"
Files = dict[str, "str | bytes | None"]


@pytest.fixture
def git(tmp_path: Path, request: pytest.FixtureRequest) -> UserGit:
    """A repository with a store of both formats, whose drivers are installed: as a soul, or as any other."""
    git = UserGit.init(tmp_path / "a 仓库", tmp_path / "home")
    git.commit({"oxsoul/dog.md": memory("Dog.", name="dog"), INDEX: index({"dog.md": memory("Dog.", name="dog")})}, 0)
    git.commit({".agent/memory/episodic/MEM-1.json": entry("Walk.", memory_id="MEM-1", type="episodic")}, 1)
    if getattr(request, "param", "soul") == "soul":
        install(git.root, body="one")
    else:
        install_for_stores(git)
    git("branch", "base")
    return git


def install_for_stores(git: UserGit) -> install_stores.Stores:
    found = install_stores.find(git.root)
    install(git.root, body=None, attributes=found.lines, hooks=("post-merge",), stores_only=True)
    return found


def index(files: dict[str, bytes]) -> bytes:
    return rebuilt("oxsoul", sorted(files.items()), None)


def staged(git: UserGit) -> str:
    """The tree of the index, which is what the next commit takes; the work tree must agree."""
    tree = git("write-tree")
    assert [line for line in git("status", "--porcelain").splitlines() if line[1:2] != " "] == []
    return tree


def engine_tree(git: UserGit, ours: str, theirs: str) -> str:
    soul = Soul(git.root, git.home / "engine")
    one, two = git("rev-parse", ours, theirs).split()
    return merge_commits(soul, one, two).tree


def check_index(git: UserGit) -> None:
    files = {file.name: file.read_bytes() for file in (git.root / "oxsoul").glob("*.md")}
    now = files.pop("MEMORY.md")
    assert rebuilt("oxsoul", sorted(files.items()), now) == now


MERGES: dict[str, tuple[Files, Files]] = {
    "edits": ({TEA: memory("Tea."), INDEX: b"drifted\n"}, {"oxsoul/dog.md": memory("Big dog.", name="dog")}),
    "one name": ({TEA: memory("Tea.", created=DAYS[2]), INDEX: b"mine\n"}, {TEA: memory("Beer."), INDEX: b"theirs\n"}),
    "one id": ({SEVEN: entry("Tea.")}, {SEVEN: entry("Beer.", created_at=DAYS[2])}),
    "all at once": (
        {
            SEVEN: entry("Beer.", created_at=DAYS[2]),
            TEA: memory("Tea."),
            "oxsoul/projects/0a1b2c3d/x.md": memory(name="x"),
        },
        {SEVEN: entry("Tea."), TEA: memory("Beer."), "oxsoul/projects/0a1b2c3d/x.md": memory("X.", name="x")},
    ),
    "broken": ({"oxsoul/dog.md": b"\0\xff"}, {"oxsoul/dog.md": memory("Big dog.", name="dog")}),
    "both broken": ({"oxsoul/dog.md": b"\0\xff"}, {"oxsoul/dog.md": b"no frontmatter\n"}),
}


@pytest.mark.parametrize(
    ("git", "case"), [*(("soul", case) for case in MERGES), ("project", "all at once")], indirect=["git"]
)
def test_a_merge_comes_to_the_tree_that_the_engine_makes(git: UserGit, case: str) -> None:
    ours, theirs = MERGES[case]
    git.branch("ours", "base", ours, 10)
    git.branch("theirs", "base", theirs, 20)
    for into, what in (("ours", "theirs"), ("theirs", "ours")):
        git("reset", "-q", "--hard")
        git("checkout", "-q", "--detach", into)
        git("merge", "-q", "--no-edit", what)
        assert staged(git) == engine_tree(git, into, what)
        check_index(git)
        assert not any(b"<<<<<<<" in file.read_bytes() for file in git.root.rglob("*.md"))


@pytest.mark.parametrize("git", ["soul", "project"], indirect=True)
def test_what_the_hook_wrote_is_told_and_no_loss_is(git: UserGit) -> None:
    git.branch("ours", "base", {SEVEN: entry("Tea.")}, 10)
    git.branch("theirs", "base", {SEVEN: entry("Beer.", created_at=DAYS[2])}, 20)
    said = git.run("merge", "--no-edit", "ours").stderr
    assert f"soulsync: {SEVEN}: two memories had this name; the other one is now {SECOND}, staged" in said
    assert "git show" not in said
    git("commit", "-q", "--no-verify", "-m", "both")
    assert git("status", "--porcelain") == ""


def test_a_fast_forward_changes_nothing(git: UserGit) -> None:
    git.branch("theirs", "base", {INDEX: b"drifted\n"}, 10)
    git("checkout", "-q", "--detach", "base")
    assert git.run("merge", "theirs").stderr == ""
    assert git("status", "--porcelain") == ""


def test_a_file_that_is_in_the_way_stays(git: UserGit) -> None:
    git.branch("ours", "base", {SEVEN: entry("Tea.")}, 10)
    git.branch("theirs", "base", {SEVEN: entry("Beer.", created_at=DAYS[2])}, 20)
    git.write(SECOND, "an untracked file\n")
    said = git.run("merge", "--no-edit", "ours").stderr
    assert f"needs {SECOND}, which is taken" in said
    assert git.read(SECOND) == "an untracked file\n"


@pytest.fixture
def soul(tmp_path: Path) -> UserGit:
    git = UserGit.init(tmp_path / "soul", tmp_path / "home")
    git.commit({INDEX: index({})}, 0)
    install(git.root, body="one")
    git("branch", "base")
    return git


def test_a_rebase_comes_to_the_same_tree(soul: UserGit) -> None:
    soul.branch("theirs", "base", {TEA: memory("Beer."), SEVEN: entry("Tea.")}, 20)
    soul.branch("ours", "base", {TEA: memory("Tea.", created=DAYS[2])}, 10)
    soul.commit({SEVEN: entry("Beer.", created_at=DAYS[2])}, 11)
    expected = engine_tree(soul, "theirs", "ours")
    said = soul.run("rebase", "theirs")
    assert said.returncode == 0, said.stderr
    assert staged(soul) == expected
    assert "is gone" not in said.stderr


def test_an_edit_here_and_a_deletion_there_is_left_to_the_user_without_markers(soul: UserGit) -> None:
    soul.branch("base", "base", {TEA: memory()}, 1)
    soul.branch("ours", "base", {TEA: None}, 10)
    soul.branch("theirs", "base", {TEA: memory("Green.")}, 20)
    soul("checkout", "-q", "ours")
    assert soul.run("merge", "-q", "--no-edit", "theirs").returncode == 1
    assert soul.read(TEA) == memory("Green.").decode()


# Another repository.


@pytest.fixture
def project(tmp_path: Path) -> UserGit:
    git = UserGit.init(tmp_path / "project", tmp_path / "home")
    files: Files = {
        "docs/README.md": "# Text\n",
        "docs/post.md": "---\nname: post\ndescription: A page\n---\nText.\n",
        "app/.agent/memory/semantic/MEM-007.json": entry(),
        'odd "na*me"/MEMORY.md': index({}),
        'odd "na*me"/engines/node-22/tea.md': memory(),
        "mine/tea.md": memory(),
        "mine/projects/0a1b2c3d/tea.md": memory(),
    }
    git.commit(files, 0)
    return git


def test_the_stores_are_found_and_git_knows_their_drivers(project: UserGit) -> None:
    found = install_for_stores(project)
    assert found == (("mine", 'odd "na*me"'), ("app/.agent/memory",))
    rules = {
        "mine/tea.md": "soul-oxsoul",
        "mine/MEMORY.md": "soul-oxsoul-index",
        "mine/inbox/app/x.md": "soul-oxsoul",
        "mine/README.md": "unspecified",
        "mine/deep/er/x.md": "unspecified",
        'odd "na*me"/tea.md': "soul-oxsoul",
        'odd "na*me"/engines/node-22/MEMORY.md': "soul-oxsoul-index",
        'odd "naXme"/tea.md': "unspecified",
        "app/.agent/memory/semantic/MEM-1.json": "soul-cortex",
        "docs/post.md": "unspecified",
        "app/package.json": "unspecified",
    }
    for path, rule in rules.items():
        assert project("check-attr", "-z", "merge", "--", path).split("\0")[2] == rule, path


def test_a_store_may_be_the_whole_repository(tmp_path: Path) -> None:
    git = UserGit.init(tmp_path / "store", tmp_path / "home")
    git.commit({"tea.md": memory(), "MEMORY.md": index({"tea.md": memory()}), "README.md": "# Mine\n"}, 0)
    assert install_for_stores(git) == (("",), ())
    git("branch", "base")
    git.branch("ours", "base", {"beer.md": memory("Beer.", name="beer"), "README.md": "# Mine\n\nours\n"}, 1)
    git.branch("theirs", "base", {"milk.md": memory("Milk.", name="milk"), "MEMORY.md": "drifted\n"}, 2)
    git("merge", "-q", "--no-edit", "ours")
    assert [name in git.read("MEMORY.md") for name in ("tea.md", "beer.md", "milk.md")] == [True] * 3
    assert git("check-attr", "merge", "--", "README.md").endswith("unspecified")


def test_nothing_else_of_the_repository_changes_and_uninstall_leaves_no_trace(project: UserGit) -> None:
    before = snapshot(project)
    install_for_stores(project)
    hooks = [file.name for file in (project.root / ".git/hooks").iterdir() if not file.name.endswith(".sample")]
    assert hooks == ["post-merge"]
    assert project.run("config", "merge.renames").returncode == 1
    for lock in ("yarn.lock", "docs/x.lock"):
        project.write(lock, "x\n")
    assert "yarn.lock" in project("status", "--porcelain")
    again = snapshot(project)
    install_for_stores(project)
    assert snapshot(project) == again
    assert uninstall(project.root)
    shutil.rmtree(project.root / ".git/soulsync-hooks", ignore_errors=True)
    assert snapshot(project) == before


def snapshot(git: UserGit) -> dict[str, bytes]:
    """Every setting, hook and attribute below ``.git`` with its bytes."""
    files = [file for folder in ("hooks", "info") for file in (git.root / ".git" / folder).glob("*")]
    return {str(file): file.read_bytes() for file in [*files, git.root / ".git/config"]}


class Hand:
    """Writes memories at random: few names and values, so that two hands collide; it deletes nothing."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def files(self) -> Files:
        pick = self.random.choice
        found: Files = {}
        for name in self.random.sample(["tea", "tea-2", "dog"], self.random.randint(1, 3)):
            tags, body = f"[{', '.join(self.random.sample('abc', 2))}]", pick(["Tea.", "Beer.", "Milk."])
            days = {key: DAYS[self.random.randint(1, 4)] for key in ("created", "updated")}
            found[f"oxsoul/{name}.md"] = memory(body, name=name, tags=tags, importance=pick("01"), **days)
        for name in self.random.sample(["MEM-007", "MEM-8"], self.random.randint(0, 2)):
            days = {f"{key}_at": DAYS[self.random.randint(1, 4)] for key in ("created", "updated")}
            several = self.random.sample("abcdefghijklm", self.random.randint(0, 9))
            found[f".agent/memory/semantic/{name}.json"] = entry(
                pick(["Tea.", "Beer."]), memory_id=name, tags=several, **days
            )
        if self.random.random() < 0.5:
            found[INDEX] = index({"x.md": memory(name="x")})
        return found


@pytest.mark.parametrize("seed", range(4))
def test_random_memories_of_two_hands(soul: UserGit, seed: int) -> None:
    hand = Hand(seed)
    if seed % 2:
        soul.branch("base", "base", hand.files(), 1)
    soul.branch("ours", "base", hand.files(), 10)
    soul.branch("theirs", "base", hand.files(), 10 + seed % 3)
    for into, what in (("ours", "theirs"), ("theirs", "ours")):
        soul("reset", "-q", "--hard")
        soul("checkout", "-q", "--detach", into)
        soul("merge", "-q", "--no-edit", what)
        assert staged(soul) == engine_tree(soul, into, what)
        check_index(soul)
