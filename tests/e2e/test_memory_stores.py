"""Stores of the other two formats in a soul that lives in two bodies: synced, merged by plain git, and put right."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from soulsync.merge.oxsoul_index import rebuilt
from tests.merge.test_stores import DAYS, entry, memory

if TYPE_CHECKING:
    from tests.bodies import Body

TEA, INDEX = "oxsoul/tea.md", "oxsoul/MEMORY.md"
SEVEN, SECOND = ".agent/memory/semantic/MEM-007.json", ".agent/memory/semantic/MEM-007-413f.json"


def index_is_right(body: Body) -> None:
    files = {file.name: file.read_bytes() for file in (body.soul / "oxsoul").glob("*.md")}
    now = files.pop("MEMORY.md")
    assert rebuilt("oxsoul", sorted(files.items()), now) == now


def in_the_next_second(body: Body) -> None:
    """Commits carry whole seconds, and a tie goes by their ids: go on when a commit made now is newer than its last."""
    while time.time() < int(body.git("log", "-1", "--format=%ct")) + 1:
        time.sleep(0.05)


def write_both(one: Body, two: Body) -> None:
    """Both bodies invent the same names; each writes an index that knows its own memory alone."""
    one.write(TEA, memory("Tea.", created=DAYS[2]))
    one.write(INDEX, rebuilt("oxsoul", [("tea.md", memory("Tea."))], None))
    one.write(SEVEN, entry("Tea."))
    two.write(TEA, memory("Beer."))
    two.write(INDEX, "drifted\n")
    two.write(SEVEN, entry("Beer.", created_at=DAYS[2]))


def holds_both(body: Body) -> None:
    assert body.read(TEA) == memory("Beer.").decode()
    assert body.read("oxsoul/tea-2.md") == memory("Tea.", created=DAYS[2], name="tea-2").decode()
    assert body.read(SEVEN) == entry("Tea.").decode()
    assert body.read(SECOND) == entry("Beer.", created_at=DAYS[2], memory_id="MEM-007-413f").decode()
    index_is_right(body)


def test_two_bodies_that_invent_one_name_keep_both_memories(one: Body, two: Body) -> None:
    write_both(one, two)
    one.sync()
    merged = two.sync()
    one.sync()
    assert one.git("rev-parse", "HEAD^{tree}") == two.git("rev-parse", "HEAD^{tree}")
    holds_both(one)
    told = {item["path"]: (item["rule"], item["kept"]) for item in merged["merged"]}
    assert told[TEA] == ("soul-oxsoul", "both")
    assert told[INDEX] == ("soul-oxsoul-index", "rebuilt")
    assert told[SEVEN] == ("soul-cortex", "both")
    assert [item["lost"] for item in merged["merged"]] == [None] * len(merged["merged"])
    assert two.sync()["outcome"] == "unchanged"


def test_plain_git_and_a_sync_after_it_come_to_the_same_files(one: Body, two: Body) -> None:
    write_both(one, two)
    one.sync()
    two.sync("--no-push")
    synced = two.git("rev-parse", "HEAD^{tree}")
    two.git("reset", "-q", "--hard", "HEAD^1")
    two.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    assert two.git("write-tree") == synced
    result = two.sync()
    assert result["warnings"] == []
    assert two.git("rev-parse", "HEAD^{tree}") == synced
    holds_both(two)


def test_a_merge_without_our_hooks_gets_its_second_memories_from_the_next_sync(one: Body, two: Body) -> None:
    write_both(one, two)
    one.sync()
    two.git("add", "-A")
    two.git("commit", "-q", "--no-verify", "-m", "mine")
    two.git("-c", "core.hooksPath=/dev/null", "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    assert not two.exists(SECOND)
    result = two.sync()
    holds_both(two)
    assert {warning.split(" ")[0] for warning in result["warnings"]} == {SECOND, "oxsoul/tea-2.md", INDEX}
    two.delete(SECOND)
    two.sync()
    one.sync()
    assert two.sync()["warnings"] == []
    assert not one.exists(SECOND)


def test_an_edit_here_and_a_deletion_there_the_newer_act_wins_and_the_index_follows(one: Body, two: Body) -> None:
    one.write(TEA, memory("Tea."))
    one.write("oxsoul/dog.md", memory("Dog.", name="dog"))
    one.sync()
    two.sync()
    one.delete(TEA)
    one.write("oxsoul/dog.md", memory("Big dog.", name="dog", updated=DAYS[2]))
    two.write(TEA, memory("Green tea.", updated=DAYS[2]))
    two.delete("oxsoul/dog.md")
    one.sync()
    in_the_next_second(one)
    two.sync()  # its commits are the newer ones
    one.sync()
    assert one.git("rev-parse", "HEAD^{tree}") == two.git("rev-parse", "HEAD^{tree}")
    assert one.read(TEA) == memory("Green tea.", updated=DAYS[2]).decode()
    assert not one.exists("oxsoul/dog.md")
    index_is_right(one)


def test_what_cannot_be_read_gives_way_without_markers_and_stays_in_history(one: Body, two: Body) -> None:
    for body, data in ((one, b"\xffno frontmatter\n"), (two, memory("Beer."))):
        body.write(TEA, data)
        body.write(SEVEN, data if body is one else entry("Beer."))
    first = one.sync()["head"]
    result = two.sync()
    one.sync()
    assert one.read(TEA) == memory("Beer.").decode()
    assert one.read(SEVEN) == entry("Beer.").decode()
    lost = {item["path"]: item["lost"] for item in result["merged"]}
    assert (lost[TEA], lost[SEVEN]) == (first, first)
    assert len(result["warnings"]) == 2
