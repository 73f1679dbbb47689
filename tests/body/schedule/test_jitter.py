"""When a body has its turn."""

from __future__ import annotations

import pytest

from soulsync.body.schedule import interval, jitter

BODIES = ("laptop", "phone", "server", "desk", "studio", "attic", "car", "work", "lab", "cabin")


@pytest.mark.parametrize("every", [300, 3600, 86_400])
def test_ten_machines_do_not_push_in_the_same_second(every: int) -> None:
    assert len({jitter.offset("kaoru", body, every) for body in BODIES}) == len(BODIES)


def test_the_turn_of_a_body_stays() -> None:
    assert jitter.offset("kaoru", "laptop", 300) == jitter.offset("kaoru", "laptop", 300)
    assert jitter.offset("kaoru", "laptop", 86_400) != jitter.offset("maki", "laptop", 86_400)


@pytest.mark.parametrize("every", [interval.SHORTEST, 45, 60, 90, *interval.STEPS])
def test_the_turn_lies_in_the_interval_and_the_pause_in_a_minute(every: int) -> None:
    for body in BODIES:
        assert 0 <= jitter.offset("kaoru", body, every) < every
        assert 0 <= jitter.pause("kaoru", body, every) <= min(jitter.LONGEST_PAUSE, every // 2)
