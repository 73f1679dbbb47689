"""Where keys stand in a JSON file."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import json_lines

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=6), VALUES, max_size=6), st.sampled_from([None, 0, 2]), st.booleans())
def test_each_key_is_on_the_line_where_it_is_written(value: dict[str, Any], indent: int | None, plain: bool) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=plain).encode("utf-8", "surrogatepass" if plain else "replace")
    expected = json.loads(data)
    found = json_lines.lines(data)
    assert list(found) == list(expected)
    for key, line in found.items():
        rest = b"\n".join(data.split(b"\n")[line - 1 :]).decode()
        assert json.dumps(key, ensure_ascii=plain) in rest.split("\n")[0]
    assert json_lines.repeated(data) == []


@pytest.mark.parametrize(
    ("text", "lines", "repeated"),
    [
        ("{}", {}, []),
        ('\n{"a": 1, "b":\n\n2}\n', {"a": 2, "b": 2}, []),
        ('{"a": "}\\"",\n"b": [1, {"c": "]"}],\n"d": -1.5e5}', {"a": 1, "b": 2, "d": 3}, []),
        ('{"a": 1,\n"b": 2,\n"a": 3}', {"a": 3, "b": 2}, ["a"]),
        ('{"a": {"x": 1, "x": 2}, "b": {"x": 1}}', {"a": 1, "b": 1}, ["x"]),
        ('{"a": 1, "\\u0061": 2}', {"a": 1}, ["a"]),
        ('{"a": 1, "a" : 2, "a":3}', {"a": 1}, ["a"]),
        ("\ufeff{\r\n\t\"a\" : true\r\n}", {"a": 2}, []),
        ('{"a": ' + "7" * 5000 + ', "b": null}', {"a": 1, "b": 1}, []),
    ],
)  # fmt: skip
def test_cases(text: str, lines: dict[str, int], repeated: list[str]) -> None:
    assert json_lines.lines(text.encode()) == lines
    assert json_lines.repeated(text.encode()) == repeated
