"""What a body remembers between runs, and its log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.body import journal_of_syncs
from soulsync.body.home import Home
from soulsync.body.result import SyncResult
from soulsync.body.state import Known, Status

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def kaoru(tmp_path: Path) -> Home:
    found = Home(tmp_path / "kaoru")
    found.make()
    return found


def test_what_is_saved_is_loaded(kaoru: Home) -> None:
    known = Known("git@host:x.git", "an id", True, ["a root"])
    known.save(kaoru)
    assert Known.load(kaoru) == known


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff", b'{"roots": "x", "pushed": "yes", "unknown": 1}'])
def test_a_damaged_memory_is_an_empty_one(data: bytes, kaoru: Home) -> None:
    (kaoru.state / "known.json").write_bytes(data)
    (kaoru.state / "status.json").write_bytes(data)
    assert Known.load(kaoru) == Known()
    assert Status.load(kaoru) == Status()


@pytest.mark.parametrize("data", [b'{"agent_id": 7, "url": []}', b'{"roots": [1, null]}'])
def test_values_of_another_type_are_not_believed(data: bytes, kaoru: Home) -> None:
    (kaoru.state / "known.json").write_bytes(data)
    assert Known.load(kaoru) == Known()


def test_the_log_is_bounded_and_keeps_the_newest_lines(kaoru: Home) -> None:
    for number in range(1500):
        journal_of_syncs.note(kaoru, SyncResult("kaoru", "one", error=f"{number:04} " + "x" * 400))
    text = kaoru.log.read_text()
    assert len(text) <= journal_of_syncs.MAX_BYTES + 1000
    assert "1499 " in text.splitlines()[-1]
    assert all("error=" in line for line in text.splitlines())
    assert kaoru.log.stat().st_mode & 0o777 == 0o600


def test_an_error_of_several_lines_is_one_line_in_the_log(kaoru: Home) -> None:
    journal_of_syncs.note(kaoru, SyncResult("kaoru", "one", error="two\nlines\r\n\x1b[31mred"))
    [line] = kaoru.log.read_text().splitlines()
    assert "\x1b" not in line
