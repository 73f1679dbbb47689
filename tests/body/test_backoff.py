"""How long the schedule keeps away from a server after failures."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from soulsync.body import backoff
from soulsync.body.state import Status

THEN = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()


def after(outcome: str, failures: int, last: str | None = "2026-11-30T12:00:00.000Z") -> Status:
    return Status(last_sync=last, outcome=outcome, failures=failures)


@pytest.mark.parametrize("outcome", ["offline", "denied", "refused"])
def test_the_first_failures_change_nothing_and_then_it_grows_to_a_bound(outcome: str) -> None:
    pauses = [backoff.pause(outcome, failures) for failures in range(100)]
    assert pauses[: backoff.PATIENCE] == [0] * backoff.PATIENCE
    assert pauses == sorted(pauses)
    assert pauses[backoff.PATIENCE] == backoff.FIRST_PAUSE
    assert pauses[-1] == backoff.LONGEST_PAUSE[outcome] <= 3600


@pytest.mark.parametrize("outcome", ["unchanged", "pushed", "busy", "failed", None])
def test_what_is_no_failure_of_the_server_is_no_reason(outcome: str | None) -> None:
    assert backoff.pause(outcome, 50) == 0


def test_until_counts_from_the_last_sync() -> None:
    assert backoff.until(after("denied", 3), THEN) == THEN + 600
    assert backoff.until(after("denied", 3), THEN + 599) == THEN + 600
    assert backoff.until(after("denied", 3), THEN + 600) is None
    assert backoff.until(after("denied", 2), THEN) is None


def test_a_clock_that_was_set_back_makes_no_pause() -> None:
    assert backoff.until(after("denied", 9), THEN - 1) is None


@pytest.mark.parametrize("last", [None, "", "yesterday", "2026-13-01"])
def test_a_damaged_state_makes_no_pause(last: str | None) -> None:
    assert backoff.until(after("denied", 9, last), THEN) is None
