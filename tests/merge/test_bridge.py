"""The two baselines: nothing is lost but what one side removed, truncation never comes back, a second look is idle."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import hermes
from soulsync.formats.entries import is_entry, parse, project, render
from soulsync.merge.bridge import BOTH, NATIVE, SAME, SOUL, Shown, absorbed, changed_side
from tests.merge.strategies import edited

TEXTS = st.sampled_from(["a", "b", "c", "dd", "eeee", "ffffffff", "g" * 20])
LISTS = st.lists(TEXTS, max_size=7, unique=True)
SETS = st.one_of(st.none(), LISTS)


@given(LISTS, st.lists(TEXTS, max_size=9), SETS, SETS)
def test_the_result_is_soul_with_what_was_added_without_what_was_removed(
    soul: list[str], native: list[str], shown: list[str] | None, following: list[str] | None
) -> None:
    known = Shown(shown, following)
    result = absorbed(soul, native, known)
    seen = set(shown or ())
    certain = seen if following is None else seen & set(following)
    possible = seen | set(following or ())
    assert set(result) == (set(soul) | (set(native) - possible)) - (certain - set(native))
    assert len(result) == len(set(result))
    assert [entry for entry in result if entry in soul] == [entry for entry in soul if entry in result]


@given(LISTS, st.integers(0, 60))
def test_what_was_not_shown_is_never_removed(soul: list[str], limit: int) -> None:
    """Truncation never comes back, whatever the framework makes of what it was shown."""
    shown = project(soul, limit)
    assert absorbed(soul, shown, Shown(shown)) == soul
    emptied = absorbed(soul, [], Shown(shown))
    assert emptied == [entry for entry in soul if entry not in shown]


@given(LISTS, st.integers(0, 60), st.data())
def test_a_second_look_changes_nothing(soul: list[str], limit: int, data: st.DataObject) -> None:
    shown = project(soul, limit)
    native = data.draw(edited(shown, TEXTS))
    once = absorbed(soul, native, Shown(shown))
    again = hermes.project(limit, b"", once)
    assert absorbed(once, again, Shown(again)) == once


@given(LISTS, LISTS)
def test_at_the_first_contact_the_union_the_souls_first(soul: list[str], native: list[str]) -> None:
    assert absorbed(soul, native, Shown(None)) == [*soul, *(entry for entry in native if entry not in soul)]


@given(LISTS, LISTS, LISTS)
def test_a_run_that_was_cut_off_removes_nothing_that_only_one_of_its_states_had(
    soul: list[str], shown: list[str], following: list[str]
) -> None:
    for held in (shown, following):
        kept = absorbed(soul, held, Shown(shown, following))
        assert kept == soul


def test_an_edit_stays_where_the_old_text_stood() -> None:
    assert absorbed(["a", "hidden", "b"], ["A", "b"], Shown(["a", "b"])) == ["A", "hidden", "b"]
    assert absorbed(["hidden", "a", "b"], ["A", "b"], Shown(["a", "b"])) == ["hidden", "A", "b"]
    assert absorbed(["a", "b", "hidden"], ["a", "B"], Shown(["a", "b"])) == ["a", "B", "hidden"]


def test_what_the_agent_just_wrote_stands_before_what_had_no_room() -> None:
    assert absorbed(["a", "hidden"], ["a", "new"], Shown(["a"])) == ["a", "new", "hidden"]


@given(LISTS, st.integers(0, 60))
def test_hermes_reads_back_what_is_written(texts: list[str], limit: int) -> None:
    wanted = hermes.project(limit, b"", texts)
    data = hermes.render(b"", wanted)
    assert hermes.parse(data) == wanted
    assert len(data.decode()) <= limit
    assert data == render(parse(data)).removesuffix(b"\n")


ENTRIES = st.lists(
    st.text(st.sampled_from("a§ \n-#`<!>\t\r\ufeff\u3000\x1c"), max_size=12).filter(is_entry), max_size=4
)


@given(st.one_of(ENTRIES, st.lists(st.text(max_size=30).filter(is_entry), max_size=4)))
def test_hermes_itself_reads_the_same_entries(texts: list[str]) -> None:
    """As its memory tool reads a file: universal newlines, cut at the joint, stripped, empty ones left out."""
    data = hermes.render(b"", texts).decode("utf-8")
    read = data.replace("\r\n", "\n").replace("\r", "\n")
    assert [piece.strip() for piece in read.split("\n§\n") if piece.strip()] == texts
    assert hermes.parse(data.encode("utf-8")) == texts


def test_which_side_of_a_file_changed() -> None:
    assert changed_side(b"x", b"x", None) == SAME
    assert changed_side(b"a", b"x", b"a") == NATIVE
    assert changed_side(b"x", b"a", b"a") == SOUL
    assert changed_side(b"x", b"y", b"a") == BOTH
    assert changed_side(b"a", None, b"a") == NATIVE
    assert changed_side(None, b"a", b"a") == SOUL
    assert changed_side(b"x", None, b"a") == SOUL
    assert changed_side(None, b"x", b"a") == NATIVE
    assert changed_side(None, b"x", None) == NATIVE
    assert changed_side(b"x", b"y", None) == BOTH


ACTS = st.lists(
    st.tuples(st.sampled_from(["soul+", "soul-", "native+", "native-", "round", "cut off"]), st.integers(0, 9))
)


@given(ACTS, st.integers(5, 60))
def test_over_any_number_of_rounds_a_memory_goes_only_where_somebody_removed_it(
    acts: list[tuple[str, int]], limit: int
) -> None:
    """Each text is added once; ``cut off`` shows something and does not come to remember that it did."""
    soul: list[str] = []
    native: list[str] = []
    known = Shown(None)
    wanted: set[str] = set()
    for number, (act, choice) in enumerate([*acts, ("round", 0)]):
        side = soul if act.startswith("soul") else native
        if act.endswith("+"):
            text = f"{number} {'x' * choice}"
            side.insert(min(choice, len(side)), text)
            wanted.add(text)
        elif act.endswith("-") and side:
            gone = side.pop(choice % len(side))
            if side is soul or gone in known.certain or gone not in soul:
                wanted.discard(gone)
        else:
            soul = absorbed(soul, native, known)
            assert set(soul) == wanted
            native = project(soul, limit)
            known = Shown(known.entries, native) if act == "cut off" else Shown(native)
