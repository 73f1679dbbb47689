from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import oxsoul
from soulsync.formats.oxsoul import Fault, edit, faults, new, parse, render, with_body
from soulsync.formats.oxsoul_names import Names, clean_name, fnv1a, fnv1a_utf16, is_name
from tests.formats.frontmatters import files
from tests.vectors import vectors

WHOLE = """\
---
name: prefers-pnpm                  # the file's name
description: 用户偏好 pnpm: 管理依赖 #1
category: preference
importance: 0.5   # default
confidence: 0.6
source: scan
tags: [pnpm, workflow]   # two
x_fingerprint: 007  # stays
created: 2026-09-04T00:00:00.000Z
updated: 2026-09-04T00:00:00.000Z
---
用户在所有项目里用 pnpm。
""".encode()


def test_a_whole_memory() -> None:
    memory = parse(WHOLE)
    assert (memory.name, memory.description) == ("prefers-pnpm", "用户偏好 pnpm: 管理依赖 #1")
    assert (memory.category, memory.source, memory.tags) == ("preference", "scan", ["pnpm", "workflow"])
    assert (memory.importance, memory.confidence) == (0.5, 0.6)
    assert memory.extra == {"x_fingerprint": "007  # stays"}
    assert memory.body == "用户在所有项目里用 pnpm。"
    assert memory.is_valid
    assert memory.is_of_this_version
    assert faults(memory) == []


@pytest.mark.parametrize(
    ("changes", "old", "fresh"),
    [
        ({"importance": 0.75}, "importance: 0.5   # default", "importance: 0.75   # default"),
        ({"tags": ["pnpm", "a, b"]}, "tags: [pnpm, workflow]   # two", 'tags: [pnpm, "a, b"]   # two'),
        ({"name": "uses-pnpm"}, "name: prefers-pnpm                  #", "name: uses-pnpm                  #"),
        ({"description": "PR #456"}, "description: 用户偏好 pnpm: 管理依赖 #1", "description: PR #456"),
        ({"source": "a # b"}, "source: scan", 'source: "a # b"'),
        ({"x_fingerprint": "9"}, "x_fingerprint: 007  # stays", "x_fingerprint: 9"),
        ({"x_new": "a\nb"}, "updated: 2026-09-04T00:00:00.000Z\n", "updated: 2026-09-04T00:00:00.000Z\nx_new: a b\n"),
        ({"x_fingerprint": None}, "x_fingerprint: 007  # stays\n", ""),
    ],
)
def test_an_edit_changes_its_line_alone(changes: dict[str, Any], old: str, fresh: str) -> None:
    text = WHOLE.decode()
    assert text.count(old) == 1
    assert render(edit(parse(WHOLE), changes)).decode() == text.replace(old, fresh)


def test_an_edit_that_changes_nothing_changes_no_byte() -> None:
    odd = b"---\nimportance:   \"0.50\"\ntags:\n  - a\n  - 'b'\nname: 'n' # c\ndescription: \"d\"\nx_y:   z\n---\n"
    memory = parse(odd)
    same = edit(memory, {"importance": 0.5, "tags": ["a", "b"], "name": "n", "description": "d", "x_y": "z"})
    assert same is memory


def test_an_edit_writes_a_clamped_number() -> None:
    assert b"confidence: 1\n" in render(edit(parse(b"---\nconfidence: 1.5\n---\n"), {"confidence": 1.0}))


def test_an_edit_changes_the_last_of_several_lines_of_a_key() -> None:
    memory = parse(b"---\nconfidence: 0.6\nname: a\nconfidence: 1\n---\n")
    assert render(edit(memory, {"confidence": 0.5})) == b"---\nconfidence: 0.6\nname: a\nconfidence: 0.5\n---\n"
    assert render(oxsoul.collapsed(memory)) == b"---\nname: a\nconfidence: 1\n---\n"


