"""``pre-commit`` and ``commit-msg`` with real commits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from soulsync import spec
from soulsync.hooks_commit import sign_message
from soulsync.repo.install import install
from tests.user_git import UserGit

if TYPE_CHECKING:
    from pathlib import Path

ID = "0b6d2c1e-6c1f-4a53-9a57-2f1f0f3c9d10"


def agent(**fields: object) -> str:
    return json.dumps({"id": ID, "name": "kaoru", "displayName": "薰", **fields}) + "\n"


@pytest.fixture
def git(tmp_path: Path) -> UserGit:
    git = UserGit.init(tmp_path / "soul", tmp_path / "home")
    git.commit(
        {
            "agent.json": agent(),
            "memories/MEMORY.md": "A\n",
            "journal/.gitkeep": "",
            "journal/two/2026-01-01.md": "# 2026-01-01 · two\n",
            "bodies/two.json": "{}\n",
        },
        day=0,
    )
    install(git.root, body="one")
    return git


def refused(git: UserGit, *why: str) -> None:
    """Stage all; the commit must be refused, with one line for each reason."""
    git("add", "-A")
    result = git.run("commit", "-m", "x")
    assert result.returncode == 1
    lines = result.stderr.splitlines()
    assert len(lines) == len(why), lines
    for line, reason in zip(lines, why, strict=True):
        assert line.startswith("soulsync: ")
        assert reason in line


def passes(git: UserGit, *args: str) -> None:
    git("add", "-A")
    git("commit", "-q", "-m", "x", *args)


def test_any_text_passes_whatever_it_says(git: UserGit) -> None:
    git.write("memories/MEMORY.md", "password: hunter2\n-----BEGIN OPENSSH PRIVATE KEY-----\n<<<<<<< HEAD\n")
    git.write("notes/latin.md", b"caf\xe9\n")
    git.write("journal/one/2026-01-02.md", "# 2026-01-02 · one\n")
    git.write("bodies/one.json", "{}\n")
    git.write("notes/big.md", b"x" * spec.MAX_FILE_BYTES)
    git.write("notes/late nul.md", b"x" * 8000 + b"\0")
    passes(git)


def test_files_of_a_kind_that_no_soul_holds(git: UserGit) -> None:
    git.write("notes/big 灵.md", b"x" * (spec.MAX_FILE_BYTES + 1))
    git.write("notes/pic\n.png", b"\x89PNG\0")
    (git.root / "notes/link").symlink_to("/etc/passwd")
    inner = UserGit.init(git.root / "inner", git.home)
    inner.commit({"a": "a\n"}, 0)
    refused(
        git,
        "inner is a repository of its own",
        "notes/link is a symbolic link",
        "notes/big 灵.md has 1,048,577 bytes; a soul holds no file over 1 MiB.",
        "notes/pic\\n.png is binary",
    )


def test_the_first_commit_is_judged_too(tmp_path: Path) -> None:
    git = UserGit.init(tmp_path / "new", tmp_path / "home")
    install(git.root, body="one")
    git.write("pic.png", b"\0")
    refused(git, "pic.png is binary")


def test_what_belongs_to_another_body(git: UserGit) -> None:
    git.write("journal/two/2026-01-01.md", "# rewritten\n")
    git.write("journal/three/2026-01-01.md", "# new\n")
    (git.root / "bodies/two.json").unlink()
    refused(
        git,
        "bodies/two.json belongs to the body two; only it writes there.",
        "journal/three/2026-01-01.md belongs to the body three",
        "journal/two/2026-01-01.md belongs to the body two",
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (agent(id="11111111-1111-4111-8111-111111111111"), "holds another id (11111111-1111-4111-8111-111111111111)"),
        ("{oops", "no longer holds the agent's id"),
        (None, "no longer holds the agent's id"),
    ],
)
def test_the_id_of_the_agent_never_changes(git: UserGit, text: str | None, why: str) -> None:
    (git.root / "agent.json").unlink() if text is None else git.write("agent.json", text)
    refused(git, f"agent.json {why}; the id of an agent never changes. Put {ID} back.")
    git.write("agent.json", agent(description="new"))
    passes(git)


def test_a_commit_of_some_paths_is_judged_by_what_it_holds(git: UserGit) -> None:
    git.write("notes/good.md", "good\n")
    (git.root / "bad").symlink_to("x")
    git("add", "-A")
    git("commit", "-q", "-m", "x", "--", "notes/good.md")
    assert git.run("commit", "-m", "x", "--", "bad").returncode == 1
    assert git.run("commit", "-m", "x", cwd=git.root / "notes").returncode == 1


def foreign(git: UserGit) -> str:
    """A branch on which another body committed all that this one may not, and changed the note."""
    git("checkout", "-q", "-b", "theirs")
    (git.root / "link").symlink_to("x")
    head = git.commit({"journal/two/2026-01-02.md": "# two\n", "pic.png": b"\0\1", "notes/a.md": "theirs\n"}, 1)
    git("checkout", "-q", "main")
    git.commit({"notes/b.md": "ours\n"}, 2)
    return head


def test_a_merge_brings_in_what_the_other_parent_holds(git: UserGit) -> None:
    foreign(git)
    git("merge", "-q", "--no-commit", "--no-ff", "theirs")
    git("commit", "-q", "-m", "merge")
    foreign_again = "more\n"
    git.write("journal/two/2026-01-02.md", foreign_again)
    refused(git, "journal/two/2026-01-02.md belongs to the body two")


def test_a_merge_in_which_something_new_is_put(git: UserGit) -> None:
    foreign(git)
    git("merge", "-q", "--no-commit", "--no-ff", "theirs")
    git.write("pic.png", b"\0\2")
    refused(git, "pic.png is binary")


def test_a_cherry_pick_and_a_revert_are_judged_against_their_commits(git: UserGit) -> None:
    head = foreign(git)
    git.run("cherry-pick", "--no-commit", head)
    (git.root / ".git/CHERRY_PICK_HEAD").write_text(head + "\n")  # as after a conflict
    passes(git)
    git("rm", "-q", "pic.png", "link")
    passes(git)
    git("revert", "--no-commit", "HEAD")
    passes(git)


def test_other_variables_of_git_are_not_followed(git: UserGit, tmp_path: Path) -> None:
    other = UserGit.init(tmp_path / "other", git.home)
    other.commit({"a": "a\n"}, 0)
    git.write("pic.png", b"\0")
    git("add", "-A")
    env = {"GIT_DIR": str(git.root / ".git"), "GIT_WORK_TREE": str(git.root)}
    git.env |= env
    assert git.run("commit", "-m", "x", cwd=other.root).returncode == 1
    assert "pic.png is binary" in git.run("commit", "-m", "x", cwd=other.root).stderr
    assert other.run("status", "--porcelain").stdout == ""


def test_in_a_linked_work_tree(git: UserGit) -> None:
    linked = UserGit(git.root.with_name("linked"), git.home)
    git("worktree", "add", "-q", "-b", "side", str(linked.root))
    linked.write("pic.png", b"\0")
    refused(linked, "pic.png is binary")
    (linked.root / "pic.png").unlink()
    linked.write("notes/x.md", "x\n")
    passes(linked)
    assert linked("log", "-1", "--format=%s") == "x（one）"


@pytest.mark.parametrize(
    ("message", "signed"),
    [
        ("what", "what（one）"),
        ("what（one）", "what（one）"),
        ("what (two)", "what (two)（one）"),
        ("what（two）", "what（two）（one）"),
        ("what  \n\nbody\n", "what（one）\n\nbody\n"),
        ("\n\n# comment\nwhat\n# more\n", "\n\n# comment\nwhat（one）\n# more\n"),
        ("# only\n# comments\n", "# only\n# comments\n"),
        ("", ""),
        ("fixup! what", "fixup! what"),
    ],
)
def test_the_body_signs_the_subject(tmp_path: Path, message: str, signed: str) -> None:
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text(message)
    sign_message(str(file), "one")
    assert file.read_text() == signed


def test_a_message_in_another_encoding_keeps_its_bytes(tmp_path: Path) -> None:
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_bytes(b"caf\xe9\n")
    sign_message(str(file), "one")
    assert file.read_bytes() == b"caf\xe9\xef\xbc\x88one\xef\xbc\x89\n"


def test_plain_commits_and_merges_are_signed(git: UserGit) -> None:
    foreign(git)
    git("merge", "-q", "--no-edit", "theirs")
    assert git("log", "-1", "--format=%s") == "Merge branch 'theirs'（one）"
