from __future__ import annotations

import json
from typing import Any

import pytest

from soulsync.merge.newest import blob_id
from soulsync.merge.result import BOTH, OURS, THEIRS, Merged, Sides
from soulsync.merge.rules import merge_file

ONE, TWO, SIX = (
    "0b6d2c1e-6c1f-4a53-9a57-2f1f0f3c9d10",
    "11111111-1111-4111-8111-111111111111",
    "22222222-2222-4222-8222-222222222222",
)
A: dict[str, Any] = {"id": ONE, "name": "kaoru", "displayName": "薰", "color": "#7C6CF2", "x": {"deep": [1, 2], "y": 1}}


def text(fields: dict[str, Any] | str) -> bytes:
    return (fields if isinstance(fields, str) else json.dumps(fields, ensure_ascii=False, indent=2) + "\n").encode()


def merge(
    base: dict[str, Any] | str, ours: dict[str, Any] | str, theirs: dict[str, Any] | str, sides: Sides | None = None
) -> Merged:
    return merge_file("soul-agent", "agent.json", text(base), text(ours), text(theirs), sides or Sides())


def test_each_side_changed_another_field() -> None:
    assert merge(A, {**A, "color": "#000000"}, {**A, "name": "k"}) == Merged(
        text({**A, "color": "#000000", "name": "k"}), BOTH
    )


def test_ours_wins_a_field_that_both_changed_and_theirs_is_kept_beside_it() -> None:
    there = merge(A, {**A, "name": "mine"}, {**A, "name": "other", "color": "#111111"})
    assert there == Merged(text({**A, "name": "mine", "color": "#111111"}), OURS)


def test_a_deleted_field_stays_deleted() -> None:
    assert merge(A, {**A, "name": "mine"}, {k: v for k, v in A.items() if k != "x"}).data == text(
        {"id": ONE, "name": "mine", "displayName": "薰", "color": "#7C6CF2"}
    )


def test_objects_are_merged_by_field_lists_are_not() -> None:
    there = merge(A, {**A, "x": {"deep": [1], "y": 1}}, {**A, "x": {"deep": [2], "y": 2, "z": {}}})
    assert there == Merged(text({**A, "x": {"deep": [1], "y": 2, "z": {}}}), OURS)


def test_one_and_true_and_one_point_zero_are_different() -> None:
    assert (
        merge('{"a": 1, "b": 1}', '{"a": true, "b": 1}', '{"a": 1, "b": 1.0}').data
        == b'{\n  "a": true,\n  "b": 1.0\n}\n'
    )


def test_numbers_and_escapes_keep_their_letters() -> None:
    huge = "9" * 5000
    base, ours = (
        f'{{"n": {huge}, "e": 1.0e5, "s": "\\ud800\\u4e2d"}}',
        f'{{"n": {huge}, "e": 1.0e5, "s": "\\ud800\\u4e2d", "o": -0}}',
    )
    data = merge(base, ours, base.replace("1.0e5", "1E400")).data
    assert data == f'{{\n  "n": {huge},\n  "e": 1E400,\n  "s": "\\ud800中",\n  "o": -0\n}}\n'.encode()


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("abx", "aby", "abxy"),
        ("axb", "ayb", "axyb"),
        ("yab", "xab", "xyab"),
        ("ba", "abz", "bza"),  # ours re-ordered; z follows b, as on its side
        ("abz", "ba", "bza"),  # theirs alone re-ordered
        ("bax", "aby", "byax"),
        ("axy", "abz", "axyz"),  # b went
    ],
)
def test_order_of_keys_whichever_side_is_called_ours(ours: str, theirs: str, expected: str) -> None:
    base, mine, other = (dict.fromkeys(keys, 1) for keys in ("ab", ours, theirs))
    assert "".join(json.loads(merge(base, mine, other).data or b"")) == expected
    assert "".join(json.loads(merge(base, other, mine).data or b"")) == expected


def test_the_id_never_changes() -> None:
    changed = {**A, "id": SIX}
    for files in (
        (changed, {**A, "color": "#1"}),
        ({**A, "color": "#1"}, changed),
        ({**A, "id": TWO}, {**changed, "color": "#1"}),
    ):
        there = merge(A, *files).data
        assert json.loads(there or b"") == {**A, "color": "#1"}


