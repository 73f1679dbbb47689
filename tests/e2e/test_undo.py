"""Taking back what one commit did, whatever came after it."""

from __future__ import annotations

import hashlib
import itertools
import json
import subprocess
from typing import TYPE_CHECKING, Any

from tests.bodies import assert_in_step, in_turn

if TYPE_CHECKING:
    from tests.bodies import Body


def undo(body: Body, *words: str) -> dict[str, Any]:
    return dict(json.loads(body.ok("undo", *words, "--json")))


def step(body: Body) -> str:
    body.sync()
    return body.head()


def test_an_added_entry_goes_though_its_neighbours_changed(one: Body) -> None:
    one.set_entries(["first", "last"])
    step(one)
    one.set_entries(["first", "mistake", "last"])
    mistake = step(one)
    one.set_entries(["first, edited", "mistake", "new", "last, edited"])
    step(one)
    done = undo(one, mistake[:8])
    assert one.entries() == ["first, edited", "new", "last, edited"]
    assert (done["changed"], done["left"]) == (["memories/MEMORY.md"], [])
    assert one.subjects("-1") == [f"撤销 {mistake[:7]}（one）"]
    assert one.clean()


def test_a_deleted_entry_comes_back(one: Body) -> None:
    one.set_entries(["first", "second", "third"])
    step(one)
    one.forget("second")
    deletion = step(one)
    one.remember("fourth")
    step(one)
    undo(one, deletion)
    assert one.entries() == ["first", "second", "third", "fourth"]


def test_an_undo_reaches_the_other_bodies_and_can_be_undone(one: Body, two: Body) -> None:
    one.set_entries(["first", "second"])
    step(one)
    one.forget("first")
    deletion = step(one)
    undo(one, deletion)
    in_turn(one, two)
    assert two.entries() == ["first", "second"]
    undo(two, "HEAD")
    in_turn(two, one)
    assert one.entries() == ["second"]
    assert_in_step(one, two)


def test_a_field_of_the_identity_goes_back_alone(one: Body) -> None:
    one.identify(description="old", color="#111111")
    step(one)
    one.identify(description="mistake")
    mistake = step(one)
    one.identify(color="#222222")
    step(one)
    undo(one, mistake)
    assert (one.identity()["description"], one.identity()["color"]) == ("old", "#222222")


def test_undo_of_a_merge_brings_the_losers_back_and_keeps_what_both_added(one: Body, two: Body) -> None:
    for body in (one, two):
        body.write("notes/same.md", f"# same\n\nby {body.name}\n")
        body.remember(f"from {body.name}")
        body.identify(description=f"says {body.name}")
    one.sync()
    two.sync()
    merge = two.head()
    winner = two.read("notes/same.md")
    done = undo(two, merge)
    assert done["changed"] == ["agent.json", "notes/same.md"]
    assert two.read("notes/same.md") != winner
    assert two.identity()["description"] == "says one"
    assert sorted(two.entries()) == ["from one", "from two"]
    in_turn(two, one)
    assert_in_step(one, two)


def test_a_note_that_changed_since_is_left_and_named_unless_forced(one: Body) -> None:
    one.write("notes/n.md", "# n\n\nfirst\n")
    step(one)
    one.write("notes/n.md", "# n\n\nsecond\n")
    one.write("notes/other.md", "# other\n")
    change = step(one)
    one.write("notes/n.md", "# n\n\nthird\n")
    step(one)
    done = undo(one, change)
    assert done["left"] == [{"path": "notes/n.md", "reason": "changed since"}]
    assert one.read("notes/n.md") == "# n\n\nthird\n"
    assert not one.exists("notes/other.md")
    undo(one, change, "--force", "notes/n.md")
    assert one.read("notes/n.md") == "# n\n\nfirst\n"


def test_journal_registry_lease_and_fixed_files_are_left_and_named(one: Body) -> None:
    one.write("journal/one/2026-03-01.md", "# 2026-03-01 · one\n\n## 08:00 a\nb\n")
    one.write("README.md", one.read("README.md") + "more\n")
    one.remember("x")
    change = step(one)
    done = undo(one, change)
    assert {item["path"] for item in done["left"]} == {"README.md", "journal/one/2026-03-01.md"}
    assert one.entries() == []
    assert one.exists("journal/one/2026-03-01.md")
    undo(one, change, "--force", "journal/one/2026-03-01.md")
    assert not one.exists("journal/one/2026-03-01.md")


def test_another_bodys_journal_is_left_also_by_force(one: Body, two: Body) -> None:
    two.write("journal/two/2026-03-01.md", "# 2026-03-01 · two\n\n## 08:00 a\nb\n")
    change = step(two)
    one.sync()
    undo(one, change, "--force", "journal/two/2026-03-01.md")
    assert one.exists("journal/two/2026-03-01.md")


