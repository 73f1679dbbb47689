"""Random and mutated input for every parser and rule; `scripts/soak fuzz` does the same for longer."""

from __future__ import annotations

import random
import time

from hypothesis import given
from hypothesis import strategies as st

from soulsync.merge.result import Sides
from tests.fuzzing import SLOW, Mutator, feed, read, read_text

INPUTS = 1500
MAYBE = st.none() | st.binary(max_size=200)
TIMES = st.none() | st.integers(-(2**63), 2**63)


def test_mutated_fixtures() -> None:
    mutator = Mutator(random.Random(7))
    for _ in range(INPUTS):
        files, sides = mutator.files(), mutator.sides()
        started = time.process_time()
        feed(files, sides)
        assert time.process_time() - started < SLOW


@given(st.tuples(MAYBE, MAYBE, MAYBE), TIMES, TIMES, st.booleans())
def test_any_bytes(files: tuple[bytes | None, bytes | None, bytes | None], one: int, other: int, inner: bool) -> None:
    feed(files, Sides(one, other, inner=inner))


@given(st.text(max_size=100))
def test_any_text(text: str) -> None:
    read_text(text)
    read(text.encode("utf-8", "surrogatepass"))
