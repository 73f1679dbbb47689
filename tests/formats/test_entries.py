from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import entries
from soulsync.merge.result import Sides
from soulsync.merge.rules import merge_file
from tests.vectors import vectors


def write(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("case", vectors("entries", "split"))
def test_split(case: dict[str, Any]) -> None:
    read = entries.parse(write(case["text"]))
    assert read == case["entries"]
    assert entries.parse(entries.render(read)) == read
    assert all(map(entries.is_entry, read))


@pytest.mark.parametrize("case", vectors("entries", "merge"))
def test_merge(case: dict[str, Any]) -> None:
    base, ours, theirs = (entries.render(case[side]) for side in ("base", "ours", "theirs"))
    for one, other in ((ours, theirs), (theirs, ours)):
        merged = merge_file("soul-entries", "memories/MEMORY.md", base, one, other, Sides()).data
        assert merged == entries.render(case["merged"])


@pytest.mark.parametrize("case", vectors("entries", "projection"))
def test_projection(case: dict[str, Any]) -> None:
    assert entries.project(case["entries"], case["limit"]) == case["shown"]


BITS = st.sampled_from(
    ["§", "\n", "\n§\n", " ", "\t", "\r\n", "\r", "\ufeff", "　", "a", "\x1f", "\udcff", "é", "\x00", "\u2028", "\x0b"]
)


@given(st.one_of(st.lists(BITS, max_size=25).map("".join).map(write), st.binary(max_size=40)))
def test_what_was_read_is_written_and_read_the_same(data: bytes) -> None:
    read = entries.parse(data)
    written = entries.render(read)
    assert entries.parse(written) == read
    assert entries.render(entries.parse(written)) == written
    assert all(map(entries.is_entry, read))


@given(st.lists(BITS, max_size=8).map("".join))
def test_is_entry_says_what_survives(text: str) -> None:
    survives = text != "" and entries.parse(write(text)) == [text] and entries.render([text]) == write(text + "\n")
    assert entries.is_entry(text) is survives


@given(st.lists(st.sampled_from(["a", "bb", "中文字", "\udcff", "long " * 9]), max_size=9), st.integers(-3, 60))
def test_a_projection_fits_and_leaves_out_nothing_that_would_fit_behind_it(texts: list[str], limit: int) -> None:
    shown = entries.project(texts, limit)
    assert len("\n§\n".join(shown)) <= max(limit, 0)
    left_out = [text for text in texts if text not in shown]
    assert not any(len("\n§\n".join([*shown, text])) <= limit for text in left_out)


def test_what_python_and_javascript_strip_is_stripped() -> None:
    python = {chr(code) for code in range(0x110000) if chr(code).isspace()}
    # ECMA-262: WhiteSpace (Zs and five more) and LineTerminator.
    javascript = {chr(code) for code in range(0x10000) if unicodedata.category(chr(code)) == "Zs"}
    javascript |= set("\t\x0b\x0c\ufeff\n\r\u2028\u2029")
    assert set(entries.STRIP) == python | javascript


def test_a_lone_surrogate_from_elsewhere_is_no_entry() -> None:
    assert not entries.is_entry("\ud800")


def test_entry_hash_is_of_the_bytes() -> None:
    assert entries.entry_hash("\udcff") == "a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89"
    assert entries.entry_hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize("text", ["§\u3000\n", " §\n", "§\n", "§", "\n", "　\n", "\r", "a\n§\n", "§ a\n"])
def test_long_files_take_no_quadratic_time(text: str) -> None:
    read = entries.parse(write(text * 200_000))
    assert entries.parse(entries.render(read)) == read
