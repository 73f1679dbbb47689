from __future__ import annotations

from soulsync.formats.lease import Lease, render
from soulsync.merge.newest import blob_id
from soulsync.merge.result import OURS, THEIRS, Merged, Sides
from soulsync.merge.rules import merge_file

T = 1_790_000_000
AT_T = Sides(T - 50, T)


def lease(body: str, seconds: int) -> bytes:
    return render(Lease(body, (T + seconds) * 1000))


def merge(ours: bytes | None, theirs: bytes | None, sides: Sides = AT_T, base: bytes = b"") -> Merged:
    return merge_file("soul-lease", "locks/consolidation.json", base, ours, theirs, sides)


def test_the_one_that_holds_at_the_later_commit_stays() -> None:
    held, over = lease("one", 1), lease("two", 0)
    assert merge(held, over) == Merged(held, OURS)
    assert merge(over, held) == Merged(held, THEIRS)


def test_of_two_that_hold_the_earlier_end_stays() -> None:
    assert merge(lease("one", 600), lease("two", 1800)).kept == OURS


def test_of_two_that_are_over_the_later_end_stays() -> None:
    assert merge(lease("one", -600), lease("two", -1800)).kept == OURS
    assert merge(lease("one", 600), lease("two", 1800), Sides()).kept == THEIRS


def test_equal_ends_are_decided_by_the_blob_id() -> None:
    one, two = lease("one", 600), lease("two", 600)
    assert merge(one, two).data == merge(two, one).data == max(one, two, key=blob_id)


def test_what_cannot_be_read_loses_and_is_reported() -> None:
    there = merge(b'{"body": "one", "until": NaN}', lease("two", -99))
    assert (there.data, len(there.faults)) == (lease("two", -99), 1)


def test_a_release_ends_the_lease_it_released_and_no_other() -> None:
    old, new, over = lease("one", 600), lease("two", 1800), lease("two", -1)
    assert merge(None, old, base=old) == Merged(None)
    assert merge(None, new, base=old) == Merged(new, THEIRS)
    assert merge(over, None, base=old) == Merged(None, THEIRS)
    assert merge(b"{", None, base=old).data is None
