from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from soulsync.formats import entries, openclaw
from soulsync.formats.openclaw_blocks import STRUCTURE, lines_of, read
from tests.vectors import vectors


def write(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("case", vectors("openclaw", "parse"))
def test_parse(case: dict[str, Any]) -> None:
    assert openclaw.parse(write(case["text"])) == case["entries"]


@pytest.mark.parametrize("case", vectors("openclaw", "render"))
def test_render(case: dict[str, Any]) -> None:
    written = openclaw.render(write(case["text"]), case["wanted"])
    assert written.decode("utf-8", "surrogateescape") == case["written"]


BITS = st.sampled_from(
    [
        "a", "b", "é", "§", "\n", "\n\n", "\n\n\n", " ", "  ", "\t", "    ", "- ", "* ", "-", "---", "***", "# ", "#",
        "```", "~~~", "```\n", "<!--", "-->", "<!-- x -->", "_(a)_", "**a:**", ":", "a: b", '"', '§"', '§"a"', "\\",
        "===", ">", "> ", "1. ", "\r", "\r\n", "\u3000", "\u2028", "\x0b", "\x00", "\ufeff", "\udcff", "\n§\n", "§\n",
        "[a](/b)", "Private things stay private. Period.",
    ]
)  # fmt: skip
TEXT = st.lists(BITS, max_size=14).map("".join)
ENTRY = TEXT.filter(entries.is_entry)
ENTRIES = st.lists(ENTRY, max_size=5)
DOCUMENT = st.one_of(TEXT, st.lists(TEXT, max_size=6).map("\n".join))


def once(texts: list[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def structure(data: bytes) -> list[str]:
    """The lines of headings, comments, rules and frontmatter, in order."""
    text = data.decode("utf-8", "surrogateescape")
    blocks = [block.raw for block in read(text) if block.kind == STRUCTURE and not block.is_blank]
    return [line.rstrip("\r\n") for raw in blocks for line in lines_of(raw)]


@given(ENTRIES)
@example(["---"])
@example(["- -"])
@example(["_(a)_", '§"x"', "§ x\n\n\n  y", "\udcff", "a\n\u3000\nb"])
def test_a_new_file_gives_back_every_entry(texts: list[str]) -> None:
    assert openclaw.parse(openclaw.render(b"", texts)) == once(texts)


@given(ENTRIES)
def test_a_new_file_is_utf_8_in_one_line_an_entry_or_more(texts: list[str]) -> None:
    written = openclaw.render(b"", texts).decode("utf-8")
    assert len([line for line in written.split("\n") if line.startswith("- ")]) >= len(once(texts))


@given(DOCUMENT, ENTRIES, st.integers(0, 63))
@example("- \n§\n\na\n  - ", [], 0)
def test_a_document_gets_the_entries_and_keeps_its_structure(text: str, added: list[str], choice: int) -> None:
    data = write(text)
    standing = openclaw.parse(data)
    wanted = [entry for at, entry in enumerate(standing) if choice >> (at % 6) & 1] + added
    written = openclaw.render(data, wanted)
    assert sorted(set(openclaw.parse(written))) == sorted(set(wanted))
    kept = iter(structure(written))
    assert all(line in kept for line in structure(data))
    assert openclaw.render(written, wanted) == written


@given(DOCUMENT)
def test_what_was_read_is_written_as_it_stood(text: str) -> None:
    data = write(text)
    assert openclaw.render(data, openclaw.parse(data)) == data
    assert all(map(entries.is_entry, openclaw.parse(data)))
    assert "".join(block.raw for block in read(text)) == text


@given(st.lists(st.sampled_from(["# H", "", "- one", "- two\n  more", "three", "* four", "<!-- c -->"]), max_size=9))
def test_entries_that_stay_keep_their_bytes(pieces: list[str]) -> None:
    data = write("\n".join(pieces) + "\n")
    written = openclaw.render(data, [entry for entry in openclaw.parse(data) if entry != "one"])
    assert written.count(b"* four") == data.count(b"* four")
    assert written.count(b"- two\n  more") == data.count(b"- two\n  more")


@given(DOCUMENT, ENTRIES, st.integers(0, 200))
def test_additions_fit_and_what_stands_stays(text: str, added: list[str], limit: int) -> None:
    data = write(text)
    standing = openclaw.parse(data)
    shown = openclaw.project(data, [*standing, *added], limit)
    assert set(standing) <= set(shown)
    if set(shown) - set(standing):
        written = openclaw.render(data, shown).decode("utf-8", "surrogateescape")
        assert len(written.encode("utf-16-le", "surrogatepass")) // 2 <= limit


@pytest.mark.parametrize(
    "piece", ["```a\n", "<!-- a\n", "~~~~\n", "- a\n\n", "\n", "- \n  ", "<!-- a --> b\n", "§\n", "- a\nb\n", "===\n"]
)
def test_odd_text_is_read_in_linear_time(piece: str) -> None:
    data = write(piece * 60_000)
    assert isinstance(openclaw.parse(data), list)
