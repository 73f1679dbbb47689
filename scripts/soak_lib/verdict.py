"""After a kill: one plain run of the same body, a round of all, and a look at everything."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from soak_lib.scenes import MEMORY

if TYPE_CHECKING:
    from pathlib import Path

    from soak_lib.machine import World
    from soak_lib.scenes import Scene

_REASONS = ("No space left", "failed to write")
"""What an error must say of a full disk; ``git config`` only says which file it could not write (git 2.39)."""


@dataclass(slots=True)
class Verdict:
    """What is wrong, by kind; empty lists: nothing."""

    KINDS: ClassVar[tuple[str, ...]] = ("lost", "doubled", "stuck", "unsound", "apart", "unclear")

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    unsound: list[str] = field(default_factory=list)
    apart: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        return not any(getattr(self, kind) for kind in self.KINDS)

    def as_json(self) -> dict[str, list[str]]:
        return {kind: getattr(self, kind) for kind in self.KINDS if getattr(self, kind)}


def explained(code: int, said: str) -> list[str]:
    """What is wrong with how a command ended whose disk was full: exit code 0 or 1, and one line that says why."""
    errors = [line for line in said.splitlines() if line.startswith("soulsync: ")]
    if code == 0:
        return [] if "Traceback" not in said else [said]
    if code == 1 and len(errors) == 1 and any(words in errors[0] for words in _REASONS):
        return []
    return [f"{code} {said}"]


def judge(world: World, scene: Scene) -> Verdict:
    """Complete the killed run by one plain one, sync all bodies, and compare with what the scene expects."""
    verdict = Verdict()
    _complete(world, scene, verdict)
    bodies = sorted({"one", "two", scene.body})
    for body in (*(b for b in bodies if b != scene.body), scene.body, *bodies):
        code = world.run(body, "sync")
        if code != 0:
            verdict.stuck.append(f"sync of {body}: {code} {world.said()}")
    heads = {world.git(world.soul(body), "rev-parse", "HEAD").stdout for body in bodies}
    if len(heads) != 1:
        verdict.apart.append(f"{len(heads)} tips")
    for body in bodies:
        _look(world, body, scene, verdict)
    _sound(world, world.remote, verdict)
    return verdict


def _complete(world: World, scene: Scene, verdict: Verdict) -> None:
    code = world.run(scene.body, *scene.again(world))
    if code != 0:
        verdict.stuck.append(f"the next run: {code} {world.said()}")


def _look(world: World, body: str, scene: Scene, verdict: Verdict) -> None:
    expected = scene.expected
    counted = Counter(entry.strip() for entry in (world.read(body, MEMORY) or "").split("\n§\n") if entry.strip())
    verdict.lost += [f"{body}: {entry}" for entry in expected.entries if counted[entry] == 0]
    verdict.doubled += [f"{body}: {entry}" for entry, count in counted.items() if count > 1]
    allowed = {*expected.entries, *expected.maybe}
    verdict.doubled += [f"{body}: {entry} is back" for entry in counted if entry not in allowed]
    for path, texts in expected.files.items():
        standing = world.read(body, path)
        if standing is None or standing not in texts:
            verdict.lost.append(f"{body}: {path} holds {standing!r}")
        verdict.lost += [f"{body}: {path} of old" for text in texts if not _in_history(world, body, path, text)]
    verdict.doubled += [f"{body}: {path} is back" for path in expected.gone if world.read(body, path) is not None]
    _clean(world, body, verdict)
    _sound(world, world.soul(body), verdict)


def _in_history(world: World, body: str, path: str, text: str) -> bool:
    soul = world.soul(body)
    blobs = world.git(soul, "log", "--format=", "--raw", "--no-abbrev", "-m", "--root", "--", path).stdout
    (world.root / "blob").write_text(text, "utf-8")
    return world.git(soul, "hash-object", str(world.root / "blob")).stdout.strip() in blobs


def _clean(world: World, body: str, verdict: Verdict) -> None:
    soul = world.soul(body)
    said = world.git(soul, "status", "--porcelain").stdout
    if said:
        verdict.unsound.append(f"{body}: not clean: {said}")
    state = soul.parent / "state"
    left = [p for p in (*(soul / ".git").rglob("*.lock"), *(state / "git").rglob("*.lock")) if p.is_file()]
    left += [*state.glob("checkout.json"), *state.glob(".*.tmp")]
    verdict.unsound += [f"{body}: left behind: {p.relative_to(soul.parent)}" for p in left]
    committed = {p.name for p in soul.glob("bodies/*.json")}
    odd = [p.name for p in soul.glob("bodies/*.json") if json.loads(p.read_bytes())["body"] != p.stem]
    if odd or not committed:
        verdict.unsound.append(f"{body}: registry {odd}")


def _sound(world: World, repository: Path, verdict: Verdict) -> None:
    done = world.git(repository, "fsck", "--full", "--no-dangling", "--no-progress")
    if done.returncode != 0:
        verdict.unsound.append(f"fsck of {repository.name}: {done.stderr or done.stdout}")
