"""Files of every name and kind."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.bodies import assert_in_step, in_turn

if TYPE_CHECKING:
    from tests.bodies import Body, Remote

NAMES = [
    "with space", "quote'd", "100%", "%41", "笔记", "\U0001f98a", "-dash", "--force", "é", "a&b;c$d", "#hash",
    "(x)", "[x]", "{x}", "~tilde", "!bang", "x" * 60, "caf\u00e9 §",
]  # fmt: skip


def test_names_of_notes_and_extras_go_around(one: Body, two: Body, remote: Remote) -> None:
    paths = [f"{folder}/{name}.md" for name in NAMES for folder in ("notes", "own stuff")]
    for path in paths:
        one.write(path, f"# {path}\n")
    assert one.sync()["skipped"] == []
    two.sync()
    for path in paths:
        assert two.read(path) == f"# {path}\n"
        two.write(path, f"# {path}\n\nby two\n")
    for path in paths[::2]:
        one.delete(path)
    in_turn(two, one)
    assert_in_step(one, two)
    assert all(one.read(path).endswith("by two\n") for path in paths[1::2])


@pytest.mark.parametrize(
    "name", ["con.md", "NUL", "a:b.md", 'a"b.md', "a<b.md", "trailing.", "trailing ", "back\\slash.md", "new\nline.md"]
)
def test_a_name_that_some_system_cannot_hold_is_named_and_left(name: str, one: Body) -> None:
    one.write(f"own/{name}", "text\n")
    one.remember("goes")
    result = one.sync()
    assert [s["reason"] for s in result["skipped"]] == ["unportable"]
    assert result["pushed"]
    assert one.read(f"own/{name}") == "text\n"


def test_a_twin_by_case_is_named_and_left(one: Body) -> None:
    one.write("notes/Plan.md", "# Plan\n")
    one.sync()
    one.write("notes/plan.md", "# plan\n")
    assert one.sync()["skipped"] == [{"path": "notes/plan.md", "reason": "unportable"}]


def test_what_cannot_be_committed_is_named_and_blocks_nothing(one: Body, two: Body) -> None:
    one.write("own/big.txt", "x" * 1_048_577)
    one.write("own/limit.txt", "x" * 1_048_576)
    one.write("own/picture.png", b"\x89PNG\0\0\0")
    (one.soul / "own/link").symlink_to("limit.txt")
    (one.soul / "own/nested").mkdir()
    one.git("init", "-q", "own/nested")
    os.mkfifo(one.soul / "own/pipe")
    result = one.sync()
    assert {s["path"]: s["reason"] for s in result["skipped"]} == {
        "own/big.txt": "too-large",
        "own/picture.png": "binary",
        "own/link": "symlink",
        "own/nested": "nested-repository",
    }
    two.sync()
    assert sorted(p.name for p in (two.soul / "own").iterdir()) == ["limit.txt"]


def test_a_committed_file_that_grows_too_large_keeps_its_last_good_version(one: Body, remote: Remote) -> None:
    one.write("notes/n.md", "# n\n")
    one.sync()
    one.write("notes/n.md", "x" * 1_048_577)
    one.remember("goes")
    result = one.sync()
    assert result["skipped"] == [{"path": "notes/n.md", "reason": "too-large"}]
    assert result["pushed"]
    assert remote.git("show", "main:notes/n.md") == "# n"
    assert len(one.read("notes/n.md")) == 1_048_577


def test_a_link_that_arrives_is_never_followed_or_created(one: Body, two: Body, remote: Remote) -> None:
    outside = two.folder / "outside.txt"
    outside.write_text("untouched")
    (one.soul / "own.txt").symlink_to(outside)
    (one.soul / "folder").symlink_to(two.folder)
    one.git("add", "own.txt", "folder")
    one.git("commit", "-q", "--no-verify", "-m", "links")
    one.git("push", "-q", "--no-verify", "origin", "main")
    two.sync()
    assert not os.path.lexists(two.soul / "own.txt")
    two.remember("more")
    two.sync()
    assert remote.git("ls-tree", "main", "own.txt").startswith("120000")
    assert outside.read_text() == "untouched"
    assert two.clean()


def test_line_ends_and_odd_bytes(one: Body, two: Body) -> None:
    one.write("notes/dos.md", "# dos\r\ntext\r\n")
    one.write("notes/odd.md", b"# odd\n\xff\xfe byte\n")
    one.sync()
    two.sync()
    assert two.read("notes/dos.md") == "# dos\ntext\n"
    assert (two.soul / "notes/odd.md").read_bytes() == b"# odd\n\xff\xfe byte\n"
    assert one.read("notes/dos.md") == "# dos\r\ntext\r\n"
    assert one.sync()["outcome"] == "unchanged"


def test_litter_of_other_programs_is_not_committed(one: Body, remote: Remote) -> None:
    litter = ["memories/MEMORY.md.lock", "memories/.mem_x", "notes/a.incoming.md", "notes/x.tmp", "MEMORY.md.bak.1"]
    for path in litter:
        one.write(path, "litter\n")
    one.write(".gitignore", one.read(".gitignore") + "notes/\n")
    one.write("notes/kept.md", "# kept\n")
    one.sync()
    listed = remote.git("ls-tree", "-r", "--name-only", "main").splitlines()
    assert "notes/kept.md" in listed
    assert not set(litter) & set(listed)


def test_a_password_in_a_note_is_committed_like_any_text(one: Body, remote: Remote) -> None:
    one.write("notes/keys.md", "# keys\n\npassword: hunter2\n-----BEGIN OPENSSH PRIVATE KEY-----\n")
    assert one.sync()["skipped"] == []
    assert "hunter2" in remote.git("show", "main:notes/keys.md")


def test_a_file_here_and_a_folder_of_that_name_there(one: Body, two: Body) -> None:
    one.write("own/thing", "a file\n")
    two.write("own/thing/inside.txt", "in a folder\n")
    in_turn(one, two)
    assert_in_step(one, two)
    texts = {p.read_text() for p in (one.soul / "own").rglob("*") if p.is_file()}
    assert texts == {"a file\n", "in a folder\n"}
