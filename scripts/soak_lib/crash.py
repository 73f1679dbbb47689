"""Strike one command wherever it writes, renames or starts a program; then look what one plain sync makes of it.

It is killed there with all its children, or from there on its disk is full.
"""

from __future__ import annotations

import random
import re
import shutil
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from soak_lib import machine, scenes
from soak_lib.verdict import Verdict, explained, judge

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from soak_lib.machine import World
    from soak_lib.scenes import Scene
    from soak_lib.tracer import Traced


KILLED, FULL = "killed", "full"
_BY_NAME = {scene.name: scene for scene in scenes.SCENES}


@dataclass(frozen=True, slots=True)
class Point:
    """One strike: the ``call``-th counted system call of the scene called ``scene``, and ``how`` it is struck there."""

    scene: str
    call: int
    how: str


@dataclass(slots=True)
class Outcome:
    """Where the strike fell (empty: the command had ended before), and what is wrong afterwards."""

    point: Point
    where: str
    verdict: Verdict
    seconds: float = 0.0


@dataclass(slots=True)
class Templates:
    """A world made ready for each scene, and how many ``calls`` it has at which it can be struck."""

    folder: Path
    how: str
    calls: dict[str, int] = field(default_factory=dict)

    def make(self, names: list[str]) -> None:
        base = scenes.base(self.folder / "base")
        for name in names:
            scene = _BY_NAME[name]
            world = base.copy(self.folder / name)
            scene.prepare(world)
            whole = world.copy(self.folder / f"{name}-whole")
            traced = _strike(whole, scene, 0, self.how)
            if traced.code != 0:
                raise RuntimeError(f"{name} ended with {traced.code}: {whole.said()}")
            self.calls[name] = traced.calls if self.how == KILLED else traced.writes
            shutil.rmtree(whole.root)

    def points(self, most: int, seed: int) -> list[Point]:
        """Points of every scene, spread evenly; each at most once."""
        chooser = random.Random(seed)
        chosen: list[Point] = []
        total = sum(self.calls.values())
        for name, calls in self.calls.items():
            share = calls if most >= total else max(1, round(most * calls / total))
            calls_ = sorted(chooser.sample(range(1, calls + 1), min(share, calls)))
            chosen += [Point(name, call, self.how) for call in calls_]
        return chosen


def _strike(world: World, scene: Scene, call: int, how: str) -> Traced:
    act = world.killed if how == KILLED else world.without_room
    return act(scene.body, scene.words(world), call)


def one_point(folder: str, point: Point) -> Outcome:
    """Strike at one point, run the same body once more, let all bodies sync, and judge."""
    started = time.monotonic()
    scene = _BY_NAME[point.scene]
    root = Path(tempfile.mkdtemp(prefix="point-", dir=folder)) / "world"
    world = machine.World(Path(folder) / point.scene).copy(root)
    try:
        traced = _strike(world, scene, point.call, point.how)
        unclear = explained(traced.code, world.said()) if traced.where and point.how == FULL else []
        verdict = judge(world, scene) if traced.where else Verdict()
        verdict.unclear = unclear
        return Outcome(point, traced.where, verdict, time.monotonic() - started)
    finally:
        shutil.rmtree(root.parent)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """The soak with ``how``, ``points``, ``seed``, ``jobs`` and ``only`` (names of scenes); its figures."""
    started = time.monotonic()
    machine.preload()
    folder = Path(tempfile.mkdtemp(prefix="soak-crash-"))
    try:
        templates = Templates(folder, options.how)
        templates.make(options.only or list(_BY_NAME))
        points = templates.points(options.points, options.seed)
        outcomes = list(_outcomes(folder, points, options.jobs))
    finally:
        shutil.rmtree(folder)
    struck = [outcome for outcome in outcomes if outcome.where]
    return {
        "points": len(points),
        options.how: len(struck),
        "calls": templates.calls,
        "scenes": dict(Counter(outcome.point.scene for outcome in struck)),
        "places": len({_kind(outcome.where) for outcome in struck}),
        **{kind: sum(bool(getattr(o.verdict, kind)) for o in struck) for kind in Verdict.KINDS},
        "longest_seconds": round(max((o.seconds for o in struck), default=0), 1),
        "seconds": round(time.monotonic() - started, 1),
        "faults": [
            {"scene": o.point.scene, "call": o.point.call, "where": o.where, **o.verdict.as_json()}
            for o in struck
            if not o.verdict.good
        ],
    }


def _outcomes(folder: Path, points: list[Point], jobs: int) -> Iterator[Outcome]:
    if jobs == 1:
        yield from (one_point(str(folder), point) for point in points)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(one_point, [str(folder)] * len(points), points)


def _kind(where: str) -> str:
    return re.sub(r"/\S*", "", where)
