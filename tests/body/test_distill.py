"""Candidates from the soul: memories as facts, journal sections as events, the same each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from soulsync.body import distill
from soulsync.errors import UsageError
from soulsync.formats import cortex_distill
from soulsync.formats.instants import instant
from tests.lived import MEMORY, USER

if TYPE_CHECKING:
    from tests.lived import Lived

NOW = (instant("2026-11-30T12:00:00Z") or 0) // 1000
DAY = "journal/laptop/2026-11-06.md"
JOURNAL = "# 2026-11-06 · laptop\n\n## 08:05 Deploy\n\nBilling went out.\n\n## 09:10 Only a title\n\n## 10:00\n\n"


def found(lived: Lived, since: str | None = None) -> list[dict[str, Any]]:
    candidates, _ = distill.candidates(lived.repo, NOW, since)
    entries = []
    for candidate in candidates:
        assert cortex_distill.candidate_faults(candidate.fields, candidate.created) == []
        assert isinstance(candidate.fields, dict)
        entries.append(cortex_distill.entry_of(candidate.fields, candidate.created))
    return entries


def test_memories_and_sections(lived: Lived) -> None:
    lived.write(MEMORY, "The door code changed.\n§\n回滚前先通知小梅。\n")
    lived.write(USER, "Prefers tea\n")
    lived.write(DAY, JOURNAL)
    lived.write("notes/kyoto.md", "# kyoto\n\nBy train\n")
    told = [[entry[key] for key in ("type", "content", "scope", "source_run_id", "tags")] for entry in found(lived)]
    assert told == [
        ["semantic", "The door code changed.", "project", "soul:memories/MEMORY.md", []],
        ["semantic", "回滚前先通知小梅。", "project", "soul:memories/MEMORY.md", []],
        ["semantic", "Prefers tea", "user", "soul:memories/USER.md", []],
        ["episodic", "Billing went out.", "project", f"soul:{DAY}#08:05", ["journal", "laptop"]],
        ["episodic", "Only a title", "project", f"soul:{DAY}#09:10", ["journal", "laptop"]],
    ]
    event = found(lived)[3]
    assert (event["title"], event["created_at"], event["expires_at"]) == (
        "Deploy", "2026-11-06T08:05:00.000Z", "2027-02-04",
    )  # fmt: skip
    assert found(lived) == found(lived)


def test_journals_without_sections_and_of_other_bodies(lived: Lived) -> None:
    lived.write("journal/-old/2026-11-05.md", "# 2026-11-05 · old\n\nImported as it was.\n")
    lived.write("journal/laptop/not-a-day.md", "## 08:00 x\n\ny\n")
    (entry,) = found(lived)
    assert (entry["content"], entry["created_at"], entry["tags"]) == (
        "Imported as it was.", "2026-11-05T00:00:00.000Z", ["journal", "old"],
    )  # fmt: skip


def test_what_would_have_expired_is_left_out_and_counted(lived: Lived) -> None:
    lived.write("journal/laptop/2026-09-01.md", "# x\n\n## 23:59 Gone\n\nx\n")
    lived.write("journal/laptop/2026-09-02.md", "# x\n\n## 00:00 Still there\n\nx\n")
    candidates, stale = distill.candidates(lived.repo, NOW)
    assert ([one.origin for one in candidates], stale) == (["journal/laptop/2026-09-02.md 00:00"], 1)


def test_since_a_day(lived: Lived) -> None:
    lived.write(MEMORY, "old\n")
    lived.commit(date="2026-11-01T12:00:00Z")
    lived.write(MEMORY, "old\n§\nnew\n")
    for day in ("2026-11-05", "2026-11-06"):
        lived.write(f"journal/laptop/{day}.md", f"# {day} · laptop\n\n## 00:00 t\n\non {day}\n")
    assert [entry["content"] for entry in found(lived, "2026-11-06")] == ["old", "new", "on 2026-11-06"]
    assert [entry["content"] for entry in found(lived, "2099-01-01")] == ["new"]
    with pytest.raises(UsageError):
        found(lived, "when pigs fly")


def test_a_long_title_stays_in_the_journal(lived: Lived) -> None:
    lived.write("journal/laptop/2026-11-06.md", f"# x\n\n## 08:00 {'t' * 201}\n\ntext\n")
    (entry,) = found(lived)
    assert (entry["title"], entry["content"]) == ("text", "text")
