from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import json_text
from soulsync.formats.json_text import Malformed, Number

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_looks_like_indented_json_of_any_other_program(value: Any) -> None:
    data = (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
    assert json_text.render(json_text.parse(data)) == data


@given(
    st.binary(max_size=30)
    | st.text('{}[]",:0123456789.eE+-trufalsn \\ud8\ud800', max_size=30).map(
        lambda t: t.encode("utf-8", "surrogatepass")
    )
)
def test_reads_what_json_reads_and_writes_it_back_alike(data: bytes) -> None:
    try:
        expected = json.loads(
            data.decode("utf-8"), parse_constant=lambda _: 1 / 0, parse_int=Number, parse_float=Number
        )
    except (ValueError, ZeroDivisionError):
        with pytest.raises(Malformed):
            json_text.parse(data)
        return
    written = json_text.render(json_text.parse(data))
    assert json.loads(written, parse_int=Number, parse_float=Number) == expected


@pytest.mark.parametrize(
    "literal",
    [
        "0",
        "-0",
        "1.0",
        "1.00",
        "1e5",
        "1E+5",
        "1e400",
        "-1e-400",
        "0.1",
        "9" * 18,
        "9" * 19,
        "-" + "9" * 18,
        "7" * 1_000_000,
    ],
)
def test_number_literals_survive(literal: str) -> None:
    data = f'{{\n  "n": {literal}\n}}\n'.encode()
    assert json_text.render(json_text.parse(data)) == data


def test_plain_numbers_are_plain() -> None:
    assert json_text.parse(b"[1, -5, 1.5, 1790000000000]") == [1, -5, 1.5, 1790000000000]
    assert json_text.parse(b"1E5") == Number("1E5") != json_text.parse(b"1e5")
    assert repr(Number("-0")) == "Number('-0')"
    assert len({Number("-0"), Number("-0"), Number("1E5")}) == 2


def test_lone_surrogates_stay_escapes_and_all_else_is_plain() -> None:
    assert (
        json_text.render(json_text.parse(b'"\\ud800 \\u4e2d \\ud83d\\ude00 \\u2028 \\u007f \\/"'))
        == '"\\ud800 中 😀 \u2028 \x7f /"\n'.encode()
    )


def test_a_byte_order_mark_is_dropped() -> None:
    assert json_text.parse("\ufeff{}".encode()) == {}


def test_the_last_of_two_equal_keys_counts_as_everywhere() -> None:
    assert json_text.parse(b'{"a": 1, "b": 2, "a": 3}') == {"a": 3, "b": 2}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff", "not UTF-8"),
        (b"\xed\xa0\x80", "not UTF-8"),
        (b"", "not JSON"),
        (b"{oops", "not JSON"),
        (b"{} {}", "not JSON"),
        (b"[NaN]", "not JSON: NaN"),
        (b"-Infinity", "not JSON: -Infinity"),
        (b"'a'", "not JSON"),
        (b'"a\nb"', "not JSON"),
        (b"[" * 100_000, "too deep"),
        (b"[" * 102 + b"]" * 102, "too deep"),
        (b'{"a":' * 99_999 + b"1" + b"}" * 99_999, "too deep"),
    ],
)
def test_malformed(data: bytes, reason: str) -> None:
    with pytest.raises(Malformed, match=reason):
        json_text.parse(data)


def test_as_deep_as_allowed() -> None:
    data = b"[" * json_text.MAX_DEPTH + b"]" * json_text.MAX_DEPTH
    assert json_text.one_line(json_text.parse(data)) == data + b"\n"


@pytest.mark.parametrize("data", [b"[]", b"1", b'"{}"', b"null"])
def test_not_an_object(data: bytes) -> None:
    with pytest.raises(Malformed, match="not a JSON object"):
        json_text.parse_object(data)


@given(VALUES, VALUES)
def test_same_says_whether_two_values_are_written_alike(one: Any, other: Any) -> None:
    one, other = (json_text.parse(json_text.one_line(value)) for value in (one, other))
    assert json_text.same(one, other) is (json_text.one_line(one) == json_text.one_line(other))
    assert json_text.same(one, json_text.parse(json_text.one_line(one)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        (0, Number("-0")),
        (0.0, -0.0),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ([1], [1, 2]),
        ("1", Number("1")),
    ],
)
def test_same_tells_apart_what_python_does_not(one: Any, other: Any) -> None:
    assert not json_text.same(one, other)
