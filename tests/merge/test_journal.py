from __future__ import annotations

import pytest

from soulsync.merge.result import BOTH, OURS, THEIRS, Merged, Sides
from soulsync.merge.rules import merge_file

DAY = "# 2026-10-01 · one\n\n"


def merge(base: str, ours: str, theirs: str) -> str:
    """Merge one way and the other; both give the same bytes, and nothing counts as lost."""
    one, two, three = (text.encode() for text in (base, ours, theirs))
    there = merge_file("soul-journal", "journal/one/2026-10-01.md", one, two, three, Sides(1, 2))
    assert merge_file("soul-journal", "journal/one/2026-10-01.md", one, three, two, Sides(2, 1)) == there
    assert (there.kept, there.faults) == (BOTH, ())
    return (there.data or b"").decode()


def test_both_appended() -> None:
    ours, theirs = DAY + "## 08:00 a\n\none\n\n## 12:00 c\n", DAY + "## 10:00 b\n\ntwo\n"
    assert merge(DAY, ours, theirs) == DAY + "## 08:00 a\n\none\n\n## 10:00 b\n\ntwo\n\n## 12:00 c\n"


def test_the_same_section_on_both_sides_is_written_once() -> None:
    ours, theirs = DAY + "## 08:00 a\none", DAY + "## 08:00 a\r\none\r\n\r\n## 09:00 b\r\n"
    assert merge(DAY, ours, theirs) == DAY + "## 08:00 a\none\n\n## 09:00 b\n"


def test_at_one_minute_the_smaller_bytes_come_first() -> None:
    assert merge(DAY, DAY + "## 08:00 b\n", DAY + "## 08:00 a\n") == DAY + "## 08:00 a\n\n## 08:00 b\n"


def test_a_side_keeps_its_own_order_where_times_do_not_rise() -> None:
    base = DAY + "## 23:50 late\n"
    ours, theirs = base + "\n## 00:10 after midnight\n", base + "\n## 23:55 later\n"
    assert merge(base, ours, theirs) == base + "\n## 00:10 after midnight\n\n## 23:55 later\n"
    assert merge(DAY, DAY + "## 09:00 x\n\n## 08:00 y\n", DAY + "## 08:30 z\n") == (
        DAY + "## 08:30 z\n\n## 09:00 x\n\n## 08:00 y\n"
    )


def test_sections_that_both_sides_hold_in_different_orders_are_sorted() -> None:
    ours, theirs = DAY + "## 10:00 b\n\n## 08:00 a\n", DAY + "## 08:00 a\n\n## 10:00 b\n\n## 09:00 c\n"
    assert merge(DAY, ours, theirs) == DAY + "## 08:00 a\n\n## 09:00 c\n\n## 10:00 b\n"


def test_a_section_that_is_missing_on_one_side_stays() -> None:
    base = DAY + "## 08:00 a\n\n## 09:00 b\n"
    assert merge(base, DAY + "## 09:00 b\n", base + "\n## 10:00 c\n") == base + "\n## 10:00 c\n"


def test_an_edited_section_takes_the_place_of_the_old_one() -> None:
    base = DAY + "## 08:00 a\nshort\n\n## 09:00 b\n"
    assert merge(base, base.replace("short", "short and more"), base + "\n## 10:00 c\n") == (
        DAY + "## 08:00 a\nshort and more\n\n## 09:00 b\n\n## 10:00 c\n"
    )


def test_two_different_edits_both_stay() -> None:
    base = DAY + "## 08:00 a\nold\n"
    assert merge(base, base.replace("old", "one"), base.replace("old", "two")) == (
        DAY + "## 08:00 a\none\n\n## 08:00 a\ntwo\n"
    )


def test_one_new_section_does_not_replace_two_of_its_heading() -> None:
    base = DAY + "## 08:00 a\none\n\n## 08:00 a\ntwo\n"
    merged = merge(base, DAY + "## 08:00 a\nthree\n", base + "\n## 09:00 b\n")
    assert all(text in merged for text in ("one", "two", "three", "09:00 b"))


def test_equal_sections_of_one_side_are_not_folded() -> None:
    twice = DAY + "## 08:00 ping\n\n## 08:00 ping\n"
    assert merge(DAY, twice, DAY + "## 08:00 ping\n\n## 09:00 b\n") == twice + "\n## 09:00 b\n"


def test_headings_of_other_kinds_belong_to_the_section_above() -> None:
    ours = DAY + "## 08:00 a\n\n## Plan\n- x\n\n## 9:00 not a time\n"
    assert merge(DAY, ours, DAY + "## 08:30 b\n") == ours + "\n## 08:30 b\n"


def test_a_header_that_one_side_changed_is_taken() -> None:
    ours, theirs = "# 2026-10-01 · two\n\n## 08:00 a\n", DAY + "## 09:00 b\n"
    assert merge(DAY, ours, theirs) == "# 2026-10-01 · two\n\n## 08:00 a\n\n## 09:00 b\n"


def test_of_two_changed_headers_both_lines_stay_once() -> None:
    assert merge("", "# b\nintro\n\n## 08:00 a\n", "# a\nintro\n") == "# a\n\n# b\n\nintro\n\n## 08:00 a\n"


def test_an_imported_journal_without_sections_is_the_union_of_its_paragraphs() -> None:
    base = "woke up\n\nwalked\n"
    assert merge(base, base + "\nread\nlong\n", base + "\nslept\n") == base + "\nread\nlong\n\nslept\n"
    assert merge(base, base.replace("walked", "walked far"), base + "\nslept\n") == "woke up\n\nwalked far\n\nslept\n"
    assert merge("", "one\n\ntwo\n", "two\n\none\n\nthree\n") == "one\n\ntwo\n\nthree\n"


def test_an_extended_paragraph_takes_the_place_of_the_old_one_and_a_missing_one_stays() -> None:
    base = "a\n\nb\n\nc\n"
    assert merge(base, "a\n\nc\n", "a\n\nb\n\nc plus\n") == "a\n\nb\n\nc plus\n"


def test_bytes_that_are_not_utf8_survive() -> None:
    merged = merge_file("soul-journal", "journal/one/x.md", b"", b"## 08:00 \xff\n", b"## 09:00 \xfe\n", Sides()).data
    assert merged == b"## 08:00 \xff\n\n## 09:00 \xfe\n"


@pytest.mark.parametrize("sides", [Sides(), Sides(1, 2), Sides(2, 1)])
def test_a_journal_that_the_other_side_changed_is_not_deleted(sides: Sides) -> None:
    day = (DAY + "## 08:00 a\n").encode()
    assert merge_file("soul-journal", "journal/one/x.md", DAY.encode(), None, day, sides) == Merged(day, THEIRS)
    assert merge_file("soul-journal", "journal/one/x.md", DAY.encode(), day, None, sides) == Merged(day, OURS)
    assert merge_file("soul-journal", "journal/one/x.md", day, None, day, sides) == Merged(None)


def test_large_journals_take_no_quadratic_time() -> None:
    base = DAY + "".join(f"## {n // 60 % 24:02}:{n % 60:02} t{n}\n\ntext\n\n" for n in range(20_000))
    merged = merge(base, base + "## 23:59 x\n", base.replace("t777\n", "t777 edited\n") + "## 23:58 y\n")
    assert merged.count("\n## ") == 20_003


def test_large_imported_journals_take_no_quadratic_time() -> None:
    base = "".join(f"paragraph {n}\n\n" for n in range(50_000))
    merged = merge(base, base.replace("7\n", "7 more\n"), base[::-1].strip() + "\n\nend\n")
    assert merged.count("7 more") == 5_000
