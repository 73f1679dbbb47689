"""Native files from which nothing may be concluded: nothing is removed, the fault is told, the others go on (§1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bridged import Hermes

if TYPE_CHECKING:
    from tests.bodies import Body


@pytest.fixture
def hermes(one: Body) -> Hermes:
    """A Hermes Agent that was shown two memories."""
    agent = Hermes(one)
    agent.bridge()
    one.set_entries(["first", "second"])
    agent.soul.write_text("# Hermes\n\nI am quick.\n")
    agent.carried()
    return agent


def untouched(one: Body, hermes: Hermes, words: str) -> None:
    """The round has a fault of these words about the memories, and the soul keeps its own."""
    (fault,) = hermes.faults()
    assert words in fault["problem"]
    assert fault["remedy"]
    assert one.entries() == ["first", "second"]


def test_a_missing_file(one: Body, hermes: Hermes) -> None:
    hermes.memory.unlink()
    untouched(one, hermes, "is missing")
    assert not hermes.memory.exists()


def test_an_emptied_file(one: Body, hermes: Hermes) -> None:
    hermes.memory.write_text("")
    untouched(one, hermes, "is empty all of a sudden")


def test_a_file_that_is_not_utf8(one: Body, hermes: Hermes) -> None:
    hermes.memory.write_bytes(b"fir\xffst")
    untouched(one, hermes, "is not UTF-8")
    assert hermes.memory.read_bytes() == b"fir\xffst"


def test_a_link(one: Body, hermes: Hermes) -> None:
    target = one.folder / "elsewhere.md"
    target.write_text("other")
    hermes.memory.unlink()
    hermes.memory.symlink_to(target)
    untouched(one, hermes, "is a link")
    assert target.read_text() == "other"


def test_a_folder_that_is_a_link(one: Body, hermes: Hermes) -> None:
    hermes.memory.parent.rename(one.folder / "moved")
    hermes.memory.parent.symlink_to(one.folder / "moved")
    assert {fault["problem"].rpartition(" is ")[2] for fault in hermes.faults()} == {"a link, or lies behind one."}
    assert one.entries() == ["first", "second"]


def test_a_home_that_is_not_mounted(one: Body, hermes: Hermes) -> None:
    hermes.home.rename(one.folder / "unmounted")
    untouched(one, hermes, "is not there")
    assert not hermes.home.exists()


def test_a_config_that_cannot_be_read(one: Body, hermes: Hermes) -> None:
    hermes.configure("memory: [\n")
    untouched(one, hermes, "can't be read")


def test_accept_empty_confirms_a_deletion_but_not_of_what_was_never_shown(one: Body, hermes: Hermes) -> None:
    hermes.configure("memory:\n  memory_char_limit: 20\n")
    one.set_entries(["first", "second", "x" * 30])
    hermes.carried()
    hermes.memory.write_text("")
    hermes.faults()
    hermes.carried("--accept-empty")
    assert one.entries() == ["x" * 30]


def test_a_missing_personality_is_written_again_when_that_is_accepted(one: Body, hermes: Hermes) -> None:
    hermes.soul.unlink()
    (fault,) = hermes.faults()
    assert "is missing" in fault["problem"]
    hermes.carried("--accept-empty")
    assert hermes.soul.read_text() == "# Hermes\n\nI am quick.\n" == one.read("SOUL.md")


def test_a_file_that_was_emptied_on_both_sides_is_no_fault(one: Body, hermes: Hermes) -> None:
    hermes.memory.write_text("")
    one.set_entries(["another"])
    hermes.carried()
    assert one.entries() == ["another"] == hermes.entries()


def test_a_sync_warns_and_goes_on(one: Body, hermes: Hermes) -> None:
    hermes.memory.write_text("")
    hermes.set_entries("about the user", file=hermes.user)
    result = one.sync()
    assert result["error"] is None
    assert result["pushed"]
    assert [warning for warning in result["warnings"] if "is empty all of a sudden" in warning]
    assert one.entries("memories/USER.md") == ["about the user"]


def test_a_soul_whose_file_is_missing_empties_no_framework(one: Body, hermes: Hermes) -> None:
    one.delete("memories/MEMORY.md")
    hermes.carried()  # the commit before puts it back
    assert one.entries() == ["first", "second"] == hermes.entries()


def test_a_byte_order_mark_and_other_line_ends_are_tolerated(one: Body, hermes: Hermes) -> None:
    hermes.memory.write_bytes("\ufefffirst\r\n§\r\nsecond\r\n§\r\nthird\r\n".encode())
    hermes.carried()
    assert one.entries() == ["first", "second", "third"]
    assert hermes.memory.read_bytes() == "first\n§\nsecond\n§\nthird".encode()


def test_a_lost_baseline_removes_nothing(one: Body, hermes: Hermes) -> None:
    (one.home / "state" / "bridges" / "hermes" / "memory.json").write_text("{")
    hermes.set_entries("first")
    hermes.carried()
    assert one.entries() == ["first", "second"] == hermes.entries()


def test_a_record_that_cannot_be_read_stops_no_sync(one: Body, hermes: Hermes) -> None:
    (one.home / "bridges.toml").write_text("[[bridge]]\nname = 3\n")
    result = one.sync()
    assert result["error"] is None
    assert "bridges.toml can't be read" in result["warnings"][0]
    assert "can't be read" in one.fails(1, "bridge", "list")
