from __future__ import annotations

import pytest

from soulsync.formats.instants import instant, is_timestamp, timestamp


@pytest.mark.parametrize(
    ("text", "micros"),
    [
        ("1970-01-01T00:00:00.001Z", 1000),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1970-01-01", 0),
        ("1970-01-01T00:00:00", 0),
        ("1969-12-31T23:59:59.999999Z", -1),
        ("soon", None),
        ("", None),
        (5, None),
        (None, None),
        ("1970-13-01T00:00:00Z", None),
    ],
)
def test_instant(text: object, micros: int | None) -> None:
    assert instant(text) == micros


@pytest.mark.parametrize("millis", [0, 1, 999, 1_790_000_000_123, -1, 253_402_300_799_999, -62_135_596_800_000])
def test_timestamp(millis: int) -> None:
    text = timestamp(millis)
    assert len(text) == 24
    assert is_timestamp(text)
    assert instant(text) == millis * 1000


@pytest.mark.parametrize(
    "text",
    ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.0001Z", "19700101T000000.000Z", "0001-01-01T00:00:00+23:59", "Z"],
)
def test_other_forms_are_no_timestamps(text: str) -> None:
    assert not is_timestamp(text)
