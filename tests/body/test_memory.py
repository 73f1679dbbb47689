"""Entries by command: Hermes' semantics, and what can't be an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from soulsync.body import memory
from soulsync.errors import SoulSyncError
from soulsync.formats import entries
from tests.lived import MEMORY, USER

if TYPE_CHECKING:
    from tests.lived import Lived


def test_adding_twice_changes_nothing(lived: Lived) -> None:
    assert memory.add(lived.home, lived.config, "  Prefers tea \n")
    before = (lived.soul / MEMORY).stat()
    assert not memory.add(lived.home, lived.config, "Prefers tea")
    assert (lived.soul / MEMORY).stat().st_mtime_ns == before.st_mtime_ns
    assert lived.read(MEMORY) == "Prefers tea\n"
    assert memory.listed(lived.home, lived.config, user=True) == []


def test_memories_about_the_user_have_a_file_of_their_own(lived: Lived) -> None:
    assert memory.add(lived.home, lived.config, "Is called Ana", user=True)
    assert (lived.read(USER), lived.read(MEMORY)) == ("Is called Ana\n", "")


def test_replace_and_remove_find_the_exact_entry_before_a_part(lived: Lived) -> None:
    for text in ("tea", "green tea", "coffee, black"):
        memory.add(lived.home, lived.config, text)
    assert memory.replace(lived.home, lived.config, "tea", "milk") == "tea"
    assert memory.replace(lived.home, lived.config, "black", "coffee, white") == "coffee, black"
    assert memory.remove(lived.home, lived.config, "green") == "green tea"
    assert memory.listed(lived.home, lived.config) == ["milk", "coffee, white"]


def test_what_several_entries_hold_is_an_error_that_lists_them(lived: Lived) -> None:
    for text in ("tea at eight", "tea at nine\nor ten " + "x" * 200):
        memory.add(lived.home, lived.config, text)
    with pytest.raises(SoulSyncError) as raised:
        memory.remove(lived.home, lived.config, "tea")
    assert "tea at eight" in str(raised.value)
    assert "tea at nine or ten" in str(raised.value)
    assert len(str(raised.value)) < 300
    assert len(memory.listed(lived.home, lived.config)) == 2


@pytest.mark.parametrize("text", ["", "  \n", "nothing like it"])
def test_what_no_entry_holds_is_an_error(lived: Lived, text: str) -> None:
    memory.add(lived.home, lived.config, "tea")
    with pytest.raises(SoulSyncError, match="No entry holds"):
        memory.replace(lived.home, lived.config, text, "x")


def test_replacing_by_what_is_there_already_leaves_one(lived: Lived) -> None:
    for text in ("a", "b"):
        memory.add(lived.home, lived.config, text)
    memory.replace(lived.home, lived.config, "a", "b")
    assert memory.listed(lived.home, lived.config) == ["b"]


def test_an_entry_that_stands_twice_goes_whole(lived: Lived) -> None:
    lived.write(MEMORY, "a\n§\nb\n§\na\n")
    assert memory.remove(lived.home, lived.config, "a") == "a"
    assert lived.read(MEMORY) == "b\n"


@pytest.mark.parametrize("text", ["a\n§\nb", "§", "a\n§ \t\nb", "a\r\n§\r\nb"])
def test_a_lone_section_sign_is_refused_with_the_reason(lived: Lived, text: str) -> None:
    with pytest.raises(SoulSyncError, match="§"):
        memory.add(lived.home, lived.config, text)
    assert lived.read(MEMORY) == ""


@pytest.mark.parametrize(
    "text", ["see §3", "a\n §\nb", "§ 3 of the law", "l1\nl2\n\nl4", "caf\udce9", "\ufeffx", "a\u3000"]
)
def test_what_is_added_is_read_back(lived: Lived, text: str) -> None:
    assert memory.add(lived.home, lived.config, text)
    assert memory.listed(lived.home, lived.config) == [text.strip(entries.STRIP)]
    assert not memory.add(lived.home, lived.config, text)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet="ab§ \n\r\t\u3000\ufeff\x85", max_size=12))
def test_any_text_is_one_entry_or_refused(lived: Lived, text: str) -> None:
    lived.write(MEMORY, "first\n§\nlast\n")
    try:
        memory.add(lived.home, lived.config, text)
    except SoulSyncError:
        assert lived.read(MEMORY) == "first\n§\nlast\n"
    else:
        found = memory.listed(lived.home, lived.config)
        assert found[:2] == ["first", "last"]
        assert len(found) == 3
        assert memory.remove(lived.home, lived.config, found[2]) == found[2]
        assert lived.read(MEMORY) == "first\n§\nlast\n"


def test_a_hermes_file_and_one_with_crlf_are_extended_in_place(lived: Lived) -> None:
    lived.write(MEMORY, "a\r\n§\r\nb")
    memory.add(lived.home, lived.config, "c")
    assert (lived.soul / MEMORY).read_bytes() == b"a\n\xc2\xa7\nb\n\xc2\xa7\nc\n"


def test_too_much_is_refused_and_making_it_less_is_not(lived: Lived) -> None:
    with pytest.raises(SoulSyncError, match="1 MiB"):
        memory.add(lived.home, lived.config, "x" * 1_048_577)
    lived.write(MEMORY, "\n§\n".join(f"{i} " + "x" * 1000 for i in range(1200)))
    assert memory.remove(lived.home, lived.config, "7 " + "x" * 1000).startswith("7 ")
    with pytest.raises(SoulSyncError, match="1 MiB"):
        memory.add(lived.home, lived.config, "one more")
