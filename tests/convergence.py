"""Random histories of several bodies with random clocks, and what the spec says must be there in the end.

The model here is written from soul-repo-v4 alone: it knows who added and deleted which text, and nothing of how merges
are made. A body is driven in this process; its clock is set for each of its syncs, plain git gets it by variables.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import time
from typing import TYPE_CHECKING
from unittest import mock

from soulsync.body import config as config_file
from soulsync.body.home import Home
from soulsync.body.sync import SyncRun
from tests.bodies import Body, Remote, split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

YEAR = 365 * 86_400
MEMORIES = ("memories/MEMORY.md", "memories/USER.md", "memories/PROJECTS.md")
SHARED = ("notes/shared.md", "notes/深/shared.md", "SOUL.md", "own/shared.txt")
FIELDS = ("description", "pronouns", "mood")


class Model:
    """What may and what must be in the soul when all have synced, by the spec's own words."""

    def __init__(self) -> None:
        self.added: dict[str, set[str]] = {path: set() for path in MEMORIES}
        self.gone: dict[str, set[str]] = {path: set() for path in MEMORIES}
        self.sections: dict[str, set[str]] = {}
        self.own: dict[str, str | None] = {}
        self.shared: dict[str, set[str]] = {}
        self.fields: dict[str, set[str]] = {}

    def faults(self, soul: Path) -> list[str]:
        """What of the model does not hold in the folder ``soul``; nothing when all is well."""
        found: list[str] = []
        for path in MEMORIES:
            texts = split(_read(soul / path))
            wanted = self.added[path] - self.gone[path]
            found += [f"{path} lost {text!r}" for text in sorted(wanted - set(texts))]
            found += [f"{path} has {text!r} again" for text in sorted(set(texts) - wanted)]
            found += [f"{path} has {text!r} twice" for text in sorted(set(texts)) if texts.count(text) > 1]
        for path, sections in self.sections.items():
            found += [f"{path} lost {text!r}" for text in sorted(sections) if text not in _read(soul / path)]
        for path, text in self.own.items():
            held = _read(soul / path) if (soul / path).exists() else None
            found += [f"{path} is {held!r}, not {text!r}"] if held != text else []
        for path, versions in self.shared.items():
            if (soul / path).exists() and _read(soul / path) not in versions:
                found.append(f"{path} is of nobody")
        identity = json.loads(_read(soul / "agent.json"))
        for field, values in self.fields.items():
            found += [f"agent.json: {field} is of nobody"] if str(identity.get(field, "")) not in values else []
        return found


class Actor:
    """One body: what it does at random, and its clock, ``offset`` seconds from ours."""

    def __init__(self, body: Body, chance: random.Random, model: Model, *, plain: bool) -> None:
        self.body, self.chance, self.model, self.plain = body, chance, model, plain
        self.offset = chance.choice([0, 0, 1, -1, chance.randint(-YEAR, YEAR)])
        self.number = 0

    def act(self) -> None:
        acts: list[Callable[[], None]] = [
            self.add,
            self.add,
            self.edit,
            self.keep_journal,
            self.write_own,
            self.identify,
        ]
        acts += [self.write_shared, self.same_text]
        if not self.plain:
            acts += [self.forget, self.delete_file, self.delete_own, self.delete_shared, self.reorder, self.move_own]
        self.chance.choice(acts)()

    def fresh(self) -> str:
        self.number += 1
        return f"{self.body.name}-{self.number}"

    def _pick(self) -> tuple[str, list[str]]:
        path = self.chance.choice(MEMORIES)
        return path, self.body.entries(path) if self.body.exists(path) else []

    def add(self) -> None:
        path, found = self._pick()
        text = f"fact {self.fresh()} (see §{self.number})"
        found.insert(self.chance.randint(0, len(found)), text)
        self.body.set_entries(found, path)
        self.model.added[path].add(text)

    def same_text(self) -> None:
        """What several bodies learn at once; nobody ever forgets it."""
        path, found = self._pick()
        text = f"known to all {self.chance.randint(0, 2)}"
        if text not in found:
            self.body.set_entries([*found, text], path)
            self.model.added[path].add(text)

    def _mortal(self, texts: list[str]) -> list[str]:
        return [text for text in texts if not text.startswith("known to all")]

    def edit(self) -> None:
        path, found = self._pick()
        if mortal := self._mortal(found):
            old = self.chance.choice(mortal)
            new = f"{old[:40]} edited {self.fresh()}"
            self.body.set_entries([new if text == old else text for text in found], path)
            self.model.added[path].add(new)
            self.model.gone[path].add(old)

    def forget(self) -> None:
        path, found = self._pick()
        if mortal := self._mortal(found):
            gone = self.chance.choice(mortal)
            self.body.set_entries([text for text in found if text != gone], path)
            self.model.gone[path].add(gone)

    def reorder(self) -> None:
        path, found = self._pick()
        self.chance.shuffle(found)
        if found:
            self.body.set_entries(found, path)

    def delete_file(self) -> None:
        """A required file that vanishes comes back; the entries of any other one go (§4 rule 4)."""
        path, found = self._pick()
        if not self.body.exists(path) or self._mortal(found) != found:
            return
        self.body.delete(path)
        if path == MEMORIES[2]:
            self.model.gone[path].update(found)
        else:
            self.body.set_entries(found, path)

    def keep_journal(self) -> None:
        path = f"journal/{self.body.name}/2026-03-01.md"
        before = self.body.read(path) if self.body.exists(path) else f"# 2026-03-01 · {self.body.name}\n"
        title = f"section {self.fresh()}."
        minute = self.chance.randint(0, 59)
        self.body.write(path, f"{before}\n## 10:{minute:02} {title}\ntext\n")
        self.model.sections.setdefault(path, set()).add(title)

    def _own(self) -> str:
        return self.chance.choice([f"notes/{self.body.name}/own.md", f"own/{self.body.name}.txt"])

    def write_own(self) -> None:
        path, text = self._own(), f"# own\n\n{self.fresh()}\n"
        self.body.write(path, text)
        self.model.own[path] = text

    def delete_own(self) -> None:
        path = self._own()
        if self.body.exists(path):
            self.body.delete(path)
            self.model.own[path] = None

    def move_own(self) -> None:
        path, target = f"notes/{self.body.name}/own.md", f"notes/moved/{self.fresh()}.md"
        if self.body.exists(path):
            text = self.body.read(path)
            self.body.delete(path)
            self.body.write(target, text)
            self.model.own.update({path: None, target: text})

    def write_shared(self) -> None:
        path, text = self.chance.choice(SHARED), f"# shared\n\n{self.fresh()}\n"
        self.body.write(path, text)
        self.model.shared.setdefault(path, set()).add(text)

    def delete_shared(self) -> None:
        path = self.chance.choice([path for path in SHARED if path != "SOUL.md"])
        if self.body.exists(path):
            self.body.delete(path)

    def identify(self) -> None:
        field, value = self.chance.choice(FIELDS), self.fresh()
        self.body.identify(**{field: value})
        self.model.fields.setdefault(field, set()).add(value)

    # -- syncs ---------------------------------------------------------------------------------------------------

    def sync(self) -> None:
        """One sync of soulsync by this body's clock."""
        home = Home(self.body.home)
        with clock(self.offset):
            SyncRun(home, config_file.load(home)).execute()

    def sync_by_git(self) -> None:
        """What a person types; where git stops, the next real sync takes over."""
        when = f"@{int(time.time()) + self.offset} +0000"
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        self.body.git("add", "-A")
        env = self.body.env
        self.body.env = {**env, **dates}
        try:
            self.body.try_git("commit", "-q", "-m", "by hand")
            if self.body.try_git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main").returncode:
                self.body.try_git("merge", "--abort")
            self.body.try_git("push", "-q", "origin", "main")
        finally:
            self.body.env = env


