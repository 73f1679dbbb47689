"""What a program of this machine can do to a soul's folder: nothing of it runs, is followed, or waits for ever."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.hostile import Attacker, Watched, bounded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.bodies import Body, Remote
    from tests.hostile import Measured

    Trap = Callable[["Ground"], None]

HOOKS = (
    "pre-commit",
    "post-commit",
    "reference-transaction",
    "post-checkout",
    "pre-push",
    "post-index-change",
    "post-merge",
)
PROGRAMS = (
    "core.sshCommand", "core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.gitProxy", "diff.external",
    "core.alternateRefsCommand", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "gpg.program",
    "diff.evil.textconv", "merge.evil.driver", "remote.origin.uploadpack", "remote.origin.receivepack",
    "uploadpack.packObjectsHook", "credential.helper",
)  # fmt: skip


class Ground:
    """A body with a memory of its own and one of another body on its way, and a folder outside with something in it."""

    def __init__(self, body: Body, remote: Remote, folder: Path) -> None:
        self.body, self.remote, self.outside = body, remote, folder / "outside"
        self.git = body.soul / ".git"
        self.outside.mkdir()
        (self.outside / "victim").write_text("precious\n")
        (self.outside / "cut.part").write_text("precious\n")
        body.remember("mine")
        Attacker(remote).put({"memories/USER.md": b"theirs\n", "notes/theirs.md": b"# theirs\n"})

    @property
    def ran(self) -> Path:
        return self.outside / "ran"

    def run(self, *words: str) -> Measured:
        watched = Watched(self.outside)
        done = bounded(self.body, *words)
        watched.assert_untouched()
        return done

    def goes_on(self) -> Measured:
        done = self.run("sync", "--json")
        assert done.code == 0, done.err
        return done

    def brings_and_sends(self) -> None:
        self.goes_on()
        assert self.body.read("notes/theirs.md") == "# theirs\n"
        assert "mine" in self.remote.git("show", "main:memories/MEMORY.md")

    def is_refused(self, place: str) -> None:
        before = self.remote.head()
        done = self.run("sync", "--json")
        assert done.code == 3, done
        assert place in done.err
        assert self.remote.head() == before
        assert self.body.entries() == ["mine"]
        assert self.run("status").code == 3

    def link(self, name: str, to: str = "victim") -> None:
        """Put a link in the place of a file or folder of ``.git``."""
        path = self.git / name
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        path.symlink_to(self.outside / to if to else self.outside)

    def pipe(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        os.mkfifo(path)


@pytest.fixture
def ground(one: Body, remote: Remote, tmp_path: Path) -> Iterator[Ground]:
    found = Ground(one, remote, tmp_path)
    yield found
    assert not found.ran.exists()


def test_no_setting_of_the_soul_runs_a_program_or_leads_elsewhere(ground: Ground) -> None:
    hooks = ground.outside / "hooks"
    hooks.mkdir()
    for name in HOOKS:
        (hooks / name).write_text(f"#!/bin/sh\ntouch {ground.ran}\n")
        (hooks / name).chmod(0o755)
    (ground.outside / "included").write_text(f"[core]\n\tfsmonitor = touch {ground.ran}\n")
    for key in PROGRAMS:
        ground.body.git("config", "--add", key, f"touch {ground.ran}; false")
    others = {
        "core.hooksPath": str(hooks), "url.file:///nowhere/.insteadOf": "/", "include.path": f"{ground.outside}/included",  # noqa: E501
        "alias.status": f"!touch {ground.ran}", "alias.merge-base": f"!touch {ground.ran}", "core.worktree": "/",
        "extensions.partialClone": "origin", "remote.origin.promisor": "true",
    }  # fmt: skip
    for key, value in others.items():
        ground.body.git("config", "--file", str(ground.git / "config"), "--add", key, value)
    rules = "* filter=evil diff=evil merge=evil\n"
    ground.body.write(".gitattributes", ground.body.read(".gitattributes") + rules)
    (ground.git / "info/attributes").write_text(rules)
    done = ground.run("sync", "--no-push", "--json")
    assert done.code in (0, 1)
    done = ground.run("sync", "--json")
    assert "mine" in ground.remote.git("show", "main:memories/MEMORY.md")
    assert ground.body.read("notes/theirs.md") == "# theirs\n"


def test_a_config_that_git_cannot_read_stops_no_sync(ground: Ground) -> None:
    (ground.git / "config").write_bytes(b"\xff\x00[[[")
    assert ground.run("sync", "--json").code == 1  # the drivers for plain git could not be put right
    assert "mine" in ground.remote.git("show", "main:memories/MEMORY.md")
    assert ground.body.read("notes/theirs.md") == "# theirs\n"


@pytest.mark.parametrize("name", ["index", "objects/info/alternates"])
def test_a_pipe_in_the_git_directory_is_refused(name: str, ground: Ground) -> None:
    ground.pipe(ground.git / name)
    ground.is_refused(name)


@pytest.mark.parametrize("name", ["index", "logs/HEAD"])
def test_a_link_in_the_git_directory_is_refused(name: str, ground: Ground) -> None:
    ground.link(name)
    ground.is_refused(name)


@pytest.mark.parametrize("name", ["logs"])
def test_a_link_in_the_place_of_a_folder_of_git_is_refused(name: str, ground: Ground) -> None:
    ground.link(name, "")
    ground.is_refused(name)


@pytest.mark.parametrize(("name", "text"), [("commondir", "{}"), ("objects/info/alternates", "{}\n/dev/zero\n")])
def test_another_repository_behind_this_one_is_refused(name: str, text: str, ground: Ground) -> None:
    (ground.git / "objects/info").mkdir(exist_ok=True)
    (ground.git / name).write_text(text.format(ground.outside))
    ground.is_refused(name)


def test_the_whole_git_directory_moved_away_behind_a_link_is_refused(ground: Ground) -> None:
    ground.git.rename(ground.outside / "moved")
    ground.git.symlink_to(ground.outside / "moved")
    ground.is_refused(".git")


@pytest.mark.parametrize("name", ["soulsync", "soulsync-writing"])
def test_nothing_is_staged_or_swept_behind_a_link(name: str, ground: Ground) -> None:
    ground.link(name, "")
    ground.brings_and_sends()
    ground.run("memory", "add", "one more")


def forged(ground: Ground) -> None:
    head = ground.body.head()
    (ground.git / "info/grafts").write_text(head + "\n")
    (ground.git / "shallow").write_text(head + "\n")
    (ground.git / "objects/info").mkdir(exist_ok=True)
    (ground.git / "objects/info/commit-graph").write_bytes(b"CGPH no graph")
    (ground.git / "refs/replace").mkdir()
    (ground.git / "refs/replace" / head).write_text(head + "\n")


def test_forged_history_beside_the_objects_is_not_read(ground: Ground) -> None:
    forged(ground)
    ground.brings_and_sends()


@pytest.mark.parametrize("path", ["agent.json", "locks/consolidation.json", "bodies/x.json"])
def test_a_pipe_in_the_work_tree_is_left_alone(path: str, ground: Ground) -> None:
    ground.pipe(ground.body.soul / path)
    ground.brings_and_sends()
    for words in (("status", "--json"), ("bodies",), ("memory", "list"), ("lease", "status")):
        assert ground.run(*words).code in (0, 1)


def test_a_pipe_that_git_itself_reads_is_named(ground: Ground) -> None:
    ground.pipe(ground.body.soul / "notes/.gitignore")
    done = ground.run("sync", "--json")
    assert done.code == 3
    assert "notes/.gitignore" in done.err


def test_memories_behind_a_link_are_neither_read_nor_written(ground: Ground) -> None:
    memory = ground.body.soul / "memories/MEMORY.md"
    memory.unlink()
    memory.symlink_to(ground.outside / "victim")
    assert {"path": "memories/MEMORY.md", "reason": "symlink"} in ground.goes_on().result["skipped"]  # type: ignore[operator]
    assert ground.run("memory", "add", "through the link").code == 1
    assert "precious" not in ground.remote.git("show", "main:memories/MEMORY.md")


def test_a_folder_behind_a_link_is_no_folder_of_the_soul(ground: Ground) -> None:
    (ground.outside / "MEMORY.md").write_text("precious\n")
    (ground.body.soul / "memories").rename(ground.body.folder / "old")
    (ground.body.soul / "memories").symlink_to(ground.outside)
    ground.goes_on()
    assert "precious" not in ground.remote.git("show", "main:memories/MEMORY.md")


def test_links_in_a_circle_and_folders_without_end(ground: Ground) -> None:
    notes = ground.body.soul / "notes"
    (notes / "loop").symlink_to(".")
    (notes / "self").symlink_to("self")
    deep = notes / "/".join("d" * 300)
    deep.mkdir(parents=True)
    (deep / "f.md").write_text("# deep\n")
    reasons = [one["reason"] for one in ground.goes_on().result["skipped"]]  # type: ignore[attr-defined]
    assert sorted(reasons) == ["symlink", "symlink", "unportable"]
    ground.brings_and_sends()
