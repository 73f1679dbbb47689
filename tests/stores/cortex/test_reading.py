"""Reading a store: each bad file is named, none hides another, and nothing is changed on disk."""

from __future__ import annotations

import os
import socket
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from soulsync.formats.cortex import TYPES
from soulsync.stores.cortex import reading
from tests.formats.cortexes import fixture, realistic
from tests.formats.test_cortex_rules import entry_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.stores.cortex.conftest import Store

GOOD = (
    '{"schema_version": 1, "memory_id": "MEM-x", "type": "semantic", "content": "x", '
    '"created_at": "2026-11-06T08:00:00Z"'
)


def test_entries_come_by_type_and_id(store: Store) -> None:
    for kind in reversed(TYPES):
        for name in ("MEM-b", "MEM-a", "MEM-B2"):
            store.put(f"{name}-{kind}", kind)
    assert store.ids() == [f"{name}-{kind}" for kind in TYPES for name in ("MEM-B2", "MEM-a", "MEM-b")]
    assert store.rules() == []


def test_an_empty_store_is_a_store(store: Store) -> None:
    assert (store.ids(), store.rules()) == ([], [])


def test_two_hundred_memories(store: Store) -> None:
    entries = realistic()
    store.add(entries)
    found = reading.scan(store.root)
    assert found.findings == []
    assert sorted(found.entries, key=str) == sorted(entries, key=str)


def test_an_entry_takes_so_little_memory_that_ten_thousand_fit_100_megabytes(store: Store) -> None:
    entries = realistic(500)
    store.add(entries)
    tracemalloc.start()
    try:
        found = reading.scan(store.root)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(found.entries) == 500
    assert peak / 500 < 10_000


def test_litter_and_neighbours_are_no_findings(store: Store) -> None:
    store.put()
    for path in (
        "semantic/MEM-b.json.tmp-123", "semantic/.DS_Store", "semantic/.MEM-c.json.7-ab.tmp", "README.md",
        "memory.schema.json", ".trash/MEM-old.json", ".access.jsonl", "notes/plan.json",
    ):  # fmt: skip
        store.write(path, "x")
    assert (store.ids(), store.rules()) == (["MEM-a"], [])


@pytest.mark.parametrize(
    ("data", "line", "rule"),
    [
        (b"", 1, "json"),
        (b'{\n  "a": 1\n  "b": 2\n}', 3, "json"),
        (b'{"a": NaN}', 1, "json"),
        (b'{"confidence": Infinity}', 1, "json"),
        (b"[]", 1, "json"),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, 1, "json"),
        (b'{"a":' * 150 + b"1" + b"}" * 150, 1, "json"),
        (b"\xff\xfe{}", 1, "utf-8"),
        (b'{"content": "caf\xe9"}', 1, "utf-8"),
        (b'{"content": "\x00"}', 1, "json"),
    ],
)  # fmt: skip
def test_a_file_that_does_not_parse(store: Store, data: bytes, line: int, rule: str) -> None:
    store.put()
    store.write("semantic/MEM-x.json", data)
    before = store.files()
    assert store.rules() == [("semantic/MEM-x.json", line, rule)]
    assert store.ids() == ["MEM-a"]
    assert store.files() == before


BAD = [case for case in fixture("entries.json")["cases"] if case["rules"]]


@pytest.mark.parametrize("case", BAD, ids=lambda case: case["name"])
def test_an_entry_that_breaks_the_schema_is_named_by_every_rule(store: Store, case: dict[str, Any]) -> None:
    import json

    store.put("MEM-good")
    store.write("semantic/MEM-a.json", json.dumps(entry_of(case), indent=2))
    found = reading.scan(store.root)
    named = [one for one in found.findings if one.rule not in ("directory", "file-name")]
    assert sorted(one.rule for one in named) == sorted(case["rules"])
    assert {one.path for one in named} == {"semantic/MEM-a.json"}
    assert all(one.line and one.message for one in named)
    assert store.ids() == ["MEM-good"]


def test_the_line_of_a_fault_is_where_its_key_stands(store: Store) -> None:
    store.write("semantic/MEM-x.json", GOOD + ',\n"tags": [\n"A"\n],\n\n"x_note": 1,\n"scope": "team"}')
    assert store.rules() == [
        ("semantic/MEM-x.json", 2, "tag"),
        ("semantic/MEM-x.json", 6, "unknown-key"),
        ("semantic/MEM-x.json", 7, "scope"),
    ]


def test_what_is_odd_and_readable_is_named_and_listed(store: Store) -> None:
    store.write("semantic/MEM-x.json", b"\xef\xbb\xbf" + (GOOD + ',\r\n"content": "y"}').encode())
    assert store.rules() == [("semantic/MEM-x.json", 1, "byte-order-mark"), ("semantic/MEM-x.json", 2, "duplicate-key")]
    (entry,) = reading.scan(store.root).entries
    assert entry["content"] == "y"
    assert reading.scan(store.root, thorough=False).entries == [entry]


def test_line_ends_and_a_missing_last_one_are_nothing_odd(store: Store) -> None:
    store.write("semantic/MEM-x.json", GOOD.replace(", ", ",\r\n") + "}")
    assert (store.ids(), store.rules()) == (["MEM-x"], [])


