"""The history in memory terms, and its filters."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from soulsync.body import autobiography
from soulsync.body.autobiography import Wanted
from soulsync.errors import UsageError
from tests.lived import MEMORY

if TYPE_CHECKING:
    from tests.lived import Lived


def subjects(lived: Lived, **wanted: str | None) -> list[str]:
    return [c.commit.subject for c in autobiography.read(lived.repo, Wanted(20, **wanted))]


@pytest.fixture
def history(lived: Lived) -> Lived:
    """Five commits of two bodies, some days apart."""
    lived.write(MEMORY, "Prefers tea\n")
    lived.commit("one", "phone", "2025-11-01T12:00:00Z")
    lived.write(MEMORY, "Prefers GREEN tea\n")
    lived.commit("two", "laptop", "2025-11-02T12:00:00Z")
    lived.write("notes/kyoto.md", "# kyoto\n\nBy train\n")
    lived.commit("three", "laptop", "2025-11-02T18:00:00Z")
    (lived.soul / "notes/kyoto.md").rename(lived.soul / "notes/nara.md")
    lived.commit("four", "phone", "2025-11-03T12:00:00Z")
    lived.commit("five", "phone", "2025-11-04T12:00:00Z")
    return lived


def test_newest_first_and_no_more_than_wanted(history: Lived) -> None:
    assert subjects(history)[:5] == ["five", "four", "three", "two", "one"]
    chapters = list(autobiography.read(history.repo, Wanted(2)))
    assert [c.commit.subject for c in chapters] == ["five", "four"]
    assert [c.kind for c in chapters[1].changes] == ["note-moved"]
    assert set(chapters[1].as_json()) == {"commit", "body", "subject", "time", "changes"}


def test_by_body_and_text(history: Lived) -> None:
    assert subjects(history, body="phone") == ["five", "four", "one"]
    assert subjects(history, body="nobody") == []
    assert subjects(history, text="green") == ["two"]
    assert subjects(history, text="KYOTO") == ["four", "three"]
    assert subjects(history, text="FIVE") == ["five"]
    assert subjects(history, text="(") == []


def test_by_path_with_moves_from_and_to_it(history: Lived) -> None:
    assert subjects(history, path="notes/kyoto.md") == ["four", "three"]
    assert subjects(history, path="notes/nara.md") == ["four"]
    assert subjects(history, path="notes/")[:2] == ["four", "three"]
    assert subjects(history, path="never/was.md") == []
    assert subjects(history, path="*.md") == []


def test_by_day_whole_and_by_the_authors_clock(history: Lived) -> None:
    assert subjects(history, since="2025-11-02", until="2025-11-03") == ["four", "three", "two"]
    assert subjects(history, until="2025-11-01") == ["one"]
    assert subjects(history, since="2025-11-02T13:00:00Z", until="2025-11-02 19:00:00+00:00") == ["three"]
    assert "five" not in subjects(history, since="yesterday")
    history.commit("today")
    assert subjects(history, since="today")[0] == "today"
    assert subjects(history, since="2 hours ago")[0] == "today"
    assert "today" not in subjects(history, until="yesterday")


@pytest.mark.parametrize("when", ["gibberish", "\0", "🎉"])
def test_what_is_no_time_is_wrong_usage(lived: Lived, when: str) -> None:
    with pytest.raises(UsageError, match="no time"):
        subjects(lived, since=when)


def test_a_day_begins_at_local_midnight(lived: Lived, monkeypatch: pytest.MonkeyPatch) -> None:
    lived.commit("at 23:30 in Tokyo", "laptop", "2025-11-02T14:30:00Z")
    lived.commit("at 00:30 in Tokyo", "laptop", "2025-11-02T15:30:00Z")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert subjects(lived, until="2025-11-02") == ["at 23:30 in Tokyo"]
        assert "at 00:30 in Tokyo" in subjects(lived, since="2025-11-03")
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()


def test_a_soul_without_a_commit_has_no_history(lived: Lived) -> None:
    (lived.soul / ".git/refs/heads/main").unlink()
    assert subjects(lived) == []
    assert autobiography.rescues(lived.repo) == []


def test_more_commits_than_are_read_at_a_time(lived: Lived, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autobiography, "BATCH", 2)
    for number in range(5):
        lived.commit(str(number))
    assert subjects(lived)[:5] == ["4", "3", "2", "1", "0"]
    assert len(set(subjects(lived))) == len(subjects(lived))
