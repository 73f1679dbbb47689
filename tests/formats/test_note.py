from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import note


@pytest.mark.parametrize(
    ("topic", "path"),
    [
        ("moons", "notes/moons.md"),
        ("astronomy/moons", "notes/astronomy/moons.md"),
        ("a/b/c/d", "notes/a/b/c/d.md"),
        ("moons.md", "notes/moons.md"),
        ("  The moons of: Mars?? ", "notes/The-moons-of-Mars-.md"),
        ('\\:*?"<>| \t', "notes/-.md"),
        ("天 文/月", "notes/天-文/月.md"),
        ("", "notes/untitled.md"),
        ("///", "notes/untitled.md"),
        ("a//b/", "notes/a/b.md"),
        (" . / .. ", "notes/untitled/untitled.md"),
        ("a. ./b ..", "notes/a.-/b-.md"),
        ("con", "notes/con_.md"),
        ("CON.txt/Lpt1", "notes/CON_.txt/Lpt1_.md"),
        ("com¹/console", "notes/com¹_/console.md"),
        (".git/x", "notes/_.git/x.md"),
        ("git~1", "notes/git~1_.md"),
        ("x.incoming", "notes/x-incoming.md"),
        ("tab\x00and\x1bescape", "notes/tab-and-escape.md"),
        ("e\u0301", "notes/\u00e9.md"),
        ("x" * 61, f"notes/{'x' * 60}.md"),
        ("𝄞" * 61, f"notes/{'𝄞' * 60}.md"),
        ("x" * 59 + ".y", f"notes/{'x' * 59}.md"),
        ("a - b", "notes/a---b.md"),
    ],
)
def test_clean_path(topic: str, path: str) -> None:
    assert note.clean_path(topic) == path


def test_too_deep() -> None:
    with pytest.raises(ValueError, match="5 levels deep"):
        note.clean_path("a/b/c/d/e")


@given(st.text(max_size=80))
def test_a_clean_segment_fits_everywhere_and_is_clean(text: str) -> None:
    segment = note.clean_segment(text)
    assert 0 < len(segment) <= 60
    assert len(segment.encode("utf-8", "surrogatepass")) <= 240
    assert not set(segment) & set('\\/:*?"<>| \t\r\n\x00')
    assert segment[-1] != "."
    assert unicodedata.is_normalized("NFC", segment)
    assert note.clean_segment(segment) == segment


def test_beside_takes_the_spelling_that_is_there() -> None:
    there = ["notes/Astronomy/Moons.md", "notes/e\u0301/x.md"]
    assert note.beside("notes/astronomy/moons.md", there) == "notes/Astronomy/Moons.md"
    assert note.beside("notes/ASTRONOMY/stars.md", there) == "notes/Astronomy/stars.md"
    assert note.beside("notes/\u00e9/y.md", there) == "notes/e\u0301/y.md"
    assert note.beside("notes/other.md", there) == "notes/other.md"


def test_parse_and_render() -> None:
    data = note.render("The\nmoons", "\nPhobos\n\n  Deimos\n\n", " two of them ")
    assert data == b"# The moons\n> two of them\n\nPhobos\n\n  Deimos\n"
    read = note.parse(data)
    assert (read.topic, read.summary, read.text) == ("The moons", "two of them", "Phobos\n\n  Deimos")
    assert note.render("T", "") == b"# T\n"
    assert note.render("T", "x", " ") == b"# T\n\nx\n"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", (None, None, "")),
        (b"text\n> quote\n", (None, None, "text\n> quote")),
        (b"# T\n\n> quote\n", ("T", None, "> quote")),
        (b"\xef\xbb\xbf# T\r\n>s\r\nx\xff", ("T", "s", "x\udcff")),
        (b"## T\n", (None, None, "## T")),
        (b"# \n>\nx", (None, None, "x")),
    ],
)
def test_parse(data: bytes, expected: tuple[str | None, str | None, str]) -> None:
    read = note.parse(data)
    assert (read.topic, read.summary, read.text) == expected
