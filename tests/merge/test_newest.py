from __future__ import annotations

import subprocess

import pytest

from soulsync.merge.newest import blob_id, is_seed_soul
from soulsync.merge.result import BOTH, OURS, THEIRS, Merged, Sides
from soulsync.merge.rules import merge_file

NOTE = "notes/a.md"
A, B, BASE = b"version a\n", b"version b\n", b"base\n"
LARGER = max(A, B, key=blob_id)


def newest(
    ours: bytes | None, theirs: bytes | None, sides: Sides, path: str = NOTE, base: bytes | None = BASE
) -> Merged:
    return merge_file("soul-newest", path, base, ours, theirs, sides)


@pytest.mark.parametrize("data", [b"", b"x\n", b"\x00\xff" * 99])
def test_blob_id_is_what_git_says(data: bytes) -> None:
    said = subprocess.run(
        ["git", "hash-object", "--stdin"], input=data, capture_output=True, check=True, timeout=10
    ).stdout
    assert blob_id(data).hex() == said.decode().strip()


@pytest.mark.parametrize(
    ("ours_time", "theirs_time", "kept"),
    [
        (2, 1, OURS),
        (1, 2, THEIRS),
        (1, None, OURS),
        (None, 1, THEIRS),
        (0, None, OURS),
        (-5, None, OURS),
        (-5, 0, THEIRS),
    ],
)
def test_the_newer_version_stays_whole(ours_time: int | None, theirs_time: int | None, kept: str) -> None:
    assert newest(A, B, Sides(ours_time, theirs_time)) == Merged(A if kept == OURS else B, kept)


@pytest.mark.parametrize("time", [None, 7])
def test_a_tie_goes_to_the_larger_blob_id(time: int | None) -> None:
    assert newest(A, B, Sides(time, time)).data == LARGER
    assert newest(B, A, Sides(time, time)).data == LARGER


def test_a_deletion_is_an_act_like_another_and_loses_ties() -> None:
    assert newest(None, B, Sides(2, 1)) == Merged(None, OURS)
    assert newest(None, B, Sides(1, 2)) == Merged(B, THEIRS)
    assert newest(None, B, Sides(1, 1)) == Merged(B, THEIRS)
    assert newest(A, None, Sides()) == Merged(A, OURS)


@pytest.mark.parametrize("blank", [b"", b" \n\n", "\ufeff\u3000\r\n".encode()])
def test_a_blank_side_yields_whenever_it_was_written(blank: bytes) -> None:
    assert newest(blank, B, Sides(9, 1)) == Merged(B, THEIRS)
    assert newest(A, blank, Sides(1, 9)) == Merged(A, OURS)


def test_of_two_blank_sides_the_newer_stays() -> None:
    assert newest(b" ", b"\n", Sides(1, 2)) == Merged(b"\n", THEIRS)


def test_the_seed_soul_yields_and_a_note_with_a_heading_alone_does_not() -> None:
    seed = "# 薰\r\n\n".encode()
    assert newest(seed, B, Sides(9, 1), path="SOUL.md").data == B
    assert newest(seed, B, Sides(9, 1)).data == seed


@pytest.mark.parametrize(
    ("data", "seed"),
    [
        (b"# K\n", True),
        ("\ufeff# K".encode(), True),
        (b"# K\n\n \n", True),
        (b"# K\n\nme\n", False),
        (b"K\n", False),
        (b"", False),
    ],
)
def test_is_seed_soul(data: bytes, seed: bool) -> None:
    assert is_seed_soul(data) is seed


def test_the_version_of_the_spec_is_never_lowered() -> None:
    four, five, broken = b'{"version": 4}', b'{"x": 1, "version": 5}', b'{"version": "6"}'
    for sides in (Sides(1, 9), Sides(9, 1)):
        assert newest(five, four, sides, path=".soul-spec.json") == Merged(five, OURS)
        assert newest(broken, five, sides, path=".soul-spec.json") == Merged(five, THEIRS)
    assert newest(four, b'{"version":4}', Sides(1, 2), path=".soul-spec.json").kept == THEIRS


def test_between_merge_bases_the_base_stays() -> None:
    assert newest(A, B, Sides(2, 1, inner=True)) == Merged(BASE, BOTH)
    assert newest(A, B, Sides(inner=True), base=None).data == LARGER
