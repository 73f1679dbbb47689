"""Intervals as people write them."""

from __future__ import annotations

import pytest

from soulsync.body.schedule import interval
from soulsync.errors import UsageError


@pytest.mark.parametrize(
    ("text", "seconds"), [("5m", 300), ("90s", 90), ("1h", 3600), ("1d", 86_400), (" 2H ", 7200), ("30s", 30)]
)
def test_an_interval_is_a_number_and_a_unit(text: str, seconds: int) -> None:
    assert interval.seconds(text) == seconds


@pytest.mark.parametrize("text", ["", "5", "m", "5x", "-5m", "5.5m", "5 m", "٥m", "5m5", "1e3s", "9" * 40 + "s"])
def test_anything_else_is_none(text: str) -> None:
    with pytest.raises(UsageError, match="no interval"):
        interval.seconds(text)


@pytest.mark.parametrize("text", ["0m", "0s", "29s", "2d", "25h", "86401s"])
def test_an_interval_has_bounds(text: str) -> None:
    with pytest.raises(UsageError, match="30s to 1d"):
        interval.seconds(text)


@pytest.mark.parametrize("text", ["30s", "5m", "90s", "1h", "1d", "7m", "12h"])
def test_it_is_shown_as_it_was_written(text: str) -> None:
    assert interval.text(interval.seconds(text)) == text


@pytest.mark.parametrize(
    ("every", "around"), [("7m", ("6m", "10m")), ("90s", ("1m", "2m")), ("30s", ("1m", "1m")), ("5h", ("4h", "6h"))]
)
def test_what_a_calendar_can_not_say_has_neighbours_that_it_can(every: str, around: tuple[str, str]) -> None:
    seconds = interval.seconds(every)
    assert not interval.on_the_calendar(seconds)
    assert interval.neighbours(seconds) == tuple(interval.seconds(text) for text in around)
