"""Waiting for a key: tried again while the server refuses, with what is told on the way."""

from __future__ import annotations

import pytest

from soulsync.body import waiting
from soulsync.errors import DeniedError, OfflineError, RefusedError


class Script:
    """Gives or raises one thing after the other, and keeps what it is told."""

    def __init__(self, *steps: Exception | str, at_once: bool = False) -> None:
        self.steps = list(steps)
        self.at_once = at_once
        self.told: list[str] = []
        self.waited = self.tries = 0

    def __call__(self) -> str:
        self.tries += 1
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        if isinstance(step, Exception):
            raise step
        return step

    def refused(self, why: DeniedError) -> bool:
        self.told.append(why.problem)
        first, self.at_once = self.at_once, False
        return first

    def waits(self, seconds_left: float) -> None:
        assert seconds_left <= 60
        self.waited += 1


UNKNOWN, READS, SILENT = DeniedError("unknown key"), DeniedError("may only read"), OfflineError("silent")


class Clock:
    """Time that passes only in pauses."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.pauses: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.pauses.append(seconds)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(waiting, "time", made)
    return made


def test_what_works_at_once_is_not_waited_for() -> None:
    script = Script("done")
    assert waiting.until(script, 60, script) == "done"
    assert (script.told, script.waited) == ([], 0)


def test_each_reason_is_told_once_and_it_goes_on_by_itself() -> None:
    script = Script(UNKNOWN, UNKNOWN, READS, READS, "done")
    assert waiting.until(script, 60, script) == "done"
    assert script.told == ["unknown key", "may only read"]
    assert script.waited >= 4


def test_without_time_the_first_refusal_ends_it_and_is_told() -> None:
    script = Script(UNKNOWN)
    with pytest.raises(DeniedError, match="unknown"):
        waiting.until(script, 0, script)
    assert script.told == ["unknown key"]


def test_when_time_is_up_the_last_refusal_ends_it(clock: Clock) -> None:
    script = Script(UNKNOWN, READS)
    with pytest.raises(DeniedError, match="may only read"):
        waiting.until(script, 60, script)
    assert clock.now == pytest.approx(1060)  # not a moment longer than the person gave


def test_the_pauses_grow_and_the_line_is_told_every_second(clock: Clock) -> None:
    script = Script(UNKNOWN)
    with pytest.raises(DeniedError):
        waiting.until(script, 60, script)
    assert max(clock.pauses) <= 1
    assert script.waited == len(clock.pauses) >= 60
    assert script.tries < 15


def test_a_server_that_was_never_reached_ends_it() -> None:
    script = Script(SILENT, "done")
    with pytest.raises(OfflineError):
        waiting.until(script, 60, script)


def test_a_hiccup_later_does_not() -> None:
    script = Script(UNKNOWN, SILENT, SILENT, "done")
    assert waiting.until(script, 60, script) == "done"
    assert script.told == ["unknown key"]


def test_a_refusal_by_a_rule_ends_it() -> None:
    script = Script(UNKNOWN, RefusedError("another agent"), "done")
    with pytest.raises(RefusedError):
        waiting.until(script, 60, script)


def test_who_is_told_may_ask_for_the_next_try_at_once_and_is_told_again() -> None:
    script = Script(UNKNOWN, UNKNOWN, "done", at_once=True)
    assert waiting.until(script, 60, script) == "done"
    assert script.told == ["unknown key", "unknown key"]
