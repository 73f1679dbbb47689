"""``soulsync journal``, ``note`` and ``search`` as a person and a program use them."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from tests.lived import MEMORY

if TYPE_CHECKING:
    from tests.bodies import Body
    from tests.lived import Lived


def test_journal(lived: Lived) -> None:
    before = time.strftime("%Y-%m-%d")
    said = lived.ok("journal", "write", "Morning", "Talked.")
    path = said.split()[-1].rstrip(".") if said.endswith(".\n") else said.split()[-1]
    assert path in (f"journal/laptop/{day}.md" for day in (before, time.strftime("%Y-%m-%d")))
    day = path.split("/")[-1].removesuffix(".md")
    assert lived.json("journal", "write", "Evening", "-") == {"path": path}
    shown = lived.ok("journal", "show", "--day", day)
    assert shown == lived.read(path)
    assert shown.startswith(f"# {day} · laptop\n\n## ")
    assert lived.json("journal", "show", "--day", day) == [{"path": path, "body": "laptop", "text": shown}]
    assert lived.ok("journal", "show", "--day", "2001-01-01") == "Nothing was written that day.\n"
    assert lived.json("journal", "show", "--day", "2001-01-01") == []
    lived.fails(2, "journal", "show", "--day", "soon")
    lived.fails(1, "journal", "write", " ", "-")


def test_a_days_journals_of_all_bodies_are_shown_apart(lived: Lived) -> None:
    lived.write("journal/a/2025-11-30.md", "# 2025-11-30 · a\n")
    lived.write("journal/b/2025-11-30.md", "# 2025-11-30 · b\n")
    assert lived.ok("journal", "show", "--day", "2025-11-30") == "# 2025-11-30 · a\n\n# 2025-11-30 · b\n"
    assert lived.ok("journal", "show", "--day", "2025-11-30", "--body", "b") == "# 2025-11-30 · b\n"


def test_note(lived: Lived) -> None:
    assert lived.ok("note", "write", "travel/kyoto", "By train", "--summary", "Spring") == (
        "Written to notes/travel/kyoto.md.\n"
    )
    assert lived.ok("note", "list") == "notes/travel/kyoto.md — Spring\n"
    assert lived.json("note", "list") == [{"path": "notes/travel/kyoto.md", "topic": "kyoto", "summary": "Spring"}]
    assert lived.ok("note", "show", "travel/kyoto") == "# kyoto\n> Spring\n\nBy train\n"
    assert lived.json("note", "move", "travel/kyoto", "kyoto") == {
        "from": "notes/travel/kyoto.md", "to": "notes/kyoto.md",
    }  # fmt: skip
    assert lived.json("note", "show", "kyoto")["path"] == "notes/kyoto.md"
    assert "no note" in lived.fails(1, "note", "show", "travel/kyoto")
    assert "Kyoto" in lived.fails(1, "note", "write", "Kyoto", "twin")
    lived.fails(1, "note", "write", "kyoto", "-")
    lived.fails(1, "note", "write", "a/b/c/d/e", "x")


def test_what_is_piped_on_is_the_file_itself(lived: Lived) -> None:
    lived.write("notes/n.md", b"# n\n\x1b[31mred\xff\tno end")
    assert lived.run("note", "show", "n").raw == b"# n\n\x1b[31mred\xff\tno end"


def test_a_moved_note_takes_the_edit_of_another_body_along(one: Body, two: Body) -> None:
    one.ok("note", "write", "kyoto", "By train", "--sync")
    two.sync()
    two.ok("note", "write", "kyoto", "By plane", "--sync")
    one.ok("note", "move", "kyoto", "travel/kyoto", "--sync")
    two.sync()
    for body in (one, two):
        assert body.read("notes/travel/kyoto.md") == "# kyoto\n\nBy plane\n"
        assert not body.exists("notes/kyoto.md")


def test_search(lived: Lived) -> None:
    lived.write(MEMORY, "用户喜欢在京都喝绿茶\n§\nA door\x1b]0;x\x07 \u202eevil\n")
    lived.write("notes/door.md", "# The door\n\nIt sticks.\n")
    assert lived.ok("search", "绿茶") == f"{MEMORY}\n    用户喜欢在京都喝绿茶\n"
    assert lived.ok("search", "door").splitlines() == [
        "notes/door.md  The door", "    It sticks.", MEMORY, "    A door\\x1b]0;x\\x07 \\u202eevil",
    ]  # fmt: skip
    (hit,) = json.loads(lived.ok("search", "door", "-n", "1", "--json"))
    assert set(hit) == {"kind", "path", "title", "body", "score", "excerpt", "text"}
    assert lived.ok("search", "zebra") == "Nothing found.\n"
    assert lived.json("search", "zebra") == []


@pytest.mark.parametrize(
    "words", [("search",), ("search", "x", "-n", "0"), ("note",), ("journal", "write"), ("note", "show")]
)
def test_wrong_usage(lived: Lived, words: tuple[str, ...]) -> None:
    assert lived.run(*words).code == 2
