"""Many rounds of changes of every kind on several bodies at once: one tree at the end, and nothing lost."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.bodies import REPO, Body, assert_in_step, in_turn, over_ssh

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.bodies import Remote
    from tests.servers import EmbeddedServer, OpenSSHServer


class Agent:
    """Somebody who changes things at random on one body and remembers what must be there in the end."""

    def __init__(self, body: Body, chance: random.Random) -> None:
        self.body, self.chance = body, chance
        self.number = 0
        self.added: set[str] = set()
        self.sections: set[str] = set()

    def act(self, forgotten: set[str]) -> None:
        """Three random changes; what is deleted goes into ``forgotten``."""
        acts: list[Callable[[set[str]], None]] = [
            self.add, self.add, self.forget, self.edit, self.write_note, self.move_note, self.delete_note,
            self.keep_journal, self.change_identity, self.change_soul, self.write_extra,
        ]  # fmt: skip
        for act in self.chance.sample(acts, 3):
            act(forgotten)

    def fresh(self) -> str:
        self.number += 1
        return f"{self.body.name} {self.number}"

    def add(self, _: set[str]) -> None:
        text = f"fact {self.fresh()} (see §{self.number})"
        path = self.chance.choice(["memories/MEMORY.md", "memories/USER.md"])
        found = self.body.entries(path)
        found.insert(self.chance.randint(0, len(found)), text)
        self.body.set_entries(found, path)
        self.added.add(text)

    def forget(self, forgotten: set[str]) -> None:
        if found := self.body.entries():
            gone = self.chance.choice(found)
            self.body.forget(gone)
            forgotten.add(gone)

    def edit(self, forgotten: set[str]) -> None:
        if found := self.body.entries():
            old = self.chance.choice(found)
            new = f"{old} edited by {self.fresh()}"
            self.body.replace(old, new)
            forgotten.add(old)
            self.added.add(new)

    def _note(self) -> str | None:
        found = sorted(str(p.relative_to(self.body.soul)) for p in (self.body.soul / "notes").rglob("*.md"))
        return self.chance.choice(found) if found else None

    def write_note(self, _: set[str]) -> None:
        name = self.chance.choice(["shared", "计划", "deep/er/one", f"own {self.body.name}"])
        self.body.write(f"notes/{name}.md", f"# {name}\n\n{self.fresh()}\n")

    def move_note(self, _: set[str]) -> None:
        if note := self._note():
            target = self.body.soul / "notes" / "moved" / f"{self.fresh()}.md"
            target.parent.mkdir(parents=True, exist_ok=True)
            (self.body.soul / note).rename(target)

    def delete_note(self, _: set[str]) -> None:
        if note := self._note():
            self.body.delete(note)

    def keep_journal(self, _: set[str]) -> None:
        path = f"journal/{self.body.name}/2026-03-01.md"
        before = self.body.read(path) if self.body.exists(path) else f"# 2026-03-01 · {self.body.name}\n"
        title = f"section {self.fresh()}"
        self.body.write(path, f"{before}\n## {self.number // 60:02}:{self.number % 60:02} {title}\ntext\n")
        self.sections.add(title)

    def change_identity(self, _: set[str]) -> None:
        self.body.identify(**{self.chance.choice(["description", "color", "pronouns", "mood"]): self.fresh()})

    def change_soul(self, _: set[str]) -> None:
        self.body.write("SOUL.md", f"# kaoru\n\n{self.fresh()}\n")

    def write_extra(self, _: set[str]) -> None:
        self.body.write(f"own/{self.chance.choice('ab')}.txt", f"{self.fresh()}\n")


def play(bodies: list[Body], seed: int, rounds: int) -> None:
    """Rounds in which all act before any syncs; each syncs in a random order, some not at all."""
    chance = random.Random(seed)
    agents = [Agent(body, chance) for body in bodies]
    forgotten: set[str] = set()
    for _ in range(rounds):
        for agent in agents:
            agent.act(forgotten)
        for agent in chance.sample(agents, chance.randint(1, len(agents))):
            agent.body.sync()
    in_turn(*bodies)
    assert_in_step(*bodies)
    found = {text for path in ("memories/MEMORY.md", "memories/USER.md") for text in bodies[0].entries(path)}
    added = {text for agent in agents for text in agent.added}
    assert added - forgotten - found == set()
    assert found <= added
    for agent in agents:
        path = f"journal/{agent.body.name}/2026-03-01.md"
        journal = bodies[0].read(path) if bodies[0].exists(path) else ""
        assert [title for title in agent.sections if title not in journal] == []
    assert "<<<<<<<" not in bodies[0].git("grep", "-h", "-e", "", "HEAD")
    bodies[0].git("fsck", "--strict", "--no-dangling")


def test_three_bodies(embedded: EmbeddedServer, tmp_path: Path) -> None:
    embedded.create(REPO)
    bodies = [over_ssh(embedded, tmp_path / name, name) for name in ("one", "two", "three")]
    play(bodies, seed=embedded.port, rounds=10)


def test_two_bodies_and_openssh(openssh: OpenSSHServer, tmp_path: Path) -> None:
    openssh.create(REPO)
    play([over_ssh(openssh, tmp_path / name, name) for name in ("one", "two")], seed=openssh.port, rounds=3)


def test_one_of_them_is_run_by_plain_git(one: Body, two: Body) -> None:
    """Rounds in which one body's person types pull and push; where git stops, soulsync takes over."""
    chance = random.Random(7)
    agents = [Agent(body, chance) for body in (one, two)]
    forgotten: set[str] = set()
    for _ in range(6):
        for agent in agents:
            agent.act(forgotten)
        two.sync()
        one.git("add", "-A")
        one.try_git("commit", "-q", "-m", "by hand")
        if one.try_git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main").returncode:
            one.try_git("merge", "--abort")
            one.sync()
        one.try_git("push", "-q", "origin", "main")
    in_turn(one, two)
    assert_in_step(one, two)
    found = {text for path in ("memories/MEMORY.md", "memories/USER.md") for text in one.entries(path)}
    assert {text for agent in agents for text in agent.added} - forgotten - found == set()


def test_criss_cross(one: Body, two: Body, remote: Remote) -> None:
    """Both merge the other's commit at once, to the same tree; the merge of the two merges has two bases."""
    one.set_entries(["base"])
    in_turn(one, two)
    for body in (one, two):
        body.remember(f"from {body.name}")
        body.write("notes/same.md", f"# same\n\nby {body.name}\n")
        body.git("add", "-A")
        body.git("commit", "-q", "-m", "step")
    for here, there in ((one, two), (two, one)):
        here.git("fetch", "-q", str(there.soul), "main:refs/heads/other")
    for body in (one, two):
        body.git("merge", "-q", "--no-edit", "other")
    assert one.tree() == two.tree()
    for body in (one, two):
        body.git("branch", "-q", "-D", "other")
        body.replace("base", f"base, edited by {body.name}")
        body.write("notes/same.md", f"# same\n\nagain by {body.name}\n")
    in_turn(one, two)
    assert_in_step(one, two)
    wanted = ["base, edited by one", "base, edited by two", "from one", "from two"]
    assert sorted(one.entries()) == wanted
