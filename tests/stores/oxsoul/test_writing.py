from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock

from soulsync.errors import BusyError
from soulsync.formats import oxsoul_index
from soulsync.stores.oxsoul import adding, checking, reading, writing
from tests.stores.oxsoul import realistic

if TYPE_CHECKING:
    from soulsync.stores.oxsoul.places import Place


def test_programs_that_add_at_once_leave_a_true_index(place: Place) -> None:
    argv = [sys.executable, "-m", "soulsync", "oxsoul", "add", "--store", str(place.root), "--name"]
    running = [
        subprocess.Popen([*argv, f"memory-{n}", f"said by program number {n}", "text"], stdin=subprocess.DEVNULL)
        for n in range(4)
    ]
    assert [one.wait(60) for one in running] == [0] * 4
    assert [row.name for row in oxsoul_index.parse(place.index_file.read_bytes())] == sorted(
        (one.name for one in reading.scan(place).memories),
        key=lambda name: (place.root / f"{name}.md").read_text().partition("updated: ")[2][:24],
        reverse=True,
    )
    assert checking.check(place.root) == []


def test_a_store_that_another_program_holds_is_busy(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "PATIENCE", 0.05)
    with FileLock(place.root / writing.LOCK), pytest.raises(BusyError) as refused:
        adding.add(place, {"description": "a memory"}, "", confirm=False)
    assert refused.value.exit_code == 75
    assert writing.taken(place) == set()


def test_a_rebuild_that_changes_nothing_writes_nothing(place: Place) -> None:
    realistic.write(place.root, 20)
    writing.rebuild(place)
    before = place.index_file.stat()
    assert writing.rebuild(place) == 20
    assert place.index_file.stat().st_ino == before.st_ino


def test_the_heading_that_a_person_gave_stays(place: Place) -> None:
    place.index_file.write_text("# 牛魂索引 — 我的记忆\n\n> 共 0 条。\n\n", "utf-8")
    realistic.write(place.root, 3)
    writing.rebuild(place)
    assert place.index_file.read_text("utf-8").startswith("# 牛魂索引 — 我的记忆\n\n> 共 3 条。\n\n- [")


def test_a_memory_is_readable_to_others_and_the_log_is_not(place: Place) -> None:
    adding.add(place, {"description": "a memory", "name": "a"}, "", confirm=False)
    umask = os.umask(0)
    os.umask(umask)
    assert (place.root / "a.md").stat().st_mode & 0o777 == 0o644 & ~umask
    assert (place.root / ".access.jsonl").stat().st_mode & 0o777 == 0o600