def test_a_moved_and_edited_note_goes_back_with_its_edit(one: Body) -> None:
    one.write("notes/old.md", "# n\n\ntext\n")
    step(one)
    (one.soul / "notes/old.md").rename(one.soul / "notes/new.md")
    move = step(one)
    one.write("notes/new.md", "# n\n\ntext, edited\n")
    step(one)
    undo(one, move)
    assert one.read("notes/old.md") == "# n\n\ntext, edited\n"
    assert not one.exists("notes/new.md")


def test_root_and_fill_in_are_refused(one: Body, two: Body) -> None:
    root = one.git("rev-list", "--max-parents=0", "HEAD")
    assert "beginning" in one.fails(1, "undo", root)
    one.delete("memories/USER.md")
    one.git("commit", "-qam", "补齐灵魂仓库规范结构（one）", "--no-verify")
    assert "structure" in one.fails(1, "undo", "HEAD")


def test_commits_that_are_none(one: Body, two: Body) -> None:
    for revision in ("0123456789abcdef", "nonsense", "", "--all", "HEAD:SOUL.md", "a\tb"):
        one.fails(1, "undo", "--", revision)
    two.remember("x")
    elsewhere = step(two)
    one.git("fetch", "-q", "origin")
    assert "not in this soul's history" in one.fails(1, "undo", elsewhere)


def two_commits_with_one_prefix(one: Body) -> str:
    """Four hex digits with which two commits of this soul begin: of 65,536 prefixes two meet soon."""
    head = one.git("cat-file", "commit", "HEAD")
    seen: dict[str, bytes] = {}
    for number in itertools.count():
        body = f"{head}\n{number}\n".encode()
        prefix = hashlib.sha1(b"commit %d\0%s" % (len(body), body)).hexdigest()[:4]
        if prefix in seen:
            break
        seen[prefix] = body
    for content in (seen[prefix], body):
        write = ["git", "hash-object", "-t", "commit", "-w", "--stdin"]
        subprocess.run(write, cwd=one.soul, input=content, check=True, capture_output=True)
    return prefix


def test_an_ambiguous_commit_is_named_as_such(one: Body) -> None:
    assert "Several commits" in one.fails(1, "undo", two_commits_with_one_prefix(one))


def test_dry_run_only_tells(one: Body) -> None:
    one.remember("x")
    change = step(one)
    done = undo(one, change, "--dry-run")
    assert done["changed"] == ["memories/MEMORY.md"]
    assert (done["commit"], one.head(), one.entries()) == (None, change, ["x"])


def test_undoing_twice_is_nothing_to_undo(one: Body) -> None:
    one.remember("x")
    change = step(one)
    undo(one, change)
    head = one.head()
    assert "Nothing to undo" in one.ok("undo", change)
    assert one.head() == head


def test_work_that_is_not_committed_yet_survives_an_undo(one: Body) -> None:
    one.remember("x")
    change = step(one)
    one.remember("not committed yet")
    undo(one, change)
    assert one.entries() == ["not committed yet"]
    assert one.clean()


def memory(name: str, description: str) -> str:
    fields = {"name": name, "description": description, "category": "fact", "importance": "0.5", "confidence": "1"}
    times = {"source": "manual", "created": "2026-01-01T00:00:00Z", "updated": "2026-01-01T00:00:00Z"}
    return "".join(["---\n", *(f"{key}: {value}\n" for key, value in {**fields, **times}.items()), "---\ntext\n"])


def index(body: Body) -> str:
    assert "Nothing is wrong" in body.ok("oxsoul", "validate", "--store", str(body.soul / "oxsoul"))
    return (body.soul / "oxsoul" / "MEMORY.md").read_text("utf-8")


def add_to_store(body: Body, name: str, description: str) -> str:
    body.write(f"oxsoul/{name}.md", memory(name, description))
    body.ok("oxsoul", "index", "--store", str(body.soul / "oxsoul"))
    return step(body)


def test_the_index_of_a_store_follows_an_undo_and_a_restore(one: Body) -> None:
    add_to_store(one, "a", "first")
    mistake = add_to_store(one, "b", "mistake")
    add_to_store(one, "c", "later")
    done = undo(one, mistake)
    assert (done["changed"], done["left"]) == (["oxsoul/MEMORY.md", "oxsoul/b.md"], [])
    assert "> 共 2 条" in index(one)
    assert "[b](b.md)" not in index(one)
    one.ok("restore", "oxsoul/b.md")
    assert "[b](b.md) — mistake" in index(one)
    assert one.clean()
