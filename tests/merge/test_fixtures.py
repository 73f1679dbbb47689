"""The cases under ``fixtures/merge``, which other implementations use too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from soulsync.merge.result import Sides
from soulsync.merge.rules import MODULES, merge_file, rule_for
from soulsync.merge.second import RULES, Both, settle

ROOT = Path(__file__).parents[2] / "fixtures" / "merge"
PATHS = {
    "soul-entries": "memories/MEMORY.md",
    "soul-agent": "agent.json",
    "soul-newest": "notes/topic.md",
    "soul-journal": "journal/one/2026-10-01.md",
    "soul-body": "bodies/one.json",
    "soul-lease": "locks/consolidation.json",
    "soul-oxsoul": "oxsoul/tea.md",
    "soul-oxsoul-index": "oxsoul/MEMORY.md",
    "soul-cortex": ".agent/memory/semantic/MEM-007.json",
}
CASES = sorted(case for rule in PATHS for case in (ROOT / rule).iterdir())
SIDED = {ROOT / "soul-agent" / name for name in ("same-field", "seed-yields", "both-malformed")}


def read(case: Path, name: str) -> bytes | None:
    file = case / name
    return file.read_bytes() if file.exists() else None


def times(case: Path) -> tuple[int | None, int | None]:
    found = json.loads(read(case, "times.json") or b'{"ours": null, "theirs": null}')
    return found["ours"], found["theirs"]


def path_of(case: Path) -> str:
    return (read(case, "path") or b"").decode().strip() or PATHS[case.parent.name]


def test_there_are_cases_of_every_rule() -> None:
    assert {case.parent.name for case in CASES} == set(PATHS) <= set(MODULES)
    assert len(CASES) >= 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_case(case: Path) -> None:
    rule, path = case.parent.name, path_of(case)
    assert rule_for(path) == rule
    base, ours, theirs = (read(case, name) for name in ("base", "ours", "theirs"))
    mine, other = times(case)
    assert merge_file(rule, path, base, ours, theirs, Sides(mine, other)).data == read(case, "expected")
    if case not in SIDED:
        assert merge_file(rule, path, base, theirs, ours, Sides(other, mine)).data == read(case, "expected")


def test_the_result_merged_again_stays() -> None:
    for case in CASES:
        rule, path = case.parent.name, path_of(case)
        base, theirs, expected = (read(case, name) for name in ("base", "theirs", "expected"))
        if expected != base:
            assert merge_file(rule, path, base, expected, theirs, Sides(*times(case))).data == expected, case


@pytest.mark.parametrize("case", [case for case in CASES if case.parent.name in RULES], ids=lambda case: case.name)
def test_a_second_memory_under_one_name(case: Path) -> None:
    rule, path = case.parent.name, path_of(case)
    base, ours, theirs = (read(case, name) for name in ("base", "ours", "theirs"))
    second = read(case, "second")
    wanted = {} if second is None else {(read(case, "second-path") or b"").decode().strip(): second}
    for mine, other in ((ours, theirs), (theirs, ours)):
        both = [Both(rule, path, base, mine, other)] if mine is not None and other is not None else []
        assert settle(both, [], {path: read(case, "expected")}.get, lambda _: []).files == wanted
