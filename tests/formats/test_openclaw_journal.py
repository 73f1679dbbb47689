from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import openclaw_journal
from soulsync.repo.paths import is_portable
from soulsync.repo.validation import journals

HEADER = "# 2026-02-24 · kai\n"


@pytest.mark.parametrize(
    ("name", "day", "called"),
    [
        ("2026-02-24.md", "2026-02-24", "2026-02-24.md"),
        ("2026-02-24-api-design.md", "2026-02-24", "2026-02-24-api-design.md"),
        ("2026-02-24_notes.md", "2026-02-24", "2026-02-24-notes-60ad14.md"),
        ("2026-02-24 über den Tag.md", "2026-02-24", "2026-02-24-über-den-Tag-26bf62.md"),
        ("2026-02-24-1430.md", "2026-02-24", "2026-02-24-1430.md"),
        ("2026-02-241.md", None, ""),
        ("2026-02-30.md", None, ""),
        ("2026-02-24.txt", None, ""),
        ("2026-02-24.incoming.md", None, ""),
        ("notes.md", None, ""),
    ],
)
def test_names(name: str, day: str | None, called: str) -> None:
    assert openclaw_journal.day_of(name) == day
    if day is not None:
        assert openclaw_journal.journal_name(name) == called


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("- tea at nine\n", HEADER + "\n- tea at nine\n"),
        ("# 2026-02-24\n\n## 9:05 Tea\ngreen\n", HEADER + "\n## 09:05 Tea\ngreen\n"),
        ("\ufeff# 2026-02-24\r\n\r\nline\r\n", HEADER + "\nline\n"),
        ("# Session: 2026-02-24 10:00:00 UTC\n", HEADER + "\n# Session: 2026-02-24 10:00:00 UTC\n"),
        (HEADER + "\n## 10:00 a\n\nb\n", HEADER + "\n## 10:00 a\n\nb\n"),
        ("## 9:5 no time\n## 12:00 noon", HEADER + "\n## 9:5 no time\n## 12:00 noon\n"),
        ("", HEADER),
    ],
)
def test_a_daily_file_gets_the_form_of_a_journal(text: str, written: str) -> None:
    assert openclaw_journal.to_journal("2026-02-24", "kai", text.encode()).decode() == written


PIECES = st.sampled_from(["# 2026-02-24", HEADER, "## 9:05 x", "## 09:05 x", "- a", "\n", "\r\n", "## ", "é", "\udcff"])


@given(st.lists(PIECES, max_size=12).map("".join))
def test_the_form_is_found_again_and_nothing_is_lost(text: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    written = openclaw_journal.to_journal("2026-02-24", "kai", data)
    assert openclaw_journal.to_journal("2026-02-24", "kai", written) == written
    assert not [f for f in journals.check("journal/kai/2026-02-24.md", written) if f.rule == "journal-heading"]
    assert written.count(b"- a") == data.count(b"- a")


@given(st.text(max_size=30).map(lambda slug: f"2026-02-24-{slug}.md"))
def test_every_name_fits_every_system(name: str) -> None:
    called = openclaw_journal.journal_name(name)
    assert called.startswith("2026-02-24")
    assert is_portable(f"journal/kai/{called}")
    assert "/" not in called
    assert len(called) <= 63 or called == name


@given(st.sets(st.text(alphabet="ab -_.", max_size=4).map(lambda rest: f"2026-02-24{rest}.md"), max_size=8))
def test_no_two_names_become_one(names: set[str]) -> None:
    assert len({openclaw_journal.journal_name(name) for name in names}) == len(names)
