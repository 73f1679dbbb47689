"""Many objects at once: on disk for certain before anything names them, with one flush instead of one for each."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from soulsync.repo import durable, objects, unflushed
from soulsync.repo.soul import MANY_OBJECTS, Soul

if TYPE_CHECKING:
    from pathlib import Path

    from tests.repo.helpers import Lab


@pytest.fixture
def flushed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What is flushed, and how many objects were there by then."""
    seen: list[tuple[str, int]] = []
    flush = durable.flush

    def note(folder: Path) -> None:
        seen.append((folder.name, loose(folder)))
        flush(folder)

    monkeypatch.setattr(durable, "flush", note)
    return seen


def loose(folder: Path) -> int:
    return sum(len(list(found.iterdir())) for found in folder.iterdir() if len(found.name) == 2)


def notes(lab: Lab) -> list[str]:
    return [file.name for file in lab.soul.engine.iterdir() if file.name.startswith(unflushed.PREFIX)]


def write(lab: Lab, count: int) -> None:
    for number in range(count):
        objects.write_blob(lab.repo, b"content %d" % number)


def test_they_are_flushed_when_all_are_written(lab: Lab, flushed: list[tuple[str, int]]) -> None:
    before = loose(lab.soul.git_dir / "objects")
    with lab.soul.many_objects(MANY_OBJECTS):
        write(lab, MANY_OBJECTS)
        assert flushed == []
    assert flushed == [("objects", before + MANY_OBJECTS)]
    assert notes(lab) == []


def test_few_are_written_one_by_one(lab: Lab, flushed: list[tuple[str, int]]) -> None:
    with lab.soul.many_objects(MANY_OBJECTS - 1):
        assert notes(lab) == []
    assert flushed == []


def test_a_system_without_such_a_flush_writes_one_by_one(
    lab: Lab, flushed: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable, "_syncfs", lambda: None)
    with lab.soul.many_objects(MANY_OBJECTS):
        assert notes(lab) == []
    assert flushed == []


def test_a_failure_flushes_too(lab: Lab, flushed: list[tuple[str, int]]) -> None:
    with pytest.raises(KeyboardInterrupt), lab.soul.many_objects(MANY_OBJECTS):
        raise KeyboardInterrupt
    assert [name for name, _ in flushed] == ["objects"]


def test_what_a_killed_run_wrote_is_flushed_by_the_next(lab: Lab, flushed: list[tuple[str, int]]) -> None:
    pid = os.fork()
    if pid == 0:
        with lab.soul.many_objects(MANY_OBJECTS):
            write(lab, 3)
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    assert flushed == []
    Soul(lab.root, lab.soul.engine)
    Soul(lab.root, lab.soul.engine)
    assert [name for name, _ in flushed] == ["objects"]


def test_another_command_leaves_the_note_of_a_writer(lab: Lab, flushed: list[tuple[str, int]]) -> None:
    with lab.soul.many_objects(MANY_OBJECTS):
        pid = os.fork()
        if pid == 0:
            Soul(lab.root, lab.soul.engine)
            os._exit(0 if flushed == [] else 1)
        assert os.waitpid(pid, 0)[1] == 0
        assert len(notes(lab)) == 1
        write(lab, 3)
    assert [name for name, _ in flushed] == ["objects"]
    assert notes(lab) == []


def test_two_writers_have_a_note_each(lab: Lab, flushed: list[tuple[str, int]]) -> None:
    with lab.soul.many_objects(MANY_OBJECTS):
        with lab.soul.many_objects(MANY_OBJECTS):
            assert len(notes(lab)) == 2
        assert len(notes(lab)) == 1
    assert len(flushed) == 2


def test_a_commit_of_many_files_flushes_once(lab: Lab, flushed: list[tuple[str, int]]) -> None:
    lab.check_out(lab.base())
    for number in range(MANY_OBJECTS):
        lab.write(f"notes/n{number}.md", f"# {number}\n")
    lab.save()
    assert [name for name, _ in flushed] == ["objects"]
    assert lab.git("fsck", "--full", "--strict") == ""
    assert len(lab.files(lab.main_tree())) >= MANY_OBJECTS


def test_a_merge_of_many_files_flushes_once(lab: Lab, flushed: list[tuple[str, int]]) -> None:
    paths = [f"memories/m{number}.md" for number in range(MANY_OBJECTS)]
    base = lab.base(**dict.fromkeys(paths, "a\n"))
    sides = (lab.commit(dict.fromkeys(paths, f"a\n§\n{side}\n"), base, at=at) for at, side in enumerate("bc"))
    merged = lab.merge(*sides)
    assert {(lab.read(merged.tree, path) or "").count("§") for path in paths} == {2}
    assert [name for name, _ in flushed] == ["objects", "objects"]  # the lab merges both ways


def test_a_folder_that_was_looked_up_stays_as_it_is(lab: Lab) -> None:
    tree = lab.tree({"notes/a.md": "a", "notes/b.md": "b"})
    found = objects.lookup(lab.repo, tree, "notes/a.md")
    edited = objects.edit(lab.repo, tree, {"notes/a.md": None, "notes/c.md": lab.entry("c")})
    assert objects.lookup(lab.repo, tree, "notes/a.md") == found
    assert objects.lookup(lab.repo, tree, "notes/c.md") is None
    assert objects.lookup(lab.repo, edited, "notes/a.md") is None


def test_more_folders_than_are_kept(lab: Lab) -> None:
    files = {f"d{number}/e/x": str(number) for number in range(50)}
    tree = lab.tree(files)
    for _ in range(2):
        for path, text in files.items():
            assert objects.file_at(lab.repo, tree, path) == text.encode()
    assert len(objects._parsed) <= objects._KEPT
