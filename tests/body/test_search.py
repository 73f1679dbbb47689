"""Finding what the agent knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soulsync.body.search import EXCERPT, excerpt, search, tokens
from tests.lived import MEMORY, USER

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.body.search import Hit
    from tests.lived import Lived


@pytest.fixture
def soul(lived: Lived) -> Path:
    lived.write(
        MEMORY, "The server room key hangs behind the door\n§\n用户喜欢在京都喝绿茶\n§\nCafe\u0301 at noon 🎉\n"
    )
    lived.write(USER, "Is called Ana; has a server at home\n")
    lived.write("notes/travel/kyoto.md", "# Kyoto\n> 春天的京都之行\n\nBy train, two nights. Rooms are small.\n")
    lived.write("notes/start.md", "# start\n\nThe start of the server.\n")
    lived.write("journal/phone/2025-11-30.md", "# 2025-11-30 · phone\nwith rain\n\n## 08:05 Server room\n\nlocked\n")
    lived.write("journal/old/import.md", "an imported text about art\n")
    return lived.soul


def paths(hits: list[Hit]) -> list[str]:
    return [hit.passage.path for hit in hits]


def test_all_memories_notes_and_journals_are_searched(soul: Path) -> None:
    hits = search(soul, "server")
    assert sorted(paths(hits)) == [
        "journal/phone/2025-11-30.md", MEMORY, USER, "notes/start.md",
    ]  # fmt: skip
    assert {hit.passage.kind for hit in hits} == {"journal", "memory", "note"}
    assert next(hit for hit in hits if hit.passage.kind == "journal").passage.body == "phone"


def test_a_title_and_a_whole_phrase_come_first(soul: Path) -> None:
    assert paths(search(soul, "server room"))[:2] == ["journal/phone/2025-11-30.md", MEMORY]


def test_a_whole_word_beats_a_part_of_one(soul: Path) -> None:
    assert paths(search(soul, "art"))[0] == "journal/old/import.md"
    assert "notes/start.md" in paths(search(soul, "art"))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("京都", {MEMORY, "notes/travel/kyoto.md"}),
        ("绿茶", {MEMORY}),
        ("京都绿茶", {MEMORY, "notes/travel/kyoto.md"}),
        ("茶", {MEMORY}),
        ("KYOTO", {"notes/travel/kyoto.md"}),
        ("caf\u00e9", {MEMORY}),
        ("ｃａｆｅ\u0301", {MEMORY}),
        ("🎉", {MEMORY}),
        ("with rain", {"journal/phone/2025-11-30.md", "notes/travel/kyoto.md"}),
        ("is", {USER}),
        ("zeppelin it", set()),
        ("", set()),
        (" \n", set()),
        ("§", set()),
        ("[(*", set()),
    ],
)
def test_what_a_query_finds(soul: Path, query: str, found: set[str]) -> None:
    assert set(paths(search(soul, query))) == found


def test_no_more_than_wanted_and_in_a_fixed_order(soul: Path) -> None:
    assert len(search(soul, "server", 2)) == 2
    assert paths(search(soul, "server")) == paths(search(soul, "server"))


def test_links_conflict_copies_and_huge_files_are_skipped(soul: Path, tmp_path: Path) -> None:
    (tmp_path / "out.md").write_text("# zebra\n")
    (soul / "notes/out.md").symlink_to(tmp_path / "out.md")
    (soul / "journal/out").symlink_to(tmp_path)
    (soul / "notes/a.incoming-2.md").write_text("# zebra\n")
    (soul / "notes/huge.md").write_text("zebra " * 3_000_000)
    assert search(soul, "zebra") == []


def test_odd_bytes_are_searched(soul: Path) -> None:
    (soul / MEMORY).write_bytes(b"caf\xe9 corner zebra\n")
    (hit,) = search(soul, "zebra")
    assert hit.as_json()["text"] == "caf\udce9 corner zebra"


def test_tokens_are_words_and_overlapping_pairs() -> None:
    assert tokens("Hello, 喜欢绿茶 x") == ["hello", "喜欢", "欢绿", "绿茶", "x"]
    assert tokens("茶!") == ["茶"]


def test_an_excerpt_is_one_line_around_the_match() -> None:
    text = "start\n" + "a " * 300 + "the zebra here " + "b " * 300
    cut = excerpt(text, "zebra", ["zebra"])
    assert "zebra" in cut
    assert "\n" not in cut
    assert len(cut) <= EXCERPT + 4
    assert cut.startswith("… ")
    assert cut.endswith(" …")
    assert excerpt("short", "zebra", ["zebra"]) == "short"
