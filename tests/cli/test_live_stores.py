"""Commands that write into a memory store of a live soul: never beside a program that holds its work tree."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from soulsync.body import locks
from tests.stores.cortex.conftest import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.lived import Lived

HOLDER = """
import pathlib, sys
from soulsync.body import home, locks
with locks.worktree_lock(home.Home(pathlib.Path(sys.argv[1]))):
    print("held", flush=True)
    sys.stdin.read()
"""
CANDIDATES = json.dumps([{"type": "semantic", "content": "Tea."}])
FOREIGN = "---\nname: mate\ndescription: mate\n---\nMate.\n"


@pytest.fixture
def stores(lived: Lived, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stores of both formats in the soul, with candidates beside it; the commands run in the folder of these."""
    lived.ok("oxsoul", "add", "tea", "Green.", "--store", str(lived.soul / "oxsoul"))
    lived.ok("oxsoul", "add", "coffee", "Black.", "--store", str(lived.soul / "oxsoul"))
    lived.ok("oxsoul", "trash", "coffee", "--store", str(lived.soul / "oxsoul"))
    Store(lived.soul / ".agent" / "memory").put("MEM-a")
    place = tmp_path / "place"
    place.mkdir()
    (place / "candidates.json").write_text(CANDIDATES)
    (place / "mate.md").write_text(FOREIGN)
    monkeypatch.chdir(place)
    monkeypatch.setattr(locks, "WRITER_PATIENCE", 0.0)
    return place


@contextlib.contextmanager
def held(lived: Lived) -> Iterator[None]:
    """Another process holds the work tree."""
    argv = [sys.executable, "-c", HOLDER, str(lived.home.root)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield
        finally:
            process.communicate(timeout=60)


OXSOUL, CORTEX = ("--store", "{soul}/oxsoul"), ("--store", "{soul}/.agent/memory")
WRITERS = [
    ("oxsoul", "add", "milk", "White.", *OXSOUL),
    ("oxsoul", "import", "mate.md", "--yes", *OXSOUL),
    ("oxsoul", "trash", "tea", *OXSOUL),
    ("oxsoul", "restore", "coffee", *OXSOUL),
    ("oxsoul", "index", *OXSOUL),
    ("cortex", "distill", "--candidates", "candidates.json", *CORTEX),
    ("cortex", "distill", "--from-soul", *CORTEX),
    ("cortex", "forget", "MEM-a", "--yes", *CORTEX),
    ("cortex", "validate", "--fix", *CORTEX),
    ("validate", "--fix"),
]
LOOKS = [
    ("oxsoul", "import", "mate.md", *OXSOUL),
    ("oxsoul", "list", *OXSOUL),
    ("cortex", "distill", "--candidates", "candidates.json", "--dry-run", *CORTEX),
    ("cortex", "forget", "MEM-a", *CORTEX),
    ("cortex", "recall", "Tea", *CORTEX),
]


def absolute(lived: Lived, words: tuple[str, ...]) -> list[str]:
    return [word.replace("{soul}", str(lived.soul)) for word in words]


@pytest.mark.parametrize("words", WRITERS, ids=lambda words: " ".join(words[:3]))
def test_writing_waits_for_who_holds_the_work_tree(lived: Lived, stores: Path, words: tuple[str, ...]) -> None:
    with held(lived):
        assert "Another soulsync is at work" in lived.fails(75, *absolute(lived, words))
    lived.ok(*absolute(lived, words))


@pytest.mark.parametrize("words", LOOKS, ids=lambda words: " ".join(words[:3]))
def test_looking_does_not(lived: Lived, stores: Path, words: tuple[str, ...]) -> None:
    with held(lived):
        lived.ok(*absolute(lived, words))


def test_nor_does_writing_into_a_store_elsewhere(lived: Lived, stores: Path) -> None:
    with held(lived):
        lived.ok("oxsoul", "add", "milk", "--store", "own")
        lived.ok("cortex", "distill", "--candidates", "candidates.json", "--store", "project")


def test_a_link_to_the_soul_is_the_soul(lived: Lived, stores: Path) -> None:
    (stores / "link").symlink_to(lived.soul)
    with held(lived):
        lived.fails(75, "oxsoul", "add", "milk", "--store", "link/oxsoul")
