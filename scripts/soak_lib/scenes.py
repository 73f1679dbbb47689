"""What happens on two bodies before one of them is killed, and what must be true afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soak_lib.machine import AGENT, World

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MEMORY = "memories/MEMORY.md"
DAY_ONE, DAY_TWO = "journal/one/2026-01-01.md", "journal/two/2026-01-01.md"
START = ("likes tea", "has a cat", "lives in Kyoto", "§ is a sign, see §3")


@dataclass(frozen=True, slots=True)
class Expected:
    """What both bodies must hold in the end.

    ``entries`` each exactly once, ``maybe`` at most once; ``files``: the texts of which a path holds one, the others
    being in its history; ``gone``: paths that somebody deleted.
    """

    entries: tuple[str, ...]
    files: dict[str, tuple[str, ...]] = field(default_factory=dict)
    gone: tuple[str, ...] = ()
    maybe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """``prepare`` makes a world ready; ``body`` then runs ``words`` and is killed; ``again`` is what completes it."""

    name: str
    prepare: Callable[[World], None]
    body: str
    words: Callable[[World], tuple[str, ...]]
    expected: Expected
    again: Callable[[World], tuple[str, ...]] = lambda _: ("sync",)


def memory(*entries: str) -> str:
    """A memories file."""
    return "\n§\n".join(entries) + "\n"


def day(*sections: str) -> str:
    """A journal file with a section for each word."""
    return "# 2026-01-01\n" + "".join(f"\n## 0{n}:00 {s}\n\ntext of {s}\n" for n, s in enumerate(sections))


def base(root: Path) -> World:
    """Two bodies in step, with memories, notes and a journal."""
    world = World.new(root)
    must(world, "one", "init", str(world.remote), "--body", "one", "--agent", AGENT)
    files = {f"notes/{name}.md": f"# {name}\n\nold\n" for name in ("keep", "both", "gone1", "gone2", "deep/er")}
    world.write("one", {MEMORY: memory(*START), DAY_ONE: day("morning"), **files, "notes/x": "a file\n"})
    must(world, "one", "sync")
    must(world, "two", "init", str(world.remote), "--body", "two", "--agent", AGENT)
    must(world, "one", "sync")
    must(world, "two", "sync")
    return world


def must(world: World, body: str, *words: str) -> None:
    code = world.run(body, *words)
    if code != 0:
        raise RuntimeError(f"{words} of {body} ended with {code}: {world.said()}")


_OURS = {
    MEMORY: memory(*START, "from two"),
    DAY_TWO: day("evening"),
    "notes/both.md": "# both\n\nby two\n",
    "notes/two.md": "# two\n",
}
_THEIRS = {
    MEMORY: memory("from one", *START),
    DAY_ONE: day("morning", "noon"),
    "notes/both.md": "# both\n\nby one\n",
    "notes/one.md": "# one\n",
}
_FILES = {
    "notes/keep.md": ("# keep\n\nold\n",),
    "notes/two.md": ("# two\n",),
    DAY_TWO: (day("evening"),),
}
_BOTH = {
    **_FILES,
    "notes/both.md": ("# both\n\nby two\n", "# both\n\nby one\n"),
    "notes/one.md": ("# one\n",),
    DAY_ONE: (day("morning", "noon"),),
}
_GONE = ("notes/gone1.md", "notes/gone2.md", "notes/deep/er.md")


def _push(world: World) -> None:
    world.write("two", _OURS)


def _merge(world: World) -> None:
    world.write("one", _THEIRS)
    must(world, "one", "sync")
    world.write("two", _OURS)


def _deletions(world: World) -> None:
    gone: dict[str, str | None] = {"notes/gone1.md": None, "notes/x": None, "notes/deep/er.md": None}
    world.write("one", {**_THEIRS, **gone, MEMORY: memory("from one", *START[1:])})
    world.write("one", {"notes/x/inside.md": "a folder now\n", "notes/deep": "a file now\n"})
    must(world, "one", "sync")
    world.write("two", {**_OURS, "notes/gone2.md": None, MEMORY: memory(*START[:2], START[3], "from two")})


def _local(world: World) -> None:
    must(world, "three", "init", "--agent", AGENT, "--body", "three")
    world.write("three", {MEMORY: memory("from three", START[0]), "notes/three.md": "# three\n"})
    must(world, "three", "sync")
    world.write("three", {"notes/later.md": "# later\n"})


def _nothing(_world: World) -> None:
    """The world is ready as it is."""


def _sync(_world: World) -> tuple[str, ...]:
    return ("sync",)


def _init(world: World) -> tuple[str, ...]:
    return ("init", str(world.remote), "--body", "three", "--agent", AGENT)


def _set(world: World) -> tuple[str, ...]:
    return ("remote", "set", str(world.remote))


_ALL = (*START, "from one", "from two")
_OLD = {"notes/keep.md": ("# keep\n\nold\n",), DAY_ONE: (day("morning"),), "notes/x": ("a file\n",)}
_THREE = {**_OLD, "notes/three.md": ("# three\n",), "notes/later.md": ("# later\n",)}
_MOVED = {**_BOTH, "notes/x/inside.md": ("a folder now\n",), "notes/deep": ("a file now\n",)}

SCENES = (
    Scene("push", _push, "two", _sync, Expected((*START, "from two"), {**_OLD, **_FILES})),
    Scene("merge", _merge, "two", _sync, Expected(_ALL, _BOTH)),
    Scene("deletions", _deletions, "two", _sync, Expected((START[1], START[3], "from one", "from two"), _MOVED, _GONE)),
    Scene("lease", _merge, "two", lambda _: ("lease", "acquire"), Expected(_ALL, _BOTH)),
    Scene("init", _nothing, "three", _init, Expected(START, _OLD), _init),
    Scene("first sync", _local, "three", _set, Expected((*START, "from three"), _THREE), _set),
    Scene("add", _merge, "two", lambda _: ("memory", "add", "added"), Expected(_ALL, _BOTH, maybe=("added",))),
)
