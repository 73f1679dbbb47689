"""Writing, distilling and forgetting: whole files, all or none, into the trash and never away."""

from __future__ import annotations

import json
import resource
from typing import TYPE_CHECKING, Any

import pytest

from soulsync.errors import RefusedError, SoulSyncError, UsageError
from soulsync.formats import cortex
from soulsync.formats.instants import instant
from soulsync.formats.text import Malformed
from soulsync.stores.cortex import distilling, forgetting, place, reading, writing
from soulsync.stores.cortex.distilling import Candidate
from tests.formats.cortexes import CREATED, realistic

if TYPE_CHECKING:
    from pathlib import Path

    from tests.stores.cortex.conftest import Store

NOW = instant("2026-11-30T00:00:00Z") or 0


def candidates(*contents: str, kind: str = "semantic", **fields: Any) -> list[Candidate]:
    return [Candidate({"type": kind, "content": text, **fields}, CREATED, text) for text in contents]


def test_entries_are_written_whole_and_open_to_the_project(store: Store) -> None:
    paths = writing.write_all(store.root, realistic(3))
    for path, entry in zip(paths, realistic(3), strict=True):
        assert path == cortex.path_of(entry)
        file = store.root / path
        assert file.read_bytes() == cortex.render(entry)
        assert file.stat().st_mode & 0o044 == 0o044
    assert len(store.files()) == 3


def test_nothing_that_is_there_is_replaced_and_all_is_taken_back(store: Store) -> None:
    first, second = realistic(2)
    store.write(cortex.path_of(second), "mine")
    before = store.files()
    with pytest.raises(SoulSyncError, match="is there already"):
        writing.write_all(store.root, [first, second])
    assert store.files() == before


