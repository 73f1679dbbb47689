"""A memories file of OpenClaw that went, was emptied or can't be read: nothing is removed from the soul."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync import spec
from tests.claws import Claw, fresh

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Body


@pytest.fixture
def mine(one: Body) -> Claw:
    return fresh(one)


FAULTS = {
    "missing": lambda file: file.unlink(),
    "empty": lambda file: file.write_bytes(b""),
    "only structure": lambda file: file.write_text("# Long-term memory\n"),
    "not UTF-8": lambda file: file.write_bytes(b"- caf\xe9\n"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_file_removes_nothing(mine: Claw, fault: str) -> None:
    mine.carry()
    held = mine.body.entries()
    assert len(held) == 2
    FAULTS[fault](mine.folder / "MEMORY.md")
    assert len(mine.problems()) == 1
    assert mine.body.entries() == held
    mine.body.sync()
    assert mine.body.entries() == held


def test_a_linked_file_is_a_fault_and_stays_a_link(mine: Claw, tmp_path: Path) -> None:
    mine.carry()
    held, elsewhere = mine.body.entries(), tmp_path / "elsewhere.md"
    elsewhere.write_text("- from elsewhere\n")
    (mine.folder / "MEMORY.md").unlink()
    (mine.folder / "MEMORY.md").symlink_to(elsewhere)
    assert len(mine.problems()) == 1
    assert mine.body.entries() == held
    assert (mine.folder / "MEMORY.md").is_symlink()
    assert elsewhere.read_text() == "- from elsewhere\n"


def test_an_empty_file_that_was_meant_is_confirmed(mine: Claw) -> None:
    mine.carry()
    mine.write("MEMORY.md", "# Nothing left\n")
    assert mine.carry("--accept-empty")["faults"] == []
    assert mine.body.entries() == []
    assert mine.read("MEMORY.md") == "# Nothing left\n"


def test_what_could_not_be_copied_is_no_change(mine: Claw) -> None:
    """A note that is too large, or no UTF-8, beside one that is copied."""
    mine.carry()
    mine.write("memory/notes/big.md", "x" * (spec.MAX_FILE_BYTES + 1))
    mine.write("memory/notes/latin.md", b"caf\xe9\n")
    mine.write("memory/notes/small.md", "small\n")
    told = mine.carry()
    assert [change["path"] for change in told["changes"]] == ["notes/small.md"]
    assert [fault["path"] for fault in told["faults"]] == [
        str(mine.folder / "memory" / "notes" / name) for name in ("big.md", "latin.md")
    ]
    again = mine.carry()
    assert (again["changes"], again["faults"]) == ([], told["faults"])
    assert not mine.body.exists("notes/big.md")
