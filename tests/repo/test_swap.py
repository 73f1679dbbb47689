"""Putting a file in place beside real writers, and joining what a stale one wrote (soul-repo-v4 §4 rule 13)."""

from __future__ import annotations

import fcntl
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from soulsync.errors import BusyError
from soulsync.formats.entries import parse
from soulsync.repo import rename, stale_writer
from soulsync.repo.foreign_lock import locked
from soulsync.repo.stale_writer import look_again, settle, stood, written_late
from soulsync.repo.swap import MAX_PLACINGS, MAX_STOOD, Swap, is_stale, join, put, swap_in
from soulsync.repo.worktree import WorkTree
from tests.repo.helpers import MEMORY, entries

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OLD = entries("A", "B").encode()
NEW = entries("A", "N").encode()  # B removed, N added
NOTE = "notes/a.md"


@pytest.fixture(params=["native", "hard links"])
def tree(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkTree:
    if request.param == "hard links":
        monkeypatch.setattr(rename, "_native", lambda: None)
    return soul(tmp_path)


@pytest.fixture
def native(tmp_path: Path) -> WorkTree:
    """Only the system's own exchange is without a moment in which a file that is renamed into place can be lost."""
    return soul(tmp_path)


def soul(tmp_path: Path) -> WorkTree:
    for folder in (".git", "memories", "notes"):
        (tmp_path / folder).mkdir()
    (tmp_path / MEMORY).write_bytes(OLD)
    (tmp_path / NOTE).write_bytes(b"old\n")
    return WorkTree(tmp_path, tmp_path / ".git" / "soulsync")


def replaced(tree: WorkTree, old: bytes = OLD, new: bytes = NEW) -> Swap:
    swap = put(tree, MEMORY, old, new, tree.fresh_name(), 0o644)
    assert swap.settled
    return swap


def now(tree: WorkTree, path: str = MEMORY) -> bytes:
    return (tree.root / path).read_bytes()


def in_place(file: Path, data: bytes) -> None:
    with file.open("r+b") as opened:
        opened.write(data)
        opened.truncate()


def by_rename(file: Path, data: bytes) -> None:
    temporary = file.with_name(f".mem_{threading.get_ident()}")
    temporary.write_bytes(data)
    temporary.replace(file)


WRITERS: list[Callable[[Path, bytes], None]] = [in_place, by_rename]


# One swap.


def test_what_was_expected_comes_out(tree: WorkTree) -> None:
    swap = replaced(tree)
    assert (now(tree), swap.new) == (NEW, NEW)
    [out] = swap.out
    assert (out.held, tree.staged(out.staged)) == (OLD, OLD)


def test_crlf_alone_is_no_edit(tree: WorkTree) -> None:
    (tree.root / NOTE).write_bytes(b"old\r\n")
    assert swap_in(tree, NOTE, b"old\n", b"new\n", "s", 0o644) == b"new\n"
    assert now(tree, NOTE) == b"new\n"


@pytest.mark.parametrize("writer", WRITERS)
def test_what_was_written_in_between_is_joined(tree: WorkTree, writer: Callable[[Path, bytes], None]) -> None:
    writer(tree.root / MEMORY, entries("A", "B", "mine").encode())
    assert sorted(parse(swap_in(tree, MEMORY, OLD, NEW, "s", 0o644))) == ["A", "N", "mine"]
    writer(tree.root / NOTE, b"newer words\n")
    assert swap_in(tree, NOTE, b"old\n", b"arrived\n", "s", 0o644) == b"newer words\n"


@pytest.mark.parametrize("text", [entries("A", "B", "mine"), entries("A", "B")])
def test_a_file_that_a_program_has_just_emptied_is_waited_for(
    text: str, tree: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that writes in place empties the file first; what it then writes goes into the file that came out."""
    with (tree.root / MEMORY).open("wb") as opened:

        def fill(_seconds: float) -> None:
            if not opened.closed:
                opened.write(text.encode())
                opened.close()

        monkeypatch.setattr("soulsync.repo.half_written.time.sleep", fill)
        swap = put(tree, MEMORY, OLD, NEW, "s", 0o644)
    assert set(parse(swap.new)) == set(parse(text.encode())) - {"B"} | {"N"}
    assert now(tree) == swap.new


def test_a_program_that_is_writing_is_waited_for(tree: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a longer text the beginning may stand there already; only the system knows that somebody has it open."""
    text, whole = entries("A", "B"), entries("A", "B", "mine", "more")
    opened = (tree.root / MEMORY).open("wb", buffering=0)
    opened.write(text.encode())

    def finish(_seconds: float) -> None:
        if not opened.closed:
            opened.write(whole.removeprefix(text.rstrip("\n")).encode())
            opened.close()

    monkeypatch.setattr("soulsync.repo.staging.time.sleep", finish)
    swap = put(tree, MEMORY, OLD, NEW, "s", 0o644)
    if sys.platform == "linux":
        assert set(parse(swap.new)) >= {"A", "N", "more"}
        assert opened.closed
    monkeypatch.undo()
    finish(0)
    settle(tree, [swap])
    assert set(parse(now(tree))) >= {"A", "N", "more"}


def test_each_file_that_came_out_is_looked_at_again(tree: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two programs in one swap: one that has the first file open still, one that puts another in its place."""
    stage, opened = tree.stage, (tree.root / MEMORY).open("r+b")
    texts = [entries("A", "B", "other").encode()]

    def write_just_before(name: str, data: bytes, mode: int) -> None:
        stage(name, data, mode)
        if texts:
            in_place(tree.root / MEMORY, texts.pop())

    monkeypatch.setattr(tree, "stage", write_just_before)
    swap = put(tree, MEMORY, OLD, NEW, "s", 0o644)
    assert len(swap.out) == 2
    with opened:
        opened.write(entries("A", "B", "other", "late").encode())
    assert settle(tree, [swap]) == [MEMORY]
    assert set(parse(now(tree))) == {"A", "N", "other", "late"}
    assert list(tree.staging.iterdir()) == []


def test_a_file_that_was_removed_in_between_is_created(tree: WorkTree) -> None:
    (tree.root / NOTE).unlink()
    assert swap_in(tree, NOTE, b"old\n", b"new\n", "s", 0o644) == b"new\n"
    assert now(tree, NOTE) == b"new\n"


def test_a_link_that_came_in_between_is_left_and_never_read(tree: WorkTree) -> None:
    secret = tree.root / "secret"
    secret.write_bytes(b"secret")
    (tree.root / MEMORY).unlink()
    (tree.root / MEMORY).symlink_to(secret)
    with pytest.raises(NotADirectoryError):
        put(tree, MEMORY, OLD, NEW, "s", 0o644)
    assert (tree.root / MEMORY).readlink() == secret
    assert secret.read_bytes() == b"secret"


_WRITER = """
import os, sys
path, count = sys.argv[1], int(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
for number in range(count):
    with open(path, "rb") as file:
        data = file.read()
    with open(path + ".tmp", "wb") as file:
        file.write(data + b"\\xc2\\xa7\\nw%d\\n" % number)
    os.replace(path + ".tmp", path)
print("done", flush=True)
"""


def test_a_process_that_writes_all_the_time_loses_nothing(native: WorkTree) -> None:
    """It reads, adds and replaces without a lock; whatever of ours it overwrites, nothing of its own vanishes."""
    tree, file = native, native.root / MEMORY
    writer = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _WRITER, str(file), "150"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert writer.stdin is not None
    assert writer.stdout is not None
    writer.stdout.readline()
    writer.stdin.write(b"go\n")
    writer.stdin.flush()
    swaps: list[Swap] = []
    for number in range(10):
        swaps += look_again(tree, swaps)
        expected = swaps[-1].new if swaps else OLD  # what is read now may be stale, and must not be believed
        target = entries(*parse(expected), f"arrived {number}").encode()
        known = [old for swap in swaps for old in (*swap.stood, swap.new)]
        swaps.append(put(tree, MEMORY, expected, target, tree.fresh_name(), 0o644, known))
    writer.communicate(timeout=60)
    settle(tree, swaps)
    found = parse(now(tree))
    assert {f"w{number}" for number in range(150)} <= set(found)
    assert {"A", "B"} <= set(found)
    assert len(found) == len(set(found))
    assert list(tree.staging.iterdir()) == []


def test_an_unsettled_swap_keeps_the_last_words_for_later(tree: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    file, count = tree.root / MEMORY, 0
    stage = tree.stage

    def write_just_before(name: str, data: bytes, mode: int) -> None:
        nonlocal count
        stage(name, data, mode)
        by_rename(file, entries(*parse(file.read_bytes()), f"w{count}").encode())
        count += 1

    monkeypatch.setattr(tree, "stage", write_just_before)
    swap = put(tree, MEMORY, OLD, NEW, "s", 0o644)
    assert (swap.settled, count) == (False, 5)
    assert {"N", *(f"w{number}" for number in range(5))} <= set(parse(swap.new))  # not in its place yet
    assert "w4" not in parse(now(tree))
    monkeypatch.setattr(tree, "stage", stage)
    assert settle(tree, [swap]) == [MEMORY]
    assert {"N", *(f"w{number}" for number in range(5))} <= set(parse(now(tree)))
    monkeypatch.setattr(tree, "stage", write_just_before)
    with pytest.raises(BusyError):
        swap_in(tree, MEMORY, now(tree), OLD, "s", 0o644)
    assert "w9" in parse(now(tree))


# Stale writers.


def test_what_counts_as_stale() -> None:
    def b(*texts: str) -> bytes:
        return entries(*texts).encode()

    assert is_stale(OLD, NEW, b("A", "B", "mine"))
    assert is_stale(OLD, NEW, OLD)
    assert not is_stale(OLD, NEW, b("A", "N", "mine"))
    assert not is_stale(OLD, NEW, b("A", "mine"))  # it knows that B is gone
    assert not is_stale(OLD, NEW, b("A", "B", "N"))  # it has seen N
    assert not is_stale(OLD, OLD, b("A"))
    assert not is_stale(OLD, b("B", "A"), b("x"))


def test_only_the_newest_versions_count_and_one_that_stood_again_is_new() -> None:
    between = [Swap(MEMORY, [b"before %d" % number], b"after %d" % number) for number in range(MAX_STOOD)]
    versions = stood([Swap(MEMORY, [OLD], NEW), *between, Swap(MEMORY, [OLD], b"newest")])[MEMORY]
    assert versions[-2:] == [OLD, b"newest"]
    assert NEW not in versions
    assert len(versions) == MAX_STOOD


@pytest.mark.parametrize("writer", WRITERS)
def test_a_stale_writer_is_joined(tree: WorkTree, writer: Callable[[Path, bytes], None]) -> None:
    swap = replaced(tree)
    writer(tree.root / MEMORY, entries("A", "B", "mine").encode())
    assert settle(tree, [swap]) == [MEMORY]
    assert sorted(parse(now(tree))) == ["A", "N", "mine"]


def test_a_writer_with_the_old_file_open_is_joined(tree: WorkTree) -> None:
    with (tree.root / MEMORY).open("r+b") as opened:
        swap = replaced(tree)
        opened.write(entries("A", "B", "late").encode())
    assert settle(tree, [swap]) == [MEMORY]
    assert sorted(parse(now(tree))) == ["A", "N", "late"]


def test_a_writer_that_saw_the_new_file_is_believed(tree: WorkTree) -> None:
    swap = replaced(tree)
    by_rename(tree.root / MEMORY, entries("A").encode())
    assert settle(tree, [swap]) == []
    assert now(tree) == entries("A").encode()


def test_our_own_command_is_always_believed(tree: WorkTree) -> None:
    swap = replaced(tree)
    by_rename(tree.root / MEMORY, OLD)
    assert settle(tree, [swap], lambda path, data: (path, data) == (MEMORY, OLD)) == []
    assert now(tree) == OLD


def test_a_text_read_before_several_replacements_is_stale_too(tree: WorkTree) -> None:
    newest = entries("A", "N", "M").encode()
    swaps = [replaced(tree), replaced(tree, NEW, newest)]
    by_rename(tree.root / MEMORY, entries("A", "B", "mine").encode())
    assert settle(tree, swaps) == [MEMORY]
    assert sorted(parse(now(tree))) == ["A", "M", "N", "mine"]


def test_what_two_replacements_brought_and_took_again_does_not_come_back(tree: WorkTree) -> None:
    swaps = [replaced(tree), replaced(tree, NEW, OLD)]
    assert settle(tree, swaps) == []
    assert now(tree) == OLD


def test_a_stale_writer_that_does_it_again_is_joined_again(tree: WorkTree) -> None:
    swap = replaced(tree)
    by_rename(tree.root / MEMORY, entries("A", "B", "one").encode())

    def again() -> None:
        until = time.monotonic() + 10
        while b"N" not in now(tree) and time.monotonic() < until:
            time.sleep(0.005)
        by_rename(tree.root / MEMORY, entries("A", "B", "one", "two").encode())

    writer = threading.Thread(target=again)
    writer.start()
    settle(tree, [swap])
    writer.join()
    assert sorted(parse(now(tree))) == ["A", "N", "one", "two"]
    assert list(tree.staging.iterdir()) == []


def test_what_is_overwritten_each_time_is_told(tree: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    swap, unsure = replaced(tree), list[Swap]()
    monkeypatch.setattr(
        "soulsync.repo.stale_writer.time.sleep",
        lambda _: by_rename(tree.root / MEMORY, entries("A", "B", "x").encode()),
    )
    assert settle(tree, [swap], unsure=unsure) == [MEMORY]
    assert {made.path for made in unsure} == {MEMORY}
    assert written_late(unsure, MEMORY, entries("A", "B", "x", "y").encode())
    assert not written_late(unsure, MEMORY, entries("A", "N", "x", "y").encode())
    assert len(unsure[-1].stood) <= MAX_STOOD + 2 * MAX_PLACINGS


def test_a_file_that_is_gone_or_a_link_by_then_is_left_alone(tree: WorkTree) -> None:
    swap = replaced(tree)
    (tree.root / MEMORY).unlink()
    assert settle(tree, [swap]) == []
    (tree.root / MEMORY).symlink_to(tree.root / NOTE)
    assert settle(tree, [swap]) == []
    assert now(tree, NOTE) == b"old\n"


# Hermes' lock.


def test_the_swap_waits_for_hermes_and_hermes_for_the_swap(tree: WorkTree) -> None:
    lock = tree.root / f"{MEMORY}.lock"
    with locked(tree.root, MEMORY), lock.open("r+") as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert lock.stat().st_mode & 0o777 == 0o600
    with locked(tree.root, NOTE):
        assert not (tree.root / f"{NOTE}.lock").exists()


def test_a_lock_that_is_a_link_or_behind_one_is_not_touched(tree: WorkTree, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (tree.root / f"{MEMORY}.lock").symlink_to(outside / "made")
    with locked(tree.root, MEMORY):
        pass
    (tree.root / "memories").rename(tree.root / "away")
    (tree.root / "memories").symlink_to(outside)
    with locked(tree.root, MEMORY):
        pass
    assert list(outside.iterdir()) == []


def test_a_lock_that_is_held_for_ever_does_not_stop_us(tree: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("soulsync.repo.foreign_lock.PATIENCE", 0.05)
    with (tree.root / f"{MEMORY}.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert stale_writer.settle(tree, [replaced(tree)]) == []


def test_join_is_the_rule_of_the_path() -> None:
    assert parse(join(MEMORY, OLD, b"", NEW)) == ["N"]
    assert join(NOTE, b"old", b"written", b"arrived") == b"written"