@contextlib.contextmanager
def clock(offset: int) -> Iterator[None]:
    """Let this process live ``offset`` seconds ahead."""
    real, real_ns = time.time, time.time_ns

    def shifted() -> float:
        return real() + offset

    def shifted_ns() -> int:
        return real_ns() + offset * 10**9

    local = mock.patch.dict(os.environ, {"SOUL_ALLOW_LOCAL_REMOTE": "1"})
    with mock.patch("time.time", shifted), mock.patch("time.time_ns", shifted_ns), local:
        yield


class Pattern:
    """Connected bodies that stand ready to be copied: made once, since ``init`` takes longer than a whole history."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder, self.names = folder, [f"body{number}" for number in range(count)]
        remote = Remote(folder / "kaoru.soul.git")
        for name in self.names:
            remote.body(folder / name, name).init()
        for name in self.names:
            remote.body(folder / name, name).sync()

    def copy(self, folder: Path, names: list[str]) -> tuple[Remote, list[Body]]:
        """The remote and the bodies ``names`` below ``folder``."""
        for name in ("kaoru.soul.git", *names):
            shutil.copytree(self.folder / name, folder / name, symlinks=True)
            _rename(folder / name, str(self.folder), str(folder))
        remote = Remote(folder / "kaoru.soul.git", create=False)
        return remote, [remote.body(folder / name, name) for name in names]


def _rename(folder: Path, old: str, new: str) -> None:
    """Make right the files and links that name where they lie."""
    for path in [p for p in folder.rglob("*") if "objects" not in p.parts or p.is_symlink()]:
        if path.is_symlink():
            target = str(path.readlink()).replace(old, new)
            path.unlink()
            path.symlink_to(target)
        elif path.is_file() and (path.name in ("config", "config.toml") or path.parent.name in ("hooks", "state")):
            path.write_bytes(path.read_bytes().replace(old.encode(), new.encode()))


def play(pattern: Pattern, folder: Path, seed: int, *, steps: int) -> list[str]:
    """One history; what is wrong at its end, nothing when all is well."""
    chance = random.Random(seed)
    names = chance.sample(pattern.names, chance.randint(min(3, len(pattern.names)), len(pattern.names)))
    remote, bodies = pattern.copy(folder, names)
    model = Model()
    model.shared["SOUL.md"] = {bodies[0].read("SOUL.md")}
    model.fields.update({field: {str(bodies[0].identity().get(field, ""))} for field in FIELDS})
    plain = chance.choice([None, *names])
    actors = [Actor(body, chance, model, plain=body.name == plain) for body in bodies]
    for _ in range(steps):
        actor = chance.choice(actors)
        for _ in range(chance.randint(1, 4)):
            actor.act()
        if chance.random() < 0.6:
            (actor.sync_by_git if actor.plain else actor.sync)()
    for _ in range(2):
        for actor in chance.sample(actors, len(actors)):
            actor.sync()
    heads = {body.name: body.tree() for body in bodies} | {"the remote": remote.tree()}
    if len(set(heads.values())) != 1:
        return [f"apart: {heads}"]
    return model.faults(bodies[0].soul) + [f"{b.name} is not clean" for b in bodies if not b.clean()]


def _read(file: Path) -> str:
    return file.read_text("utf-8") if file.exists() else ""