def test_no_way_through_a_link(store: Store, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (store.root / "semantic").symlink_to(tmp_path / "elsewhere")
    plan = distilling.plan(store.root, candidates("x"))
    with pytest.raises(SoulSyncError, match="is a link"):
        writing.write_all(store.root, plan.entries)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_full_disk_leaves_nothing(store: Store) -> None:
    entries = distilling.plan(store.root, [*candidates("short"), *candidates("字" * 4000)]).entries
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(OSError, match="large"):
            writing.write_all(store.root, entries)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert store.files() == {}


def test_distilling_twice_changes_nothing(store: Store) -> None:
    batch = distilling.plan(store.root, candidates("a", "b", "a"))
    assert (len(batch.entries), len(batch.there)) == (2, 1)
    store.add(batch.entries)
    again = distilling.plan(store.root, candidates("a", "b"))
    assert (again.entries, len(again.there)) == ([], 2)


def test_an_id_that_is_taken_by_another_text(store: Store) -> None:
    (entry,) = distilling.plan(store.root, candidates("a")).entries
    store.put(str(entry["memory_id"]).replace("MEM-semantic", "MEM-SEMANTIC"), content="another text")
    (other,) = distilling.plan(store.root, candidates("a")).entries
    assert other["memory_id"] != entry["memory_id"]
    assert other["content"] == "a"


def test_procedural_is_asked_for_by_name(store: Store) -> None:
    (refused,) = distilling.plan(store.root, candidates("a", kind="procedural")).refused
    assert [fault.rule for fault in refused[1]] == ["procedural"]
    (entry,) = distilling.plan(store.root, candidates("a", kind="procedural"), allow_procedural=True).entries
    assert cortex.path_of(entry).startswith("procedural/")


def test_a_bad_candidate_is_named_with_all_its_faults(store: Store) -> None:
    batch = distilling.plan(store.root, [*candidates("a"), Candidate({"content": "x" * 5000, "y": 1}, CREATED, "2")])
    assert len(batch.entries) == 1
    ((candidate, faults),) = batch.refused
    assert (candidate.origin, [fault.rule for fault in faults]) == ("2", ["required", "unknown-key", "content-length"])


@pytest.mark.parametrize("data", [b"", b"{}", b"[NaN]", b"\xff", b"[" * 200 + b"]" * 200, b'[{"type":]'])
def test_candidates_that_do_not_parse(data: bytes) -> None:
    with pytest.raises(Malformed):
        distilling.read_candidates(data, CREATED)


def test_candidates_are_numbered() -> None:
    assert [one.origin for one in distilling.read_candidates(b"[1, {}]", CREATED)] == ["1", "2"]


def test_forget_moves_to_the_trash_and_logs_without_content(store: Store) -> None:
    file = store.put("MEM-a", scope="user", title="a secret title", content="a secret content")
    data = file.read_bytes()
    going = forgetting.asked(reading.scan(store.root).entries, ["MEM-a", "MEM-a"])
    assert forgetting.forget(store.root, going, NOW) == [".trash/MEM-a.json"]
    assert store.files()[".trash/MEM-a.json"] == data
    assert store.ids() == []
    (line,) = (store.root / ".access.jsonl").read_text().splitlines()
    assert json.loads(line) == {
        "ts": "2026-11-30T00:00:00.000Z", "op": "forget", "scope": "user", "name": "MEM-a", "type": "semantic",
        "reason": "asked",
    }  # fmt: skip


def test_one_id_forgotten_again_and_again_keeps_all_versions(store: Store) -> None:
    for text in ("first", "second", "third"):
        store.put("MEM-a", content=text)
        forgetting.forget(store.root, forgetting.asked(reading.scan(store.root).entries, ["MEM-a"]), NOW)
    trash = sorted(path.name for path in (store.root / ".trash").iterdir())
    assert trash == ["MEM-a-2.json", "MEM-a-3.json", "MEM-a.json"]
    assert len((store.root / ".access.jsonl").read_text().splitlines()) == 3


def test_pinned_and_unknown(store: Store) -> None:
    store.put("MEM-a", pinned=True)
    store.put("MEM-b")
    entries = reading.scan(store.root).entries
    with pytest.raises(RefusedError, match=r"MEM-a\."):
        forgetting.asked(entries, ["MEM-b", "MEM-a"])
    with pytest.raises(SoulSyncError, match=r"'MEM-c', '\.\./x'"):
        forgetting.asked(entries, ["MEM-c", "MEM-a", "../x"], force=True)
    assert len(forgetting.asked(entries, ["MEM-a"], force=True)) == 1


def test_expired(store: Store) -> None:
    store.put("MEM-past", "episodic", expires_at="2026-11-29")
    store.put("MEM-today", "episodic", expires_at="2026-11-30")
    store.put("MEM-pinned", "episodic", expires_at="2026-11-29", pinned=True)
    store.put("MEM-never", expires_at=None)
    going = forgetting.expired(reading.scan(store.root).entries, NOW)
    assert [(one.entry["memory_id"], one.reason) for one in going] == [("MEM-past", "expired")]


def test_what_was_forgotten_is_not_distilled_from_the_soul_again(store: Store) -> None:
    store.add(distilling.plan(store.root, candidates("a")).entries)
    forgetting.forget(store.root, forgetting.asked(reading.scan(store.root).entries, store.ids()), NOW)
    batch = distilling.plan(store.root, candidates("a", "b"), revive=False)
    assert ([entry["content"] for entry in batch.entries], len(batch.forgotten)) == (["b"], 1)
    assert len(distilling.plan(store.root, candidates("a", "b")).entries) == 2


def test_no_trash_through_a_link(store: Store, tmp_path: Path) -> None:
    store.put()
    (tmp_path / "elsewhere").mkdir()
    (store.root / ".trash").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SoulSyncError, match="is a link"):
        forgetting.forget(store.root, forgetting.asked(reading.scan(store.root).entries, ["MEM-a"]), NOW)
    assert store.ids() == ["MEM-a"]


def test_the_nearest_store_upward(store: Store, tmp_path: Path) -> None:
    deep = store.root.parent.parent / "src" / "deep"
    deep.mkdir(parents=True)
    assert place.find(None, deep) == store.root
    assert place.find(None, store.root / "semantic") == store.root
    assert place.find(str(store.root), tmp_path) == store.root
    with pytest.raises(UsageError, match="no folder"):
        place.find(str(tmp_path / "nowhere"), deep)
    with pytest.raises(UsageError, match=r"no \.agent/memory"):
        place.find(None, tmp_path)
