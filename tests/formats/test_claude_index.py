from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulsync.formats.claude_index import MAX_BYTES, MAX_LINES, Topic, rebuild, topic_of

TEA = b'---\nname: tea\ndescription: "Prefers green: no milk"\nmetadata:\n  type: user\n---\n\nGreen, always.\n'


@pytest.mark.parametrize(
    ("path", "data", "name", "description"),
    [
        ("tea.md", TEA, "tea", "Prefers green: no milk"),
        ("a/old.md", b"---\nname: Old one\ntype: feedback\n---\nx\n", "Old one", ""),
        ("plain.md", b"# Plain\n> in short\n\ntext\n", "Plain", "in short"),
        ("bare.md", b"text\n", "bare", ""),
        ("bytes.md", b"\xff\xfe", "bytes", ""),
        ("open.md", b"---\nname: x\n", "open", ""),
    ],
)
def test_what_the_index_says_of_a_file(path: str, data: bytes, name: str, description: str) -> None:
    topic = topic_of(path, data)
    assert (topic.path, topic.name, topic.description) == (path, name, description)


def test_new_files_get_a_line_behind_the_last_that_links() -> None:
    index = b"# Memory\n\n- [Tea](tea.md) \xe2\x80\x94 mine\n\nKeep this sentence.\n"
    written = rebuild(index, [Topic("tea.md", "tea", "other words"), Topic("a b.md", "A [b]", "two\nlines")])
    assert written.decode() == (
        "# Memory\n\n- [Tea](tea.md) — mine\n- [A (b)](a%20b.md) — two lines\n\nKeep this sentence.\n"
    )
    assert rebuild(written, [Topic("tea.md", "tea"), Topic("a b.md", "A [b]")]) == written


def test_lines_of_files_that_went_go_and_no_others() -> None:
    index = (
        "- [Tea](tea.md)\n* [Old](<old one.md>) — x\n- [Far](https://x/old%20one.md)\nold one.md is gone\n- [P](./p.md)"
    )
    assert rebuild(index.encode(), [Topic("tea.md", "t")], {"old one.md", "p.md"}).decode() == (
        "- [Tea](tea.md)\n- [Far](https://x/old%20one.md)\nold one.md is gone\n"
    )


@pytest.mark.parametrize("said", ["see tea.md.", "`tea.md`", "(./tea.md)", "tea.md"])
def test_a_file_named_in_words_needs_no_line(said: str) -> None:
    assert rebuild(said.encode(), [Topic("tea.md", "tea")]) == said.encode()


@pytest.mark.parametrize("said", ["green-tea.md", "a/tea.md", "tea.mdx"])
def test_a_longer_name_is_another_file(said: str) -> None:
    assert rebuild(said.encode(), [Topic("tea.md", "tea")]).decode() == f"{said}\n- [tea](tea.md)\n"


def test_an_empty_index_and_crlf() -> None:
    topics = [Topic("a.md", "a", "x" * 200), Topic("b.md", "b")]
    assert rebuild(b"", topics).decode() == f"- [a](a.md) — {'x' * 149}…\n- [b](b.md)\n"
    assert rebuild(b"# H\r\n", topics[1:]) == b"# H\r\n- [b](b.md)\r\n"


def test_the_index_stays_within_what_is_loaded() -> None:
    topics = [Topic(f"{number:03}.md", "n", "d") for number in range(300)]
    written = rebuild(b"# H\n", topics)
    assert written.count(b"\n") == MAX_LINES
    assert b"198.md" in written
    assert rebuild(written, topics) == written
    long = rebuild(b"", [Topic(f"{number:03}.md", "n" * 400, "d" * 150) for number in range(100)])
    assert MAX_BYTES - 700 < len(long) <= MAX_BYTES


LINES = st.sampled_from(["- [a](a.md) — x", "# H", "", "words", "- [x](https://e.x/a.md)", "\udcff", "- [b](b.md)"])


@given(st.lists(LINES, max_size=9), st.sets(st.sampled_from(["a.md", "b.md", "c d.md"])), st.booleans())
def test_other_lines_stay_byte_for_byte(lines: list[str], gone: set[str], final: bool) -> None:
    data = ("\n".join(lines) + "\n" * final).encode("utf-8", "surrogateescape")
    topics = [Topic(path, path[0]) for path in ("a.md", "b.md", "c d.md") if path not in gone]
    written = rebuild(data, topics, gone)
    left = [line for line in written.split(b"\n") if b"](a.md)" not in line and b"](b.md)" not in line]
    was = [line for line in data.split(b"\n") if b"](a.md)" not in line and b"](b.md)" not in line]
    assert [line for line in left if b"c%20d" not in line and line] == [line for line in was if line]
    assert rebuild(written, topics, gone) == written
    assert all(written.count(f"({topic.path.replace(' ', '%20')})".encode()) >= 1 for topic in topics)
