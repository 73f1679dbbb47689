"""Killed between any two of its steps, or beside a program that keeps writing, a bridge loses and doubles nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

from tests.bodies import LIMIT
from tests.bridged import Hermes
from tests.merge.test_stores import DAYS, memory

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Body

POINTS = 14


def struck(body: Body, call: int) -> dict[str, Any]:
    """``bridge sync``, killed at its call number ``call``; how it ended."""
    words = [sys.executable, "-m", "tests.struck", str(call), "bridge", "sync", "--quiet"]
    done = subprocess.run(words, env=body.env, capture_output=True, text=True, timeout=LIMIT, check=True)
    return dict(json.loads(done.stdout))


def texts(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.glob("*.md")}


def put_back(body: Body, pattern: str, framework: str = ".hermes") -> None:
    """Make the files of a body and of a framework those of its folder ``pattern`` beside it."""
    for name in (".soulsync", framework):
        shutil.rmtree(body.folder / name)
        shutil.copytree(body.folder.parent / pattern / name, body.folder / name, symlinks=True)


if sys.platform == "linux":  # the run is stopped by seccomp and ptrace

    def test_a_round_that_is_killed_anywhere_is_completed_by_the_next(one: Body) -> None:
        hermes = Hermes(one)
        hermes.bridge()
        hermes.configure("memory:\n  memory_char_limit: 60\n")
        one.set_entries(["stays", "goes here", "goes there", "long " * 8])
        hermes.soul.write_text("# Hermes\n\nfirst\n")
        hermes.carried()
        hermes.set_entries("stays", "goes there", "came here")
        one.set_entries(["came there", "stays", "goes here", "long " * 8])
        hermes.soul.write_text("# Hermes\n\nsecond\n")
        shutil.copytree(one.folder, one.folder.parent / "pattern", symlinks=True)
        whole = struck(one, 0)
        assert whole["code"] == 0
        for number in range(1, POINTS + 1):
            put_back(one, "pattern")
            assert struck(one, whole["calls"] * number // (POINTS + 1))["killed"]
            hermes.carried()
            assert sorted(one.entries()) == ["came here", "came there", ("long " * 8).strip(), "stays"]
            assert set(hermes.entries()) == {"came here", "came there", "stays"}
            assert one.read("SOUL.md") == "# Hermes\n\nsecond\n" == hermes.soul.read_text()
            assert hermes.carried()["changes"] == []

    def test_what_hermes_adds_after_a_round_was_killed_is_kept(one: Body) -> None:
        """The file holds neither what was shown before nor what was about to be shown."""
        hermes = Hermes(one)
        hermes.bridge()
        hermes.configure("memory:\n  memory_char_limit: 40\n")
        one.set_entries(["old", "x" * 20])
        hermes.carried()
        one.set_entries(["y" * 30, "old", "x" * 20])  # no room for the last one any more
        shutil.copytree(one.folder, one.folder.parent / "pattern", symlinks=True)
        calls = struck(one, 0)["calls"]
        for number in range(1, POINTS + 1):
            put_back(one, "pattern")
            assert struck(one, calls * number // (POINTS + 1))["killed"]
            hermes.add("new")
            hermes.carried()
            assert sorted(one.entries()) == ["new", "old", "x" * 20, "y" * 30]

    def test_a_store_is_carried_whole_wherever_a_round_was_killed(one: Body) -> None:
        store = one.folder / ".oxsoul"
        store.mkdir()
        for name in ("a", "b", "c", "e"):
            (store / f"{name}.md").write_bytes(memory(name, name=name))
        one.ok("bridge", "add", "oxsoul")
        one.ok("bridge", "sync")
        (store / "a.md").unlink()
        one.delete("oxsoul/b.md")
        (store / "c.md").write_bytes(memory("c", name="c", importance="0.9"))
        one.write("oxsoul/c.md", memory("c", name="c", confidence="0.1"))
        (store / "here.md").write_bytes(memory("here", name="here"))
        one.write("oxsoul/there.md", memory("there", name="there"))
        (store / "tea.md").write_bytes(memory("Tea."))
        one.write("oxsoul/tea.md", memory("Beer.", created=DAYS[2]))
        shutil.copytree(one.folder, one.folder.parent / "pattern", symlinks=True)
        whole = struck(one, 0)
        wanted = [texts(store), texts(one.soul / "oxsoul")]
        assert sorted(wanted[0]) == [
            "MEMORY.md",
            *(f"{name}.md" for name in ("c", "e", "here", "tea-2", "tea", "there")),
        ]
        for number in range(1, POINTS + 1):
            put_back(one, "pattern", ".oxsoul")
            assert struck(one, whole["calls"] * number // (POINTS + 1))["killed"]
            one.ok("bridge", "sync")
            assert [texts(store), texts(one.soul / "oxsoul")] == wanted
            assert "nothing to copy" in one.ok("bridge", "sync")
            assert [file.name for file in store.iterdir() if file.name.startswith(".soulsync")] == []


def test_a_program_that_keeps_writing_loses_nothing(one: Body) -> None:
    hermes = Hermes(one)
    hermes.bridge()
    hermes.set_entries("begin")
    hermes.carried()
    done = threading.Event()
    wanted = [f"fact {number}" for number in range(60)]

    def work() -> None:
        for text in wanted:
            hermes.add(text)
        done.set()

    writer = threading.Thread(target=work)
    writer.start()
    number = 0
    while not done.is_set() or number < 4:
        one.remember(f"thought {number}")
        hermes.carried()
        number += 1
    writer.join()
    hermes.carried()
    assert sorted(one.entries()) == sorted(["begin", *wanted, *(f"thought {n}" for n in range(number))])
    assert sorted(hermes.entries()) == sorted(one.entries())
