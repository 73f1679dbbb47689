from __future__ import annotations

import json

import pytest

from soulsync.merge.result import OURS, THEIRS, Merged, Sides
from soulsync.merge.rules import merge_file


def body(seen: object, host: str = "") -> bytes:
    return json.dumps({"body": "one", "host": host, "lastSeen": seen}).encode()


def merge(ours: bytes | None, theirs: bytes | None, sides: Sides | None = None, base: bytes = b"{}") -> Merged:
    return merge_file("soul-body", "bodies/one.json", base, ours, theirs, sides or Sides())


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("2026-10-01T00:00:00.001Z", "2026-10-01T00:00:00.000Z"),
        ("2026-10-01T00:30:00.000Z", "2026-10-01T01:00:00.000+01:00"),
        ("2026-10-01T00:00:00.000Z", "2026-09-30"),
        ("1970-01-01T00:00:00.000Z", "soon"),
        ("2026-10-01T00:00:00.000Z", 1_900_000_000_000),
        ("9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"),
    ],
)
def test_the_later_last_seen_stays(later: object, earlier: object) -> None:
    for sides in (Sides(1, 9), Sides(9, 1)):
        assert merge(body(later), body(earlier), sides) == Merged(body(later), OURS)
        assert merge(body(earlier), body(later), sides) == Merged(body(later), THEIRS)


def test_at_the_same_instant_the_newer_commit_decides() -> None:
    one, two = body("2026-10-01T00:00:00.000Z", "pc"), body("2026-10-01T02:00:00.000+02:00", "tower")
    assert merge(one, two, Sides(2, 1)).data == one
    assert merge(one, two, Sides(1, 2)).data == two


def test_what_cannot_be_read_loses_and_is_reported() -> None:
    there = merge(b"{", body("2026-10-01T00:00:00.000Z"), Sides(9, 1))
    assert (there.kept, len(there.faults)) == (THEIRS, 1)


def test_a_deletion_stands_unless_the_other_side_changed_the_file() -> None:
    changed = body("2026-10-01T00:00:00.000Z")
    assert merge(None, changed, Sides(9, 1)) == Merged(changed, THEIRS)
    assert merge(None, changed, base=changed) == Merged(None)
    assert merge(changed, None, base=changed) == Merged(None)
