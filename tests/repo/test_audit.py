"""The loss audit: silent on every merge that follows the rules, and it names each thing that a bad one drops."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from soulsync.repo import objects
from soulsync.repo.audit import Miss, Trees, audit
from soulsync.repo.merge import base_tree, merge_bases
from tests.repo.helpers import MEMORY, Lab, entries, identity
from tests.repo.test_merge_histories import edits

if TYPE_CHECKING:
    from pathlib import Path

DAY = "journal/one/2026-01-01.md"


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def trees_of(lab: Lab, ours: str, theirs: str, result: str) -> Trees:
    base = base_tree(lab.soul, merge_bases(lab.soul, ours, theirs))
    return Trees(base, objects.tree_of(lab.repo, ours), objects.tree_of(lab.repo, theirs), result)


@pytest.mark.parametrize("seed", range(25))
def test_no_merge_by_the_rules_is_blamed(lab: Lab, seed: int) -> None:
    rng = random.Random(seed)
    tips = [lab.base(), lab.base()]
    for step in range(6):
        for side in (0, 1):
            changed = edits(lab, rng, objects.tree_of(lab.repo, tips[side]))
            tips[side] = lab.commit(changed, tips[side], at=step * 100 + rng.randrange(100))
        result = lab.merge(*tips)
        named = frozenset(outcome.path for outcome in result.outcomes)
        assert audit(lab.repo, trees_of(lab, tips[0], tips[1], result.tree), named) == []
        merged = [lab.commit_tree(result.tree, *pair, at=step * 100 + 99) for pair in (tips, tips[::-1])]
        tips = rng.choice([[merged[0], merged[1]], [merged[0], tips[1]], [merged[0], merged[0]]])


def spoiled(lab: Lab, files: dict[str, str | None]) -> list[Miss]:
    """What the audit says of a good merge into which ``files`` are put afterwards."""
    base = lab.base(**{DAY: "# 2026-01-01 · one\n\n## 08:00 a\n\nA\n"})
    ours = lab.commit(
        {
            MEMORY: entries("A", "B", "C", "ours"),
            DAY: "# 2026-01-01 · one\n\n## 08:00 a\n\nA\n\n## 09:00 b\n\nB\n",
            "agent.json": identity(color="#111111"),
            "notes/n.md": "# n\n",
        },
        base,
        at=1,
    )
    theirs = lab.commit(
        {MEMORY: entries("A", "C", "theirs"), "agent.json": identity(pronouns="they"), "notes/b.md": None}, base, at=2
    )
    result = lab.merge(ours, theirs)
    named = frozenset(outcome.path for outcome in result.outcomes)
    assert audit(lab.repo, trees_of(lab, ours, theirs, result.tree), named) == []
    return audit(lab.repo, trees_of(lab, ours, theirs, lab.tree(files, result.tree)), named)


def test_an_entry_that_vanished_is_named_with_its_side(lab: Lab) -> None:
    missing = {(m.path, m.side, m.text) for m in spoiled(lab, {MEMORY: entries("A", "theirs")})}
    assert missing == {(MEMORY, "ours", "C"), (MEMORY, "theirs", "C"), (MEMORY, "ours", "ours")}


def test_an_entry_that_one_side_deleted_is_not_missed(lab: Lab) -> None:
    assert spoiled(lab, {MEMORY: entries("A", "C", "ours", "theirs")}) == []


def test_an_entry_torn_in_two_is_missed(lab: Lab) -> None:
    assert Miss(MEMORY, "theirs", "theirs") in spoiled(lab, {MEMORY: entries("A", "C", "ours", "the", "irs")})


def test_a_journal_section_that_vanished_is_named(lab: Lab) -> None:
    missing = spoiled(lab, {DAY: "# 2026-01-01 · one\n\n## 08:00 a\n\nA\n"})
    assert [(m.path, m.side) for m in missing] == [(DAY, "ours")]
    assert "09:00 b" in str(missing[0].text)


def test_an_identity_field_that_was_reverted_is_named(lab: Lab) -> None:
    missing = spoiled(lab, {"agent.json": identity(color="#111111")})
    assert [(m.side, str(m.text).partition("\n")[0]) for m in missing] == [("theirs", "pronouns")]


def test_a_file_that_vanished_is_named(lab: Lab) -> None:
    assert spoiled(lab, {"notes/n.md": None}) == [Miss("notes/n.md", "ours")]


def test_a_file_that_nobody_touched_must_stay(lab: Lab) -> None:
    assert [m.path for m in spoiled(lab, {"SOUL.md": None})] == ["SOUL.md"]


def test_an_emptied_file_is_named(lab: Lab) -> None:
    assert spoiled(lab, {"notes/n.md": ""}) == [Miss("notes/n.md", "ours")]
