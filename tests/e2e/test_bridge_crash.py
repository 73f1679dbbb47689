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

if TYPE_CHECKING:
    from tests.bodies import Body

POINTS = 14


def struck(body: Body, call: int) -> dict[str, Any]:
    """``bridge sync``, killed at its call number ``call``; how it ended."""
    words = [sys.executable, "-m", "tests.struck", str(call), "bridge", "sync", "--quiet"]
    done = subprocess.run(words, env=body.env, capture_output=True, text=True, timeout=LIMIT, check=True)
    return dict(json.loads(done.stdout))


def put_back(body: Body, pattern: str) -> None:
    """Make the files of a body those of its folder ``pattern`` beside it."""
    for name in (".soulsync", ".hermes"):
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
