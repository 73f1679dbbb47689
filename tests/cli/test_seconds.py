"""A wait has an end, and a complaint about a command line is a sentence."""

from __future__ import annotations

import click
import pytest

from soulsync.cli.seconds import LONGEST, Seconds
from soulsync.cli.usage_errors import told


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e400", "-1", str(LONGEST + 1), "soon"])
def test_no_wait_without_an_end(text: str) -> None:
    with pytest.raises(click.BadParameter):
        Seconds(min=0).convert(text, None, None)


@pytest.mark.parametrize("text", ["0", "0.5", "600", str(LONGEST)])
def test_seconds_are_taken_as_they_are(text: str) -> None:
    assert Seconds(min=0).convert(text, None, None) == float(text)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("Got unexpected extra argument (x)", "Got unexpected extra argument (x)."),
        ("No such option: -x", "No such option: -x."),
        ("Did you mean --all?", "Did you mean --all?"),
        ("Missing command.", "Missing command."),
    ],
)
def test_a_complaint_ends_with_a_stop(said: str, sentence: str) -> None:
    assert told(click.UsageError(said)) == sentence
