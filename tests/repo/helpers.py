"""A soul to try things on: trees and commits made in memory, a work tree, and the engine's own view of both."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

import pygit2

from soulsync import spec
from soulsync.repo import commit, objects, status
from soulsync.repo.commit import Author
from soulsync.repo.git import Git
from soulsync.repo.merge import TreeMerge, merge_commits
from soulsync.repo.objects import BLOB, Entry
from soulsync.repo.snapshot import Snapshot, take
from soulsync.repo.soul import Soul
from soulsync.repo.worktree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

START = 1_767_225_600
MEMORY = spec.MEMORY_MD
ID = "5b6f0a6e-0c4e-4b57-9d3c-3f1f5a1f7c11"
OTHER_ID = "0d9d2c3f-55aa-4f0e-8f0e-6f6f2b0f9a22"

Content = str | bytes | Entry | None


def identity(agent_id: str = ID, **fields: object) -> str:
    values = {"id": agent_id, "name": "kaoru", "displayName": "薰", "createdAt": "2026-01-01T00:00:00.000Z", **fields}
    return json.dumps(values, ensure_ascii=False, indent=2) + "\n"


def entries(*texts: str) -> str:
    return "\n§\n".join(texts) + "\n" if texts else ""


BASE: dict[str, Content] = {
    **spec.FIXED_FILES,
    "agent.json": identity(),
    "SOUL.md": "# 薰\n\nquiet\n",
    MEMORY: entries("A", "B", "C"),
    spec.USER_MD: entries("U"),
    "journal/.gitkeep": "",
    "notes/a.md": "# a\n\nold\n",
    "notes/b.md": "# b\n\nold\n",
    "bodies/one.json": '{\n  "body": "one"\n}\n',
}


class Lab:
    """A soul below ``folder``; ``body`` looks at its work tree."""

    def __init__(self, folder: Path, body: str = "one") -> None:
        self.root = folder / "soul 灵"
        self.root.mkdir(parents=True)
        self.body = body
        Git(self.root).run("init", "-q", "--template=", "-b", "main", extra_env={"GIT_DIR": str(self.root / ".git")})
        self.soul = Soul(self.root, folder / "engine")
        self.repo = self.soul.repo
        self.worktree = WorkTree(self.root, self.soul.staging)

    # -- trees and commits ---------------------------------------------------------------------------------------

    def entry(self, content: str | bytes | Entry, mode: int = BLOB) -> Entry:
        if isinstance(content, Entry):
            return content
        data = content.encode() if isinstance(content, str) else content
        return Entry(mode, objects.write_blob(self.repo, data))

    def tree(self, files: Mapping[str, Content], on: str | None = None) -> str:
        edits = {path: None if content is None else self.entry(content) for path, content in files.items()}
        return objects.edit(self.repo, on, edits)

    def commit(self, files: Mapping[str, Content], *parents: str, at: int = 0) -> str:
        """A commit, ``at`` seconds after the start: the first parent's tree with ``files`` set, None removed."""
        on = objects.tree_of(self.repo, parents[0]) if parents else None
        return self.commit_tree(self.tree(files, on), *parents, at=at)

    def commit_tree(self, tree: str, *parents: str, at: int = 0) -> str:
        who = pygit2.Signature("薰 (one)", "kaoru@one.local", START + at, 0)
        return str(self.repo.create_commit(None, who, who, f"at {at}", tree, list(parents)))

    def base(self, **more: Content) -> str:
        return self.commit({**BASE, **more})

    def files(self, tree: str) -> dict[str, bytes]:
        """The plain files of a tree; links and submodules by their id."""
        return {
            path: objects.read_blob(self.repo, entry.id) if entry.is_file else entry.id.encode()
            for path, entry in objects.walk(self.repo, tree)
        }

    def read(self, tree: str, path: str) -> str | None:
        data = objects.file_at(self.repo, tree, path)
        return None if data is None else data.decode("utf-8", "surrogateescape")

    def look_up(self, path: str) -> Entry | None:
        """What ``main`` holds at a path."""
        return objects.lookup(self.repo, self.main_tree(), path)

    def main_tree(self) -> str:
        return objects.tree_of(self.repo, str(self.soul.head))

    def merge(self, ours: str, theirs: str) -> TreeMerge:
        """Merge both ways; the trees must be the same."""
        result, other = merge_commits(self.soul, ours, theirs), merge_commits(self.soul, theirs, ours)
        assert result.tree == other.tree, (self.files(result.tree), self.files(other.tree))
        return result

    # -- the work tree -------------------------------------------------------------------------------------------

    def check_out(self, revision: str) -> None:
        """Let ``main``, index and work tree be ``revision``, by plain git."""
        self.git("update-ref", "refs/heads/main", revision)
        self.git("read-tree", "--reset", "-u", revision)

    def git(self, *words: str, data: bytes | None = None) -> str:
        """Plain git in the soul, which must succeed."""
        env = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        who = ("-c", "user.name=x", "-c", "user.email=x@y", "-c", "core.quotePath=false")
        done = subprocess.run(
            ["git", *who, *words],
            cwd=self.root,
            env=env,
            input=data or b"",
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, f"git {words}: {done.stdout!r}{done.stderr!r}"
        return os.fsdecode(done.stdout).rstrip("\n")

    def write(self, path: str, content: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode("utf-8", "surrogateescape")

    def status(self) -> status.Status:
        return status.read(self.soul)

    def snapshot(self) -> Snapshot:
        return take(self.soul, self.worktree, self.status(), self.body)

    def save(self) -> Snapshot:
        """Commit what a snapshot takes, like the engine does."""
        taken = self.snapshot()
        head = self.soul.head
        tree = objects.edit(self.repo, objects.tree_of(self.repo, head) if head else None, taken.edits)
        new = commit.create(self.soul, Author("薰", "kaoru", self.body), "更新", tree, [head] if head else [])
        self.soul.move_ref(spec.MAIN_REF, new, head, "test")
        self.git("read-tree", "--reset", new)
        return taken


def skipped(taken: Snapshot) -> dict[str, str]:
    return {one.path: one.reason for one in taken.skipped}
