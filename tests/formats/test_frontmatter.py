from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import frontmatter, oxsoul
from soulsync.formats.frontmatter import Field, build, drop, parse, render
from soulsync.formats.frontmatter_values import array, number, number_text, string, with_array, with_string
from soulsync.formats.text import Malformed
from tests.formats.frontmatters import files
from tests.vectors import vectors


def file_of(block: str) -> bytes:
    return f"---\n{block}\n---\nThe text.\n".encode()


def value_of(memory: oxsoul.Memory, key: str) -> object:
    return getattr(memory, key) if key in oxsoul.KNOWN else memory.extra.get(key)


@pytest.mark.parametrize("case", vectors("oxsoul", "frontmatter"))
def test_values(case: dict[str, Any]) -> None:
    data = file_of(case["block"])
    memory = oxsoul.parse(data)
    assert oxsoul.render(memory) == data
    assert {key: value_of(memory, key) for key in case["values"]} == case["values"]
    rules = {fault.rule for fault in oxsoul.faults(memory)}
    assert rules - {"missing"} == set(case.get("rules", [])) - {"missing"}
    assert ("missing" in rules) or "missing" not in case.get("rules", [])


@pytest.mark.parametrize("case", vectors("oxsoul", "frontmatter"))
def test_values_with_crlf_and_a_byte_order_mark(case: dict[str, Any]) -> None:
    data = b"\xef\xbb\xbf" + file_of(case["block"]).replace(b"\n", b"\r\n")
    memory = oxsoul.parse(data)
    assert oxsoul.render(memory) == data
    assert {key: value_of(memory, key) for key in case["values"]} == case["values"]
    assert memory.body == "The text."


@pytest.mark.parametrize("case", [case for case in vectors("oxsoul", "frontmatter") if "raw" in case.values[0]])
def test_lines_that_are_no_key_stay(case: dict[str, Any]) -> None:
    document = parse(file_of(case["block"]))
    lines = document.preamble.split("\n") + [line for field in document.fields for line in field.rest.split("\n")]
    assert [line for line in lines if line] == case["raw"]


@pytest.mark.parametrize(
    "data",
    [
        b"", b"---", b"---\n", b"---\nname: a\n", b"--- \nname: a\n---\n", b"\n---\nname: a\n---\n", b"name: a\n",
        b"---\nname: a\n ---\n", b"---\nname: a\n----\n", b"---\rname: a\r---\r", b"\xef\xbb\xbf\xef\xbb\xbf---\n---\n",
    ],
    ids=repr,
)  # fmt: skip
def test_a_file_without_a_closed_block(data: bytes) -> None:
    with pytest.raises(Malformed, match=r"^without"):
        parse(data)


@pytest.mark.parametrize("data", [b"---\nname: \xff\n---\n", "---\nname: a\n---\n".encode("utf-16"), b"---\n---\n\x80"])
def test_a_file_that_is_not_utf_8(data: bytes) -> None:
    with pytest.raises(Malformed, match="not UTF-8"):
        parse(data)


@pytest.mark.parametrize("data", [b"---\n---", b"---\r\n---\r\n", b"---\n---\n---\n", b"\xef\xbb\xbf---\n---\nbody"])
def test_an_empty_block(data: bytes) -> None:
    document = parse(data)
    assert document.fields == ()
    assert render(document) == data


def test_pieces_have_their_lines() -> None:
    document = parse(b"---\n# head\nname: a\n\ntags:\n  - b\n---\nfirst\nsecond")
    assert document.preamble == "# head\n"
    assert [(field.key, field.line, field.rest) for field in document.fields] == [
        ("name", 3, "\n"), ("tags", 5, "  - b\n"),
    ]  # fmt: skip
    assert (document.body, document.body_line) == ("first\nsecond", 8)


def test_a_key_that_is_taken_out_leaves_the_comments_below_it() -> None:
    document = parse(b"---\nname: a\nx_b: 1\n# about a\n  more: 2\n\nsource: scan\nx_b: 2\n---\n")
    assert render(drop(document, "x_b")) == b"---\nname: a\n# about a\n\nsource: scan\n---\n"
    assert render(drop(parse(b"---\nx_b: 1\n# c\n---\n"), "x_b")) == b"---\n# c\n---\n"
    assert drop(document, "absent") is document