def test_not_even_when_one_side_alone_or_both_alike_changed_it() -> None:
    changed = {**A, "id": SIX}
    for files in ((changed, A), (A, changed), (changed, changed)):
        assert merge(A, *files).data == text(A)
    assert merge(A, {k: v for k, v in A.items() if k != "id"}, A).data == text(A)


@pytest.mark.parametrize("sides", [Sides(), Sides(9, 1), Sides(1, 9)])
def test_without_a_base_the_seed_yields_whole(sides: Sides) -> None:
    seed = {**A, "id": TWO, "seed": True, "displayName": "seed", "extra": 1}
    assert merge("", seed, A, sides) == Merged(text(A), THEIRS)
    assert merge("", A, seed, sides) == Merged(text(A), OURS)


def test_an_identity_that_was_never_pushed_counts_as_the_seed() -> None:
    other = {**A, "id": TWO, "displayName": "local"}
    assert merge("", other, A, Sides(ours_unpushed=True)) == Merged(text(A), THEIRS)
    assert merge("", A, other, Sides(theirs_unpushed=True)) == Merged(text(A), OURS)


def test_of_two_seeds_theirs_stays() -> None:
    one, two = {**A, "seed": True}, {**A, "id": TWO, "seed": True}
    assert merge("", one, two) == Merged(text(two), THEIRS)


def test_with_equal_ids_no_side_yields() -> None:
    seed, other = {**A, "seed": True, "displayName": "seed"}, {**A, "color": "#111111"}
    assert json.loads(merge("", seed, other).data or b"")["displayName"] == "seed"


def test_without_a_base_and_a_seed_the_id_is_theirs() -> None:
    assert json.loads(merge("", A, {**A, "id": TWO}).data or b"")["id"] == TWO


def test_what_cannot_be_read_loses_and_is_reported() -> None:
    assert merge(A, "{oops", {**A, "color": "#1"}).kept == THEIRS
    there = merge(A, {**A, "color": "#1"}, "[]")
    assert (there.data, there.kept) == (text({**A, "color": "#1"}), OURS)
    assert there.faults == ("their version is not a JSON object",)
    assert merge(A, "NaN", '{"a": Infinity}').faults == (
        "our version is not JSON: NaN",
        "their version is not JSON: Infinity",
    )


@pytest.mark.parametrize("data", ["[" * 100_000, '{"a":' * 100_000, '{"a":' + "[" * 150 + "]" * 150 + "}", "\ud800"])
def test_input_that_breaks_parsers_loses(data: str) -> None:
    broken = data.encode("utf-8", "surrogatepass")
    there = merge_file("soul-agent", "agent.json", text(A), broken, text({**A, "color": "#1"}), Sides())
    assert (there.data, len(there.faults)) == (text({**A, "color": "#1"}), 1)


def test_a_readable_version_that_wins_still_keeps_the_id() -> None:
    assert merge(A, "{oops", {**A, "id": TWO, "color": "#1"}).data == text({**A, "color": "#1"})


def test_of_two_that_cannot_be_read_the_newer_stays() -> None:
    assert merge(A, "{a", "{b", Sides(2, 1)).data == b"{a"
    assert merge(A, "{a", "{b").data == max(b"{a", b"{b", key=blob_id)


def test_between_merge_bases_a_disputed_field_keeps_its_old_value() -> None:
    inner = Sides(inner=True)
    mine, other = {**A, "name": "a", "color": "#1", "new": 1}, {**A, "name": "b", "new": 2}
    there = merge(A, mine, other, inner)
    assert json.loads(there.data or b"") == {**A, "color": "#1"}
    assert merge(A, other, mine, inner).data == there.data


def test_a_deleted_agent_comes_back() -> None:
    for ours, theirs in ((None, text(A)), (text(A), None), (None, None)):
        assert merge_file("soul-agent", "agent.json", text(A), ours, theirs, Sides(9, 9)).data == text(A)