def test_a_new_memory_has_the_order_of_the_spec() -> None:
    fields: dict[str, str | float | list[str]] = {
        "x_a": "1",
        "tags": ["t"],
        "description": "d",
        "name": "n",
        "importance": 1.0,
    }
    assert render(new(fields, "\n\ntext\r\nmore\n\n")) == (
        b"---\nname: n\ndescription: d\nimportance: 1\ntags: [t]\nx_a: 1\n---\ntext\nmore\n"
    )
    assert render(new({"name": "n"}, "")) == b"---\nname: n\n---\n"


def test_another_body_keeps_the_line_ends() -> None:
    memory = parse(b"---\r\nname: a\r\n---\r\n\r\nold\r\n")
    assert with_body(memory, "old") is memory
    assert render(with_body(memory, "one\ntwo")) == b"---\r\nname: a\r\n---\r\none\r\ntwo\r\n"


def test_faults_have_their_lines() -> None:
    text = b"---\nname: A\nimportance: x\nconfidence: 7\ncategory: c\nname: B\n  lost\nsource: s\ncreated: c\n---\n"
    assert faults(parse(text)) == [
        Fault(1, "missing", "description"), Fault(1, "missing", "updated"), Fault(3, "not-a-number", "importance"),
        Fault(4, "out-of-range", "confidence"), Fault(5, "category", "c"), Fault(6, "duplicate-key", "name"),
        Fault(6, "name", "B"), Fault(7, "not-a-key", "lost"), Fault(8, "source", "s"), Fault(9, "date", "c"),
    ]  # fmt: skip
    long = f"---\nname: a\ndescription: {'长' * 121}\n---\n".encode()
    assert Fault(3, "description-length", "121") in faults(parse(long))


@pytest.mark.parametrize(("line", "ours"), [("spec: 0", True), ("spec: v0", True), ("spec: 1", False), ("a: b", True)])
def test_the_version_of_a_file(line: str, ours: bool) -> None:
    assert parse(f"---\n{line}\n---\n".encode()).is_of_this_version == ours


VALUES = st.one_of(st.text(max_size=8), st.sampled_from(["", "a # b", "'x'", '"', "用户: a"]))
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "name": VALUES, "description": VALUES, "importance": st.floats(0, 1), "updated": VALUES,
        "tags": st.lists(VALUES, max_size=3),
    },
)  # fmt: skip


@given(files(), CHANGES)
def test_an_edit_is_read_back_and_leaves_every_other_line(data: bytes, changes: dict[str, Any]) -> None:
    before = parse(data)
    after = parse(render(edit(before, changes)))
    for key, value in changes.items():
        assert getattr(after, key) == (value if isinstance(value, list | float) else value or None)
    kept = [field for field in before.document.fields if field.key not in changes]
    assert [field for field in after.document.fields if field.key not in changes] == kept
    assert (after.document.preamble, after.body) == (before.document.preamble, before.body)


@pytest.mark.parametrize("case", vectors("oxsoul", "fnv1a"))
def test_fnv1a(case: dict[str, str]) -> None:
    assert (fnv1a(case["path"]), fnv1a_utf16(case["path"])) == (case["utf8"], case["utf16"])


@pytest.mark.parametrize("case", vectors("oxsoul", "names"))
def test_names(case: dict[str, str]) -> None:
    assert clean_name(case["text"], case["description"]) == case["cleaned"]
    assert is_name(case["cleaned"])


@given(
    st.lists(st.one_of(st.text(max_size=80), st.sampled_from(["a", "A", "a-2", "con", "用户", "x" * 70])), max_size=20)
)
def test_cleaned_names_are_names_and_unique(texts: list[str]) -> None:
    names = Names({"a", "MEMORY"})
    claimed = [names.claim(clean_name(text)) for text in texts]
    assert all(map(is_name, claimed))
    assert len({"a", "memory", *claimed}) == len(claimed) + 2


def test_many_memories_of_one_name_are_numbered_within_the_length() -> None:
    names = Names()
    claimed = [names.claim("x" * 64) for _ in range(2000)]
    assert len(set(claimed)) == 2000
    assert claimed[1] == "x" * 62 + "-2"
    assert claimed[-1] == "x" * 59 + "-2000"
