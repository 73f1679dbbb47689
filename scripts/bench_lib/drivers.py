"""``git merge`` with our drivers beside the same with a driver that does nothing: one process for each file."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from bench_lib.clock import Sample, alternating, timed
from bench_lib.figure import Figure
from bench_lib.world import World, commit, git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bench_lib.figure import Row

FILES = 300
IDLE = f"{sys.executable} -I -S -c pass %O %A %B"


def _memories(side: str, number: int) -> str:
    return "".join(f"fact {n} of {number}\n§\n" for n in range(20)) + f"of {side}\n"


def _identity(side: str, number: int) -> str:
    names = {"base": ("Kaoru", ""), "ours": ("Kaoru of ours", ""), "theirs": ("Kaoru", "a helper")}
    display, description = names[side]
    fields = {"id": f"6f1f1f0e-3c1a-4b52-9d0e-{number:012d}", "name": "kaoru", "displayName": display}
    rest = {"pronouns": "", "description": description, "color": "#7C6CF2", "language": "en"}
    return json.dumps({**fields, **rest, "createdAt": "2026-01-01T00:00:00.000Z"}, indent=2) + "\n"


def _note(side: str, number: int) -> str:
    return f"# note {number}\n\nwritten by {side}\n"


KINDS: dict[str, tuple[str, str, Callable[[str, int], str], float]] = {
    "driver-entries": ("soul-entries", "memories/m{}.md", _memories, 1.35),
    "driver-agent": ("soul-agent", "agents/a{}.json", _identity, 2.2),
    "driver-newest": ("soul-newest", "notes/n{}.md", _note, 2.2),
}


def entries(world: World, rounds: int, files: int = FILES) -> Iterator[Row]:
    """Memories."""
    yield _figure(world, rounds, files, "driver-entries")


def agent(world: World, rounds: int, files: int = FILES) -> Iterator[Row]:
    """Files like ``agent.json``."""
    yield _figure(world, rounds, files, "driver-agent")


def newest(world: World, rounds: int, files: int = FILES) -> Iterator[Row]:
    """Files of which the newer one wins."""
    yield _figure(world, rounds, files, "driver-newest")


def _figure(world: World, rounds: int, files: int, name: str) -> Row:
    rule, pattern, text, target = KINDS[name]
    clone = world.folder / name
    _conflicting(world, clone, files, pattern, text)
    attributes = f"{pattern.format('*')} merge={{}}\n"

    def merge(driver: str) -> Sample:
        (clone / ".git" / "info" / "attributes").write_text(attributes.format(driver), "utf-8")
        git(clone, "reset", "-q", "--hard", "start")
        argv = ["git", "-c", "core.hooksPath=/dev/null", "merge", "-q", "--no-edit", "theirs"]
        return timed(argv, cwd=clone, env=world.soul().plain.env)

    reference, ours = alternating(rounds, lambda: merge("idle"), lambda: merge(rule))
    what = f"git merge, {files} conflicting files of {rule}, per file"
    return Figure(name, what, "a driver that runs python -I -S -c pass", target, reference, ours, per=files)


def _conflicting(world: World, clone: Path, files: int, pattern: str, text: Callable[[str, int], str]) -> None:
    """A clone with our drivers, and two branches that both changed each of the files."""
    git(world.folder, "clone", "-q", str(world.soul().remote), str(clone))
    done = world.soul().ours.soulsync("install", "--repo", str(clone))
    if done.returncode:
        raise RuntimeError(done.stderr)
    git(clone, "config", "merge.idle.driver", IDLE)
    git(clone, "config", "core.hooksPath", "/dev/null")
    for side in ("base", "ours", "theirs"):
        git(clone, "checkout", "-q", "-b", side, *(["base"] if side != "base" else []))
        commit(clone, {pattern.format(n): text(side, n) for n in range(files)})
    git(clone, "checkout", "-q", "ours")
    git(clone, "tag", "start")