def test_a_fence_at_the_end_of_the_file_gets_its_line_end_with_a_body() -> None:
    document = parse(b"---\r\nname: a\r\n---")
    assert render(document.with_body("text\r\n")) == b"---\r\nname: a\r\n---\r\ntext\r\n"
    assert render(document.with_body("")) == b"---\r\nname: a\r\n---"


@given(files())
def test_parse_then_write_is_byte_identical(data: bytes) -> None:
    assert render(parse(data)) == data
    assert oxsoul.render(oxsoul.parse(data)) == data


@given(st.one_of(st.binary(max_size=60), st.binary(max_size=40).map(lambda junk: b"---\n" + junk + b"\n---\n")))
def test_any_bytes_are_read_whole_or_refused(data: bytes) -> None:
    try:
        document = parse(data)
    except Malformed:
        return
    assert render(document) == data
    oxsoul.faults(oxsoul.parse(data))


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
TRICKY = st.lists(st.sampled_from([*"\"'#,[]\\ab \n\t-:", "''", " #", "用户", "\u2028", "\x00"]), max_size=12).map(
    "".join
)


@given(st.one_of(TEXTS, TRICKY), st.booleans())
def test_a_string_that_is_written_is_read_the_same(text: str, comments: bool) -> None:
    for old in (None, Field("name", "name: 'old' # why\n"), Field("name", "name:\r\n")):
        written = with_string(old, "name", text, "\n", comments=comments)
        assert string(written.text, comments=comments) == text
        assert written.raw.count("\n") == 1


@given(st.lists(st.one_of(TEXTS, TRICKY), max_size=5))
def test_a_list_that_is_written_is_read_the_same(items: list[str]) -> None:
    for old in (None, Field("tags", "tags: [a, 'b] c'] # why\n"), Field("tags", "tags:\n- a\n# why\n- b\n")):
        written = with_array(old, "tags", items, "\n")
        assert array(written) == (items, True)
        assert "why" in written.raw or old is None


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_that_is_written_is_read_the_same(value: float) -> None:
    assert number(number_text(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.5"), (1.0, "1"), (0.0, "0"), (-0.0, "0"), (0.1 + 0.2, "0.30000000000000004"), (1e-6, "0.000001"),
        (1.5e-6, "0.0000015"), (1e-7, "1e-7"), (1.25e-10, "1.25e-10"), (1e20, "100000000000000000000"), (1e21, "1e+21"),
        (-2.5e-6, "-0.0000025"), (123456.75, "123456.75"),
    ],
)  # fmt: skip
def test_numbers_look_as_in_javascript(value: float, text: str) -> None:
    assert number_text(value) == text


def test_a_new_document() -> None:
    assert render(build([("name", "a"), ("x_b", "")], "text\n")) == b"---\nname: a\nx_b:\n---\ntext\n"


HOSTILE = {
    "backslashes": '["' + "\\" * 60_000,
    "escaped quotes": "[" + '"a\\",' * 12_000,
    "open quotes": "[" + "'a" * 30_000,
    "commas": "[" + ", x" * 20_000,
    "blanks": "[" + " " * 60_000,
    "quotes": '"' + '\\"' * 30_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_values_take_linear_time(text: str) -> None:
    """Counted in steps of the interpreter, not in seconds: twice the text, about twice the steps."""
    steps = [steps_of(part) for part in (text[: len(text) // 2], text)]
    assert steps[1] < 3 * steps[0] + 1000


def steps_of(text: str) -> int:
    import sys

    count = 0

    def trace(frame: object, event: str, arg: object) -> Any:
        nonlocal count
        count += 1
        return trace

    field = Field("tags", f"tags: {text}\n")
    sys.settrace(trace)
    try:
        array(field)
        string(text, comments=True)
    finally:
        sys.settrace(None)
    return count


def test_keys() -> None:
    keys = {"a: b": "a", "a:": "a", "a.b-c_D9: x": "a.b-c_D9", "_:\t": "_", "a:\u3000b": "a"}
    none = ["", ":", "a", "a:b", " a: b", "-a: b", ".a: b", "9: b", "é: b", "a b: c", "- a: b", "# a: b", "a :b"]
    assert {line: frontmatter.key_of(line) for line in keys} == keys
    assert [line for line in none if frontmatter.key_of(line) is not None] == []
