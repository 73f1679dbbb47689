"""``pre-push`` with real pushes: what may leave the machine, and where to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from soulsync.hooks_push import canonical, is_ssh
from soulsync.repo.install import install
from tests.user_git import UserGit

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

ID = "0b6d2c1e-6c1f-4a53-9a57-2f1f0f3c9d10"


class Pair:
    """A soul and its bare remote."""

    def __init__(self, folder: Path) -> None:
        self.remote = folder / "kaoru's.soul.git"
        self.git = UserGit.init(folder / "soul", folder / "home", SOUL_ALLOW_LOCAL_REMOTE="1")
        self.git("init", "-q", "--bare", "-b", "main", str(self.remote))
        self.git.commit({"agent.json": json.dumps({"id": ID})}, 0)
        self.git("remote", "add", "origin", str(self.remote))
        self.git("push", "-q", "--no-verify", "origin", "main")
        self.git.commit({"notes/a.md": "a\n"}, 1)
        install(self.git.root, body="one", remote_url=str(self.remote), agent_id=ID)

    def push(self, *args: str) -> subprocess.CompletedProcess[str]:
        return self.git.run("push", *args)

    def refused(self, why: str, *args: str) -> None:
        before = self.git("ls-remote", str(self.remote))
        result = self.push(*args)
        assert result.returncode == 1
        lines = [line for line in result.stderr.splitlines() if line.startswith("soulsync:")]
        assert len(lines) == 1
        assert why in lines[0]
        assert self.git("ls-remote", str(self.remote)) == before


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path)


def test_main_goes_forward_to_its_own_address(pair: Pair) -> None:
    assert pair.push("origin", "main").returncode == 0
    assert pair.push("origin", "main").returncode == 0  # nothing to do
    pair.git("checkout", "-q", "-b", "side")
    pair.git.commit({"notes/b.md": "b\n"}, 2)
    assert pair.push(str(pair.remote), "HEAD:main").returncode == 0


def test_a_new_remote_takes_its_first_main(pair: Pair, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.git"
    pair.git("init", "-q", "--bare", str(fresh))
    install(pair.git.root, body="one", remote_url=str(fresh))
    assert pair.push(str(fresh), "main").returncode == 0


def test_other_refs(pair: Pair) -> None:
    pair.git("tag", "v1")
    pair.refused("Only main is pushed, not refs/heads/side.", "origin", "main:side")
    pair.refused("Only main is pushed, not refs/tags/v1.", "origin", "v1")


def test_a_deletion(pair: Pair) -> None:
    pair.refused("main of the remote would be deleted", "origin", ":main")


def test_another_history(pair: Pair) -> None:
    pair.git("push", "-q", "--no-verify", "origin", "main")
    pair.git("commit", "-q", "--amend", "--no-verify", "-m", "rewritten")
    pair.refused("from the remote's history, which is append-only", "--force", "origin", "main")


def test_a_tip_that_is_not_here(pair: Pair, tmp_path: Path) -> None:
    other = UserGit(tmp_path / "other", tmp_path / "home")
    pair.git("clone", "-q", str(pair.remote), str(other.root))
    other.commit({"notes/o.md": "o\n"}, 3)
    other("push", "-q", "origin", "main")
    pair.refused("which is not here yet. Run soulsync sync", "--force", "origin", "main")


def test_another_address(pair: Pair, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.git"
    pair.git("init", "-q", "--bare", str(elsewhere))
    pair.refused(f"A soul is pushed to {pair.remote} alone, not to {elsewhere}.", str(elsewhere), "main")
    # git gives the hook the address that it will really use
    pair.git("config", f"url.{elsewhere}.pushInsteadOf", str(pair.remote))
    pair.refused(f"not to {elsewhere}", "origin", "main")


def test_a_path_is_no_address_outside_of_tests(pair: Pair) -> None:
    del pair.git.env["SOUL_ALLOW_LOCAL_REMOTE"]
    pair.refused("is no SSH address", "origin", "main")


def test_a_soul_without_a_remote(pair: Pair) -> None:
    pair.git("config", "--unset", "soulsync.remote")
    pair.refused("This soul has no remote yet. Set it: soulsync remote set URL.", "origin", "main")


def test_another_agent(pair: Pair) -> None:
    pair.git.commit({"agent.json": '{"id": "someone else"}'}, 2)
    pair.refused("names the agent someone else; this soul is 0b6d", "origin", "main")
    pair.git.commit({"agent.json": None}, 3)
    pair.refused("names no agent that can be read", "origin", "main")


def test_a_long_list_of_refs_is_read_to_its_end(pair: Pair) -> None:
    head = pair.git("rev-parse", "HEAD")
    refs = "".join(f"create refs/heads/branch-{i:04}-{'x' * 100} {head}\n" for i in range(1500))
    assert pair.git.run("update-ref", "--stdin", stdin=refs).returncode == 0
    result = pair.push("origin", "--all")
    assert result.returncode == 1
    assert sum(line.startswith("soulsync:") for line in result.stderr.splitlines()) == 1500


def test_the_two_forms_of_an_ssh_address_are_one() -> None:
    assert canonical("git@host:kaoru/kaoru.soul.git") == canonical("ssh://git@host/kaoru/kaoru.soul.git")
    assert canonical("git@host:kaoru/kaoru.soul.git") != canonical("ssh://git@host:22/kaoru/kaoru.soul.git")
    assert canonical("git@host:a/b") != canonical("git@other:a/b")
    assert is_ssh("git@host:a/b.git")
    assert is_ssh("ssh://git@host:2222/a/b.git")
    for url in ("https://host/a/b.git", "file:///a/b.git", "/a/b.git", "../a", "ext::sh -c id", "a/b", "a/b:c"):
        assert not is_ssh(url)
