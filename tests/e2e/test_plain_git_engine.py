"""Plain git with the drivers, and soulsync's own merge of three trees: the same bytes from the same two commits."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

from soulsync.repo.install import install
from soulsync.repo.merge import merge_commits
from soulsync.repo.soul import Soul
from tests.user_git import UserGit

if TYPE_CHECKING:
    from pathlib import Path

MEMORY = "memories/MEMORY.md"
DAY = "journal/one/2026-01-01.md"
NOTES = [f"notes/天 {i}.md" for i in range(4)]
AGENT = {
    "id": "0b6d2c1e-6c1f-4a53-9a57-2f1f0f3c9d10",
    "name": "kaoru",
    "displayName": "薰",
    "a": "0",
    "b": "0",
    "c": "0",
}
Files = dict[str, "str | bytes | None"]


class Writer:
    """Changes files at random; never a deletion together with a new file, which git might take for a rename."""

    def __init__(self, git: UserGit, seed: int) -> None:
        self.git = git
        self.random = random.Random(seed)
        self.count = 0

    def text(self) -> str:
        self.count += 1
        return f"text {self.count} {self.random.random()}"

    def step(self, day: float) -> None:
        changes = [self.memory, self.journal, self.note, self.agent, self.body]
        files: Files = {}
        for change in self.random.sample(changes, self.random.randint(1, 4)):
            files |= change()
        self.git.commit(files, day)

    def memory(self) -> Files:
        entries = [e for e in self.git.read(MEMORY).removesuffix("\n").split("\n§\n") if e]
        self.random.shuffle(entries) if self.random.random() < 0.2 else None
        kept = [e for e in entries if self.random.random() > 0.2]
        kept.insert(self.random.randint(0, len(kept)), self.text())
        return {MEMORY: "\n§\n".join(kept) + "\n"}

    def journal(self) -> Files:
        time = f"{self.random.randint(0, 23):02}:{self.random.randint(0, 59):02}"
        return {DAY: self.git.read(DAY) + f"\n## {time} {self.text()}\n\n{self.text()}\n"}

    def note(self) -> Files:
        return {self.random.choice(NOTES): f"# note\n\n{self.text()}\n"}

    def agent(self) -> Files:
        fields = {**json.loads(self.git.read("agent.json")), self.random.choice("abc"): self.text()}
        return {"agent.json": json.dumps(fields, ensure_ascii=False, indent=2) + "\n"}

    def body(self) -> Files:
        seen = f"2026-01-{self.random.randint(10, 28)}T00:00:00.000Z"
        return {"bodies/one.json": json.dumps({"body": "one", "kind": "bridge", "lastSeen": seen}, indent=2) + "\n"}


def both_agree(git: UserGit, soul: Soul, ours: str, theirs: str) -> None:
    """Git's merge of ``theirs`` into ``ours`` has the engine's tree; it stays checked out."""
    git("checkout", "-q", "--detach", ours)
    one, two = git("rev-parse", ours, theirs).split()
    expected = merge_commits(soul, one, two).tree
    result = git.run("merge", "--no-edit", theirs, day=60)
    assert result.returncode == 0, result.stderr
    got = git("rev-parse", "HEAD^{tree}")
    assert got == expected, git("diff", got, expected)


@pytest.mark.parametrize("seed", range(4))
def test_random_histories(tmp_path: Path, seed: int) -> None:
    git = UserGit.init(tmp_path / "soul", tmp_path / "home")
    install(git.root, body="one")
    git("config", "core.hooksPath", "/dev/null")  # the hooks have their own tests
    first: Files = {
        MEMORY: "A\n§\nB\n§\nC\n",
        DAY: "# 2026-01-01 · one\n",
        "agent.json": json.dumps(AGENT, indent=2) + "\n",
    }
    git.commit(first | dict.fromkeys(NOTES, "# note\n\nold\n") | {"bodies/one.json": "{}\n"}, 0)
    writer = Writer(git, seed)
    soul = Soul(git.root, tmp_path / "engine")
    days = iter(sorted(writer.random.sample(range(1, 50), 12)))
    for name in ("left", "right"):
        git("checkout", "-q", "-b", name, "main")
    for _ in range(3):
        for name in ("left", "right"):
            git("checkout", "-q", name)
            writer.step(next(days))
    both_agree(git, soul, "left", "right")
    git("branch", "one")
    both_agree(git, soul, "right", "left")
    git("branch", "two")
    for _ in range(3):  # both merged the other at the same time: two merge bases from here on
        for name in ("one", "two"):
            git("checkout", "-q", name)
            writer.step(61 + next(days))
    assert len(git("merge-base", "--all", "one", "two").split()) == 2
    both_agree(git, soul, "one", "two")
    both_agree(git, soul, "two", "one")
