from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats.journal import append, section
from soulsync.merge.daily import absorb

DAY, BODY = "2026-02-24", "kai"
HEADER = b"# 2026-02-24 \xc2\xb7 kai\n"


def take(seen: str | None, native: str, held: bytes | None) -> bytes:
    return absorb(DAY, BODY, None if seen is None else seen.encode(), native.encode(), held)


def test_a_list_that_grows_is_there_once() -> None:
    first = take(None, "- tea\n", None)
    assert first == HEADER + b"\n- tea\n"
    second = take("- tea\n", "- tea\n- rain\n", first)
    assert second == HEADER + b"\n- tea\n- rain\n"
    assert take("- tea\n- rain\n", "- tea\n- rain\n", second) == second


def test_sections_that_the_body_wrote_itself_stay() -> None:
    held = append(take(None, "- tea\n", None), section("10:00", "Own", "words"))
    grown = take("- tea\n", "- tea\n- rain\n\n## 9:30 Walk\nfar\n", held)
    assert grown == HEADER + b"\n- tea\n- rain\n\n## 09:30 Walk\nfar\n\n## 10:00 Own\n\nwords\n"


def test_what_the_framework_drops_stays_in_the_journal() -> None:
    held = take(None, "one\n\ntwo\n\n## 09:00 a\nb\n", None)
    left = take("one\n\ntwo\n\n## 09:00 a\nb\n", "three\n", held)
    assert all(said in left for said in (b"one", b"two", b"## 09:00 a\nb", b"three"))


def test_what_came_in_without_being_noted_goes_on_in_its_place() -> None:
    """A run was cut off behind the journal and before its baseline, or the baseline was lost."""
    own = section("10:00", "Own", "words")
    for seen in (None, "- tea\n\n## 9:30 Walk\nfar\n"):
        held = append(take(None, "- tea\n- rain\n\n## 9:30 Walk\nfar\nout\n", None), own)
        grown = take(seen, "- tea\n- rain\n- sun\n\n## 9:30 Walk\nfar\nout\nhome\n", held)
        assert grown == HEADER + b"\n- tea\n- rain\n- sun\n\n## 09:30 Walk\nfar\nout\nhome\n\n## 10:00 Own\n\nwords\n"


def test_at_first_contact_both_stay() -> None:
    held = append(HEADER, section("10:00", "Own", "words"))
    assert take(None, "- tea\n", held) == HEADER + b"\n- tea\n\n## 10:00 Own\n\nwords\n"


TEXT = st.lists(st.sampled_from(["a", "a\nb", "c", "- d", "# 2026-02-24", "## 9:00 x\ny", "## 10:00 z"]), max_size=6)


@given(st.lists(TEXT, min_size=1, max_size=4), TEXT)
def test_nothing_that_was_ever_said_is_lost(versions: list[list[str]], own: list[str]) -> None:
    held, seen = ("\n\n".join(own).encode() if own else None), None
    for version in versions:
        native = "\n\n".join(version)
        new = take(seen, native, held)
        said = {line for data in (held or b"", native.encode()) for line in data.split(b"\n")}
        there = new.replace(b"## 09:", b"## 9:").split(b"\n")
        assert {line.replace(b"## 09:", b"## 9:") for line in said} - {b"", b"# 2026-02-24"} <= set(there)
        assert take(native, native, new) == new
        held, seen = new, native
