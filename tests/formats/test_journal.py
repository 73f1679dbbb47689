from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats import journal

BITS = st.sampled_from(
    [
        "# 2026-10-01 · one",
        "## 08:00 a",
        "## 23:59",
        "## 24:00 x",
        "## 8:00 x",
        "\n",
        "\n",
        "\r\n",
        " ",
        "text",
        "\udcff",
        "\ufeff",
        "§",
    ]
)


@given(
    st.one_of(
        st.lists(BITS, max_size=20).map("".join).map(lambda t: t.encode("utf-8", "surrogateescape")),
        st.binary(max_size=40),
    )
)
def test_every_file_is_written_back_byte_for_byte(data: bytes) -> None:
    assert journal.render(journal.parse(data)) == data


def test_parse() -> None:
    read = journal.parse("# 2026-10-01 · one\n\n## 08:00 woke  up \r\n\ntext\n## 09:30\n## Plan\n".encode())
    assert read.preamble == "# 2026-10-01 · one\n\n"
    assert [(s.heading, s.time, s.title, s.body) for s in read.sections] == [
        ("## 08:00 woke  up \r", "08:00", "woke  up", "\n\ntext\n"),
        ("## 09:30", "09:30", "", "\n## Plan\n"),
    ]


@pytest.mark.parametrize("line", ["## 08:00", "## 08:00 a", "## 00:00\ta", "## 23:59\r"])
def test_headings(line: str) -> None:
    assert journal.is_heading(line)


@pytest.mark.parametrize(
    "line",
    ["##08:00", "## 8:00", "## 24:00", "## 12:60", "## 08:00a", "# 08:00", "### 08:00", " ## 08:00", "## ٠٨:٠٠", ""],
)
def test_no_headings(line: str) -> None:
    assert not journal.is_heading(line)


def test_a_day_written_section_by_section() -> None:
    data = journal.append(b"", journal.header("2026-10-01", "one"))
    data = journal.append(data, journal.section("08:00", "woke\nup ", "\n  indented\n\ntext\n\n"))
    data = journal.append(data, journal.section("09:00", "nothing", ""))
    assert data.decode() == "# 2026-10-01 · one\n\n## 08:00 woke up\n\n  indented\n\ntext\n\n## 09:00 nothing\n"


@pytest.mark.parametrize(
    ("data", "gap"),
    [(b"", b""), (b"x", b"\n\n"), (b"x\n", b"\n"), (b"x\n\n", b""), (b"\xff\n", b"\n"), (b"x\r\n", b"\n")],
)
def test_append_only_appends(data: bytes, gap: bytes) -> None:
    assert journal.append(data, "## 08:00 a\n") == data + gap + b"## 08:00 a\n"


@pytest.mark.parametrize("time", ["8:00", "24:00", "08:60", "0800", "", "08:00 ", "08-00", "+8:00"])
def test_no_time_of_day(time: str) -> None:
    with pytest.raises(ValueError, match="no time of day"):
        journal.section(time, "t", "x")


def test_a_section_without_title() -> None:
    assert journal.section("08:00", "", "x") == "## 08:00\n\nx\n"
