"""Notes: cleaned paths, title and summary, levels, twins, moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.body import notes
from soulsync.errors import SoulSyncError
from tests.bodies import git

if TYPE_CHECKING:
    from pathlib import Path

    from tests.lived import Lived


def write(lived: Lived, topic: str, text: str = "text", summary: str | None = None) -> str:
    return notes.write(lived.home, lived.config, topic, text, summary)


@pytest.mark.parametrize(
    ("topic", "path", "title"),
    [
        ("kyoto", "notes/kyoto.md", "kyoto"),
        ("travel/Kyoto in April", "notes/travel/Kyoto-in-April.md", "Kyoto in April"),
        ("notes/travel/kyoto.md", "notes/travel/kyoto.md", "kyoto"),
        ("a/b/c/d", "notes/a/b/c/d.md", "d"),
        ("旅行/京都", "notes/旅行/京都.md", "京都"),
        ("con", "notes/con_.md", "con"),
        ("../../etc/passwd", "notes/untitled/untitled/etc/passwd.md", "passwd"),
        ("", "notes/untitled.md", "untitled"),
        ("x.incoming", "notes/x-incoming.md", "x.incoming"),
    ],
)
def test_a_topic_becomes_a_path_and_a_title(lived: Lived, topic: str, path: str, title: str) -> None:
    assert write(lived, topic) == path
    assert lived.read(path) == f"# {title}\n\ntext\n"
    assert notes.show(lived.home, lived.config, topic)[0] == path


def test_a_summary_stands_on_the_second_line_and_a_rewrite_takes_the_place(lived: Lived) -> None:
    write(lived, "kyoto", "long\n", "Spring\ntrip")
    assert lived.read("notes/kyoto.md") == "# kyoto\n> Spring trip\n\nlong\n"
    write(lived, "kyoto", "short")
    assert lived.read("notes/kyoto.md") == "# kyoto\n\nshort\n"


def test_the_text_that_gives_way_stays_in_the_history_also_when_no_sync_saw_it(lived: Lived) -> None:
    for text in ("first", "second", "second", "third"):
        write(lived, "kyoto", text)
    write(lived, "a:b", "one topic")
    write(lived, "a?b", "another that has the same file")
    lived.sync()

    def texts(path: str) -> list[str]:
        commits = git(lived.soul, "log", "--format=%h", "--", path).split()
        return [git(lived.soul, "show", f"{commit}:{path}").split("\n")[-1] for commit in commits]

    assert texts("notes/kyoto.md") == ["third", "second", "first"]
    assert texts("notes/a-b.md") == ["another that has the same file", "one topic"]


def test_of_commands_at_once_each_leaves_its_text_in_the_history(lived: Lived) -> None:
    running = [lived.process("note", "write", "kyoto", f"text {number}") for number in range(4)]
    ends = [process.communicate(timeout=60) for process in running]
    assert [process.returncode for process in running] == [0] * 4, ends
    lived.sync()
    commits = git(lived.soul, "log", "--format=%h", "--", "notes/kyoto.md").split()
    texts = {git(lived.soul, "show", f"{commit}:notes/kyoto.md").split("\n")[-1] for commit in commits}
    assert texts == {f"text {number}" for number in range(4)}


def test_a_text_that_can_not_be_committed_does_not_give_way(lived: Lived) -> None:
    write(lived, "kyoto", "first")
    (lived.soul / ".git" / "MERGE_HEAD").write_text(lived.repo.head or "")
    assert "merge" in lived.fails(1, "note", "write", "kyoto", "second")
    lived.ok("note", "write", "osaka", "new ones wait for nothing")


def test_five_levels_and_empty_text_are_refused(lived: Lived) -> None:
    with pytest.raises(SoulSyncError, match="4 deep"):
        write(lived, "a/b/c/d/e")
    with pytest.raises(SoulSyncError, match="empty"):
        write(lived, "a", " \n")
    assert notes.listed(lived.config) == []


@pytest.mark.parametrize(("there", "twin"), [("kyoto", "Kyoto"), ("Travel/a", "travel/b"), ("caf\u00e9", "CAFE\u0301")])
def test_twins_are_refused_and_the_other_spelling_named(lived: Lived, there: str, twin: str) -> None:
    path = write(lived, there)
    with pytest.raises(SoulSyncError) as raised:
        write(lived, twin)
    assert path.rpartition("/")[0] in str(raised.value)
    assert [note.path for note in notes.listed(lived.config)] == [path]
    other = write(lived, "elsewhere")
    with pytest.raises(SoulSyncError, match="only in case"):
        notes.move(lived.home, lived.config, other, twin)


def test_a_note_may_be_renamed_to_its_own_twin(lived: Lived) -> None:
    write(lived, "kyoto")
    assert notes.move(lived.home, lived.config, "kyoto", "Kyoto") == ("notes/kyoto.md", "notes/Kyoto.md")
    assert [note.path for note in notes.listed(lived.config)] == ["notes/Kyoto.md"]


def test_a_move_keeps_the_text_and_a_taken_place_stays(lived: Lived) -> None:
    write(lived, "kyoto", "long", "Spring")
    write(lived, "nara")
    before = lived.read("notes/kyoto.md")
    with pytest.raises(SoulSyncError, match="already"):
        notes.move(lived.home, lived.config, "kyoto", "nara")
    with pytest.raises(SoulSyncError, match="no note"):
        notes.move(lived.home, lived.config, "osaka", "x")
    with pytest.raises(SoulSyncError, match="4 deep"):
        notes.move(lived.home, lived.config, "kyoto", "a/b/c/d/e")
    notes.move(lived.home, lived.config, "kyoto", "travel/kyoto")
    assert lived.read("notes/travel/kyoto.md") == before
    assert not (lived.soul / "notes/kyoto.md").exists()


def test_a_note_that_another_program_named_freely_is_found_and_kept_under_its_name(lived: Lived) -> None:
    lived.write("notes/My Trip: Kyoto.md", "# Trip\n\nx\n")
    assert notes.show(lived.home, lived.config, "My Trip: Kyoto")[0] == "notes/My Trip: Kyoto.md"
    assert write(lived, "My Trip: Kyoto", "new") == "notes/My Trip: Kyoto.md"
    assert notes.move(lived.home, lived.config, "notes/My Trip: Kyoto.md", "kyoto")[1] == "notes/kyoto.md"


def test_nothing_outside_the_notes_is_reached(lived: Lived) -> None:
    lived.write("secret.md", "s\n")
    with pytest.raises(SoulSyncError, match="no note"):
        notes.show(lived.home, lived.config, "../secret")
    with pytest.raises(SoulSyncError, match="no note"):
        notes.move(lived.home, lived.config, "../secret", "x")


def test_the_list_skips_conflict_copies_links_and_other_files(lived: Lived, tmp_path: Path) -> None:
    write(lived, "a", "x", "First")
    lived.write("notes/b/plain.md", "no heading\n")
    lived.write("notes/a.incoming-phone.md", "x\n")
    lived.write("notes/pic.txt", "x\n")
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "out.md").write_text("# out\n")
    (lived.soul / "notes/linked").symlink_to(tmp_path / "t")
    (lived.soul / "notes/link.md").symlink_to(tmp_path / "t" / "out.md")
    found = [(note.path, note.topic, note.summary) for note in notes.listed(lived.config)]
    assert found == [("notes/a.md", "a", "First"), ("notes/b/plain.md", "b/plain", None)]
