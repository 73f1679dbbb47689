"""Entries: what is found, and what is not, agrees with the reader and writer of the format."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats.entries import parse, render
from soulsync.repo.validation import memories

LINES = st.sampled_from(["§", "A", "", " §", "§ ", "§\u3000", "\u3000", "see §3", "§ 4", " B", "B ", "中"])


@given(st.lists(LINES, max_size=8), st.booleans())
def test_a_file_has_no_findings_exactly_when_it_is_in_canonical_form(lines: list[str], ended: bool) -> None:
    data = ("\n".join(lines) + ("\n" if ended and lines else "")).encode()
    assert (not list(memories.check("memories/x.md", data))) == (render(parse(data)) == data)


@pytest.mark.parametrize("data", [b"", b"A\n", "A\n§\nB\n\nC\n".encode()])
def test_canonical_files(data: bytes) -> None:
    assert list(memories.check("memories/x.md", data)) == []
