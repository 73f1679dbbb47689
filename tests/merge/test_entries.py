"""The order of merged memories, case by case (soul-repo-v4 §4 rule 11)."""

from __future__ import annotations

import pytest

from soulsync.formats.entries import parse, render
from soulsync.merge.result import Merged, Sides
from soulsync.merge.rules import merge_file


def merged(base: str, ours: str, theirs: str) -> str:
    """Merge memories whose entries are single letters, both ways."""
    old, mine, other = (render(list(side)) for side in (base, ours, theirs))
    there = merge_file("soul-entries", "memories/MEMORY.md", old, mine, other, Sides())
    back = merge_file("soul-entries", "memories/MEMORY.md", old, other, mine, Sides())
    assert there == back
    return "".join(parse(there.data or b""))


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ("A", "AX", "AY", "AXY"),
        ("ABC", "ABXC", "ABCY", "ABXCY"),
        ("ABC", "XABC", "ABCY", "XABCY"),
        ("ABC", "CABX", "ABCY", "CYABX"),  # theirs follows C to where ours put it
        ("ABC", "CBA", "BCA", "BCA"),  # both re-ordered: the smaller bytes
        ("ABC", "CBAX", "BCAY", "BCAXY"),
        ("AB", "AXB", "ABX", "ABX"),  # ours holds exactly the result too; the smaller bytes of the two
        ("ABC", "AC", "ABXC", "AXC"),  # B went: X follows the nearest survivor before it
        ("ABC", "", "ABXC", "X"),
        ("A", "B", "C", "BC"),
        ("", "AB", "BA", "AB"),
        ("", "AX", "XB", "AXB"),
        ("AB", "ABXY", "ABYX", "ABXY"),
        ("AB", "BA", "ABX", "BXA"),
        ("AB", "BAX", "ABX", "BAX"),  # ours holds exactly the result, survivors in the chosen order
    ],
)
def test_order(base: str, ours: str, theirs: str, expected: str) -> None:
    assert merged(base, ours, theirs) == expected


def test_bytes_decide_not_letters_of_any_language() -> None:
    old, mine, other = (render(side) for side in (["a"], ["a", "\udcff"], ["a", "中"]))
    result = merge_file("soul-entries", "memories/MEMORY.md", old, mine, other, Sides()).data
    # E4 (the first byte of 中) sorts before the lone FF, though U+DCFF stands for it after decoding.
    assert result == "a\n§\n中\n§\n".encode() + b"\xff\n"


def test_a_block_is_moved_whole() -> None:
    assert merged("AB", "AZYB", "AXWB") == "AXWZYB"


def test_one_side_alone_keeps_its_formatting() -> None:
    odd = "\ufeffA\r\n§ \r\nB".encode()
    assert merge_file("soul-entries", "memories/MEMORY.md", b"A\n", odd, b"A\n", Sides()) == Merged(odd)


def test_both_sides_changed_gives_the_canonical_form() -> None:
    ours, theirs = "\ufeffA\r\n§ \r\nB".encode(), "A\n§\n\n§\nC\n§\nC\n".encode()
    assert merge_file("soul-entries", "memories/MEMORY.md", b"A\n", ours, theirs, Sides()).data == render("ABC")


def test_an_edit_beats_a_deletion() -> None:
    assert merged("AB", "A", "AC") == "AC"
