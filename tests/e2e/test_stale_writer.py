"""A program that reads a memories file, thinks, and writes it back, while syncs replace the file (§4 rule 13)."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.bodies import in_turn

if TYPE_CHECKING:
    from tests.bodies import Body

WRITER = """\
import os, sys, time
path, mode, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
for number in range(count):
    text = open(path, encoding="utf-8").read()
    time.sleep(0.1)
    entries = [e for e in text.split("\\n§\\n") if e.strip()]
    text = "\\n§\\n".join(e.strip() for e in [*entries, f"written {number}"]) + "\\n"
    if mode == "rename":
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".tmp", path)
    else:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    time.sleep(0.05)
"""


@pytest.mark.parametrize("mode", ["rename", "in place"])
def test_nothing_is_lost_beside_a_busy_writer(mode: str, one: Body, two: Body) -> None:
    one.set_entries(["base"])
    in_turn(one, two, rounds=1)
    argv = [sys.executable, "-c", WRITER, str(one.soul / "memories/MEMORY.md"), mode, "40"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        rounds = 0
        while writer.poll() is None:
            two.remember(f"remote {rounds}")
            two.sync()
            assert one.run("sync").returncode == 0
            rounds += 1
        assert writer.returncode == 0
    in_turn(one, two)
    wanted = {"base", *(f"written {n}" for n in range(40)), *(f"remote {n}" for n in range(rounds))}
    assert wanted - set(one.entries()) == set()
    assert one.entries() == two.entries()