def test_places_and_names(store: Store) -> None:
    store.write("episodic/MEM-x.json", GOOD + "}")
    store.write("semantic/MEM-y.json", GOOD + "}")
    store.write("semantic/MEM-\u0445.json", GOOD + "}")
    store.write("semantic/MEM-x.JSON", GOOD + "}")
    store.write("semantic/MEM-\u200bx.json", GOOD + "}")
    store.write("semantics/MEM-lost.json", GOOD + "}")
    store.write("MEM-lost.json", GOOD + "}")
    assert store.rules() == [
        ("MEM-lost.json", None, "directory"),
        ("episodic/MEM-x.json", None, "directory"),
        ("semantic/MEM-\\u200bx.json", None, "file-name"),
        ("semantic/MEM-x.JSON", None, "file-name"),
        ("semantic/MEM-y.json", None, "file-name"),
        ("semantic/MEM-х.json", None, "file-name"),
        ("semantics/MEM-lost.json", None, "directory"),
    ]
    assert store.ids() == []
    (look_alike,) = [one for one in reading.scan(store.root).findings if "\u0445" in one.path]
    assert "\\u0445" in look_alike.message


def test_a_path_as_id_never_leaves_the_store(store: Store) -> None:
    outside = store.root.parent / "secret.json"
    outside.write_text(GOOD.replace("MEM-x", "MEM-../../secret") + "}")
    store.write("semantic/MEM-x.json", GOOD.replace("MEM-x", "MEM-../../secret") + "}")
    assert store.rules() == [("semantic/MEM-x.json", 1, "memory-id")]
    assert store.ids() == []


def test_one_id_twice(store: Store) -> None:
    store.put("MEM-a", "semantic")
    store.put("MEM-a", "episodic")
    store.put("MEM-A", "semantic")
    assert store.ids() == ["MEM-a", "MEM-A", "MEM-a"]
    assert store.rules() == [
        ("semantic/MEM-A.json", None, "duplicate-id"), ("semantic/MEM-a.json", None, "duplicate-id"),
    ]  # fmt: skip


def test_large_contents(store: Store) -> None:
    store.put("MEM-a", content="字" * 4000)
    store.put("MEM-b", content="x" * 1_048_576)
    store.write("semantic/MEM-c.json", b" " * (reading.MAX_BYTES + 1))
    assert store.rules() == [("semantic/MEM-b.json", 5, "content-length"), ("semantic/MEM-c.json", None, "too-large")]
    (long, _) = reading.scan(store.root).findings
    assert "1048576" in long.message
    assert store.ids() == ["MEM-a"]


def make_folder(path: Path) -> None:
    path.mkdir()


def make_link(path: Path) -> None:
    path.symlink_to(path.with_name("MEM-a.json"))


def make_dangling_link(path: Path) -> None:
    path.symlink_to("nowhere")


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))  # an absolute path may be longer than a socket's may be


@pytest.mark.parametrize(
    ("make", "rule"),
    [
        (make_folder, "not-a-file"), (make_link, "symlink"), (make_dangling_link, "symlink"), (make_pipe, "not-a-file"),
        (make_socket, "not-a-file"),
    ],
)  # fmt: skip
def test_no_plain_file(store: Store, make: Callable[[Path], None], rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put()
    monkeypatch.chdir(store.root)
    make(store.root / "semantic" / "MEM-x.json")
    assert store.rules() == [("semantic/MEM-x.json", None, rule)]
    assert store.ids() == ["MEM-a"]


def test_a_folder_of_a_type_that_is_none(store: Store, tmp_path: Path) -> None:
    store.put()
    (tmp_path / "elsewhere").mkdir()
    (store.root / "episodic").symlink_to(tmp_path / "elsewhere")
    store.write("procedural", "x")
    assert store.rules() == [("episodic", None, "symlink"), ("procedural", None, "unreadable")]
    assert store.ids() == ["MEM-a"]


@pytest.fixture
def as_nobody(tmp_path: Path) -> Any:
    """Read as a user for whom file modes count; root reads everything."""
    if os.geteuid() != 0:
        yield
        return
    modes = [(folder, folder.stat().st_mode & 0o7777) for folder in (tmp_path, *tmp_path.parents)]
    closed = [(folder, mode) for folder, mode in modes if mode & 0o055 != 0o055]  # the group stays root's
    for folder, mode in closed:
        folder.chmod(mode | 0o055)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
        for folder, mode in closed:
            folder.chmod(mode)


def test_what_can_not_be_read(store: Store, request: pytest.FixtureRequest) -> None:
    store.put()
    closed = store.put("MEM-closed")
    closed.chmod(0)
    folder = store.put("MEM-b", "episodic").parent
    folder.chmod(0)
    request.getfixturevalue("as_nobody")
    found = reading.scan(store.root)
    assert [(one.path, one.rule) for one in found.findings] == [
        ("episodic", "unreadable"), ("semantic/MEM-closed.json", "unreadable"),
    ]  # fmt: skip
    assert [entry["memory_id"] for entry in found.entries] == ["MEM-a"]
    assert all("Permission denied" in one.message for one in found.findings)
