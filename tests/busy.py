"""A program that reads a memories file, thinks, and writes it back, without any lock, while syncs replace the file.

Run by itself it is that program; ``beside`` lets syncs run beside it and tells what is missing in the end (§4 rule 13).
"""

from __future__ import annotations

import json
import os
import random
import select
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.bodies import Body

MODES = ("in place", "rename")
SEPARATOR = "\n§\n"
OLDEST = 0.1
"""Seconds that a text may be old when it is written back; older, and the program reads again."""


@dataclass(slots=True)
class Figures:
    """What came of it. ``late``: writes that the system delayed beyond the limit; ``joined``: what syncs put right."""

    syncs: int = 0
    failed: list[str] = field(default_factory=list)
    written: int = 0
    late: int = 0
    per_second: float = 0.0
    joined: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    back: list[str] = field(default_factory=list)


def beside(one: Body, two: Body, mode: str, syncs: int, seed: int) -> Figures:
    """``syncs`` syncs of ``one`` beside the writer, each with new memories of ``two`` that came in between."""
    chance, figures, wanted, gone = random.Random(seed), Figures(), {"base"}, set[str]()
    one.set_entries(["base"])
    one.sync()
    two.sync()
    path = str(one.soul / "memories/MEMORY.md")
    argv = [sys.executable, __file__, path, mode, str(seed)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        for number in range(syncs):
            _change(two, chance, number, wanted, gone)
            two.sync()
            done = one.run("sync", "--json")
            if done.returncode != 0:
                figures.failed.append(done.stderr.strip())
            figures.joined += done.stdout.count("both were joined")
        said, _ = writer.communicate("stop\n", timeout=60)
    told: dict[str, Any] = json.loads(said)
    for body in (one, two, one, two):
        body.sync()
    wanted |= {f"written {n}" for n in range(told["written"])}
    figures.syncs, figures.written, figures.late = syncs, told["written"], told["late"]
    figures.per_second = round(told["written"] / told["seconds"], 1)
    held = one.entries()
    assert held == two.entries()
    figures.lost, figures.back = sorted(wanted - set(held)), sorted(gone & set(held))
    figures.doubled = sorted({text for text in held if held.count(text) > 1})
    return figures


def _change(two: Body, chance: random.Random, number: int, wanted: set[str], gone: set[str]) -> None:
    """Add a memory on ``two``; now and then edit or forget one that it added before."""
    two.remember(f"incoming {number}")
    wanted.add(f"incoming {number}")
    before = sorted(text for text in wanted if text.startswith("incoming ") and text != f"incoming {number}")
    what = chance.choice(["add", "add", "edit", "forget"])
    if what == "add" or not before:
        return
    old = chance.choice(before)
    wanted.discard(old)
    gone.add(old)
    if what == "forget":
        two.forget(old)
    else:
        two.replace(old, f"{old}, edited")
        wanted.add(f"{old}, edited")


def _write(path: str, mode: str, entries: list[str]) -> None:
    text = SEPARATOR.join(entries) + "\n"
    with open(path + ".tmp" if mode == "rename" else path, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(text)
    if mode == "rename":
        os.replace(path + ".tmp", path)  # noqa: PTH105


def _main(path: str, mode: str, seed: str) -> None:
    chance, number, late, started = random.Random(int(seed)), 0, 0, time.monotonic()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while not select.select([sys.stdin], [], [], 0)[0]:
        read = time.monotonic()
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            entries = [text.strip() for text in file.read().split(SEPARATOR) if text.strip()]
        time.sleep(chance.uniform(0, 0.9 * OLDEST))
        if time.monotonic() - read > OLDEST:
            continue
        _write(path, mode, [*entries, f"written {number}"])
        number += 1
        late += time.monotonic() - read > OLDEST
    sys.stdout.write(json.dumps({"written": number, "late": late, "seconds": time.monotonic() - started}))


if __name__ == "__main__":
    _main(*sys.argv[1:])
