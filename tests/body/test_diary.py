"""The journal: local time, midnight, only ever appended to."""

from __future__ import annotations

import os
import time
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from soulsync.body import diary
from soulsync.errors import SoulSyncError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.lived import Lived

TOKYO = ZoneInfo("Asia/Tokyo")


def at(hour: int, minute: int, day: int = 30) -> Callable[[], datetime]:
    return lambda: datetime(2025, 11, day, hour, minute, 59, tzinfo=TOKYO)


def test_sections_follow_a_header_and_are_appended(lived: Lived) -> None:
    path = diary.write(lived.home, lived.config, "Up\nearly", "Tea.\n\n", at(8, 5))
    assert path == "journal/laptop/2025-11-30.md"
    diary.write(lived.home, lived.config, "Walk", "", at(9, 10))
    diary.write(lived.home, lived.config, " ", "No title", at(10, 0))
    assert lived.read(path) == (
        "# 2025-11-30 · laptop\n\n## 08:05 Up early\n\nTea.\n\n## 09:10 Walk\n\n## 10:00\n\nNo title\n"
    )


def test_midnight_is_between_two_files(lived: Lived) -> None:
    assert diary.write(lived.home, lived.config, "Late", "x", at(23, 59)) == "journal/laptop/2025-11-30.md"
    assert diary.write(lived.home, lived.config, "Later", "x", at(0, 0, 29)) == "journal/laptop/2025-11-29.md"
    assert "## 00:00 Later" in lived.read("journal/laptop/2025-11-29.md")


def test_the_time_is_this_machines(lived: Lived, monkeypatch: pytest.MonkeyPatch) -> None:
    zones = ("Pacific/Kiritimati", "Pacific/Pago_Pago")  # UTC+14 and UTC-11: never the same day
    paths = []
    try:
        for zone in zones:
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            paths.append(diary.write(lived.home, lived.config, "Here", "x"))
    finally:
        os.environ.pop("TZ")
        time.tzset()
    assert paths[0] > paths[1]


def test_what_stands_there_stays_byte_by_byte(lived: Lived) -> None:
    path = "journal/laptop/2025-11-30.md"
    old = "an old line without end, no header, caf\udce9".encode("utf-8", "surrogateescape")
    lived.write(path, old)
    diary.write(lived.home, lived.config, "New", "x", at(8, 0))
    assert (lived.soul / path).read_bytes() == old + b"\n\n## 08:00 New\n\nx\n"


def test_nothing_to_say_is_refused(lived: Lived) -> None:
    with pytest.raises(SoulSyncError, match="empty"):
        diary.write(lived.home, lived.config, " ", "\n", at(8, 0))
    assert not (lived.soul / "journal/laptop").exists()


def test_reading_a_day_of_all_bodies_or_one(lived: Lived, tmp_path: Path) -> None:
    diary.write(lived.home, lived.config, "Here", "x", at(8, 0))
    lived.write("journal/phone/2025-11-30.md", "p\n")
    lived.write("journal/phone/2025-11-30-trip.md", "t\n")
    for path in (
        "phone/2025-11-29.md",
        "phone/2025-11-30.incoming-1.md",
        "phone/2025-11-30.txt",
        "phone/a/2025-11-30.md",
    ):
        lived.write(f"journal/{path}", "no\n")
    (tmp_path / "2025-11-30.md").write_text("private\n")
    (lived.soul / "journal/linked").symlink_to(tmp_path)
    found = [path for path, _ in diary.read(lived.config, day="2025-11-30")]
    assert found == [
        "journal/laptop/2025-11-30.md", "journal/phone/2025-11-30-trip.md", "journal/phone/2025-11-30.md",
    ]  # fmt: skip
    assert [p for p, _ in diary.read(lived.config, day="2025-11-30", body="laptop")] == found[:1]
    assert diary.read(lived.config, body="laptop") == []
    assert diary.read(lived.config, day="2025-11-30", body="../..") == []


@pytest.mark.parametrize("day", ["*", "2026-13-01", "../x", "", "yesterday", "2025-11"])
def test_what_is_no_day_is_wrong_usage(lived: Lived, day: str) -> None:
    with pytest.raises(UsageError):
        diary.read(lived.config, day=day)
