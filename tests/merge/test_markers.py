"""Conflict markers read back as two sides."""

from __future__ import annotations

import pytest

from soulsync.merge import markers

TWO = b"a\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> abc (them)\nz\n"
THREE = b"<<<<<<< ours\nx\n||||||| base\nb\n=======\ny\n>>>>>>> theirs\nz"


def test_a_triple_gives_both_sides_with_what_stands_around_it() -> None:
    conflict = markers.read(TWO)
    assert conflict is not None
    assert (conflict.ours, conflict.theirs, conflict.base) == (b"a\nours\nz\n", b"a\ntheirs\nz\n", None)
    assert conflict.blocks == (TWO[2:-2],)


def test_the_base_is_read_where_the_markers_tell_it() -> None:
    conflict = markers.read(THREE)
    assert conflict is not None
    assert (conflict.ours, conflict.base, conflict.theirs) == (b"x\nz", b"b\nz", b"y\nz")


def test_several_triples_and_empty_sides() -> None:
    conflict = markers.read(b"<<<<<<<\n=======\nnew\n>>>>>>>\nm\n" + TWO)
    assert conflict is not None
    assert (conflict.ours, conflict.theirs) == (b"m\na\nours\nz\n", b"new\nm\na\ntheirs\nz\n")
    assert len(conflict.blocks) == 2


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no marker\n",
        b"=======\n",
        b"<<<<<<< a\nx\n",
        b"<<<<<<< a\nx\n=======\n",
        b"x\n>>>>>>> b\n",
        b"<<<<<<< a\n<<<<<<< a\n=======\n>>>>>>> b\n",
        b"<<<<<<< a\n=======\n=======\n>>>>>>> b\n",
        b"<<<<<<< a\n=======\n>>>>>>> b\n>>>>>>> b\n",
        b"<<<<<<<< eight\n=======\n>>>>>>>> eight\n",
        b" <<<<<<< indented\n=======\n>>>>>>> b\n",
    ],
)
def test_what_is_no_well_formed_triple_is_content(data: bytes) -> None:
    assert markers.read(data) is None
