"""The rules at the level of trees, with real commits; every merge is made both ways and must give one tree."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from soulsync import spec
from soulsync.formats.entries import parse
from soulsync.repo import objects
from soulsync.repo.objects import EXECUTABLE, SUBMODULE, SYMLINK, Entry
from tests.repo.helpers import BASE, ID, MEMORY, OTHER_ID, Content, Lab, entries, identity

if TYPE_CHECKING:
    from collections.abc import Mapping

REQUIRED = [*spec.FIXED_FILES, *spec.REQUIRED_FILES, "journal/.gitkeep"]


class Fork:
    """Two sides of one base: ``older`` at second 10, ``newer`` at second 20."""

    def __init__(self, lab: Lab, older: Mapping[str, Content], newer: Mapping[str, Content], **base: Content) -> None:
        self.lab = lab
        self.base = lab.base(**base)
        self.older = lab.commit(older, self.base, at=10)
        self.newer = lab.commit(newer, self.base, at=20)
        self.result = lab.merge(self.older, self.newer)
        self.files = lab.files(self.result.tree)

    def read(self, path: str) -> str | None:
        return self.lab.read(self.result.tree, path)

    def memories(self, path: str = MEMORY) -> list[str]:
        return parse(self.files[path])


# Rules 1 and 11: both sides' additions, deletions of either side.


def test_memories_of_both_sides(lab: Lab) -> None:
    fork = Fork(lab, {MEMORY: entries("A", "C", "one")}, {MEMORY: entries("A", "B2", "C", "two")})
    assert sorted(fork.memories()) == ["A", "B2", "C", "one", "two"]
    assert [(o.path, o.rule, o.kept, o.lost) for o in fork.result.outcomes] == [(MEMORY, "soul-entries", "both", None)]


def test_what_only_one_side_changed_takes_that_side(lab: Lab) -> None:
    fork = Fork(lab, {"notes/a.md": "mine"}, {"notes/b.md": None, "x/new": "n"})
    assert fork.read("notes/a.md") == "mine"
    assert "notes/b.md" not in fork.files
    assert fork.read("x/new") == "n"
    assert fork.result.outcomes == []


# Rules 3, 5, 9: the newer one.


@pytest.mark.parametrize("path", ["notes/a.md", "SOUL.md", "extra/data.txt", "README.md", "locks/other"])
def test_the_newer_whole_file_wins_and_the_loser_is_named(lab: Lab, path: str) -> None:
    fork = Fork(lab, {path: "older\n\ntext\n"}, {path: "newer\n\ntext\n"}, **{path: "old\n\ntext\n"})
    assert fork.read(path) == "newer\n\ntext\n"
    [outcome] = fork.result.outcomes
    assert (outcome.kept, outcome.lost) == ("theirs", fork.older)


@pytest.mark.parametrize("blank", ["", " \n\n", "# 薰\n"])
def test_a_blank_or_seed_soul_yields_whatever_its_time(lab: Lab, blank: str) -> None:
    fork = Fork(lab, {"SOUL.md": "# 薰\n\ntrue\n"}, {"SOUL.md": blank})
    assert fork.read("SOUL.md") == "# 薰\n\ntrue\n"


def test_equal_times_are_settled_by_the_larger_blob(lab: Lab) -> None:
    base = lab.base()
    sides = [lab.commit({"notes/a.md": text}, base, at=10) for text in ("one", "two")]
    larger = max(("one", "two"), key=lambda text: objects.blob_id(text.encode()))
    assert lab.read(lab.merge(*sides).tree, "notes/a.md") == larger


def test_lost_names_a_commit_that_holds_the_losing_version(lab: Lab) -> None:
    base = lab.base()
    late = lab.commit({"notes/a.md": "late"}, base, at=50)
    reverted = lab.commit({"notes/a.md": "clock went back"}, late, at=40)
    on_top = lab.commit({"notes/b.md": "else"}, reverted, at=41)
    newer = lab.commit({"notes/a.md": "newer"}, base, at=90)
    [outcome] = lab.merge(on_top, newer).outcomes
    assert outcome.lost is not None
    assert lab.read(objects.tree_of(lab.repo, outcome.lost), "notes/a.md") == "clock went back"


# Rule 4: deleted here, changed there.


@pytest.mark.parametrize("path", ["notes/a.md", "extra/x"])
def test_the_newer_act_wins_deletion_included(lab: Lab, path: str) -> None:
    deleted_later = Fork(lab, {path: "edit"}, {path: None}, **{path: "old"})
    assert path not in deleted_later.files
    assert deleted_later.result.outcomes[0].lost == deleted_later.older


@pytest.mark.parametrize("path", ["notes/a.md", "extra/x"])
def test_an_edit_after_a_deletion_stays(lab: Lab, path: str) -> None:
    fork = Fork(lab, {path: None}, {path: "edit"}, **{path: "old"})
    assert fork.read(path) == "edit"


@pytest.mark.parametrize("path", REQUIRED)
def test_a_required_file_that_vanishes_on_one_side_stays(lab: Lab, path: str) -> None:
    fork = Fork(lab, {path: None}, {"notes/n.md": "n"})
    assert fork.files[path] == str(BASE[path]).encode()
    assert any(path in warning for warning in fork.result.warnings)


@pytest.mark.parametrize("path", REQUIRED)
def test_a_required_file_that_vanishes_on_both_sides_stays(lab: Lab, path: str) -> None:
    assert path in Fork(lab, {path: None}, {path: None, "notes/n.md": "n"}).files


@pytest.mark.parametrize("path", [MEMORY, "SOUL.md", "agent.json"])
def test_a_required_file_that_vanishes_does_not_stop_the_other_sides_edit(lab: Lab, path: str) -> None:
    text = {MEMORY: entries("A", "N"), "SOUL.md": "# 薰\n\nloud\n", "agent.json": identity(color="#112233")}[path]
    assert Fork(lab, {path: text}, {path: None}).read(path) == text


@pytest.mark.parametrize("mode", [SYMLINK, SUBMODULE])
def test_a_link_in_the_place_of_a_required_file_counts_as_its_deletion(lab: Lab, mode: int) -> None:
    fork = Fork(lab, {"notes/n.md": "n"}, {"SOUL.md": Entry(mode, lab.entry("/etc/passwd").id)})
    assert fork.read("SOUL.md") == BASE["SOUL.md"]


def test_another_memories_file_that_was_deleted_counts_as_empty(lab: Lab) -> None:
    fork = Fork(lab, {"memories/X.md": None}, {"memories/X.md": entries("a", "new")}, **{"memories/X.md": entries("a")})
    assert fork.memories("memories/X.md") == ["new"]
    gone = Fork(lab, {"memories/X.md": None}, {"memories/X.md": entries("a")}, **{"memories/X.md": entries("a", "b")})
    assert "memories/X.md" not in gone.files


def test_an_emptied_memories_file_deletes_its_entries(lab: Lab) -> None:
    assert Fork(lab, {MEMORY: ""}, {MEMORY: entries("A", "B", "C", "N")}).memories() == ["N"]


def test_a_journal_stays_and_a_registry_goes_unless_it_was_changed(lab: Lab) -> None:
    day = "journal/one/2026-01-01.md"
    head = "# 2026-01-01 · one\n\n## 08:00 up\n\ntext\n"
    fork = Fork(lab, {day: head + "\n## 09:00 more\n\nx\n"}, {day: None, "bodies/one.json": None}, **{day: head})
    assert "09:00 more" in str(fork.read(day))
    assert "bodies/one.json" not in fork.files
    changed = Fork(lab, {"bodies/one.json": '{\n  "body": "one",\n  "a": 1\n}\n'}, {"bodies/one.json": None})
    assert "bodies/one.json" in changed.files


# Rules 6 and 7.


def test_one_journal_day_of_two_bodies_is_the_union(lab: Lab) -> None:
    day = "journal/one/2026-01-01.md"
    head = "# 2026-01-01 · one\n\n## 08:00 up\n\ntext\n"
    fork = Fork(lab, {day: head + "\n## 12:00 b\n\nx\n"}, {day: head + "\n## 10:00 a\n\ny\n"}, **{day: head})
    text = str(fork.read(day))
    assert text.index("08:00") < text.index("10:00") < text.index("12:00")


def test_a_registry_takes_the_later_last_seen(lab: Lab) -> None:
    def seen(hour: int) -> str:
        return json.dumps({"body": "one", "lastSeen": f"2026-01-01T{hour:02d}:00:00.000Z"}, indent=2) + "\n"

    fork = Fork(lab, {"bodies/one.json": seen(9)}, {"bodies/one.json": seen(8)})
    assert fork.read("bodies/one.json") == seen(9)


def test_of_two_valid_leases_the_earlier_end_holds(lab: Lab) -> None:
    now = (1_767_225_600 + 20) * 1000
    one, two = (f'{{"body": "{name}", "until": {now + ms}}}\n' for name, ms in (("one", 5000), ("two", 9000)))
    assert Fork(lab, {spec.LEASE_JSON: one}, {spec.LEASE_JSON: two}).read(spec.LEASE_JSON) == one


# Rules 8 and 12: what can't be read, and who it is.


def test_an_unreadable_identity_yields_and_is_reported(lab: Lab) -> None:
    fork = Fork(lab, {"agent.json": identity(color="#112233")}, {"agent.json": "{ half"})
    assert "#112233" in str(fork.read("agent.json"))
    assert fork.result.warnings


@pytest.mark.parametrize("both", [False, True])
def test_the_id_never_changes(lab: Lab, both: bool) -> None:
    other = {"agent.json": identity(color="#112233")} if both else {"notes/n.md": "n"}
    fork = Fork(lab, {"agent.json": identity(OTHER_ID, description="x")}, other)
    text = str(fork.read("agent.json"))
    assert ID in text
    assert OTHER_ID not in text
    assert '"description": "x"' in text


def test_identity_by_field(lab: Lab) -> None:
    fork = Fork(lab, {"agent.json": identity(color="#112233")}, {"agent.json": identity(pronouns="she")})
    assert fork.read("agent.json") == identity(color="#112233", pronouns="she") or '"she"' in str(
        fork.read("agent.json")
    )
    assert "#112233" in str(fork.read("agent.json"))


def test_text_that_git_would_mark_as_a_conflict_is_content(lab: Lab) -> None:
    fork = Fork(lab, {MEMORY: entries("A", "<<<<<<< ours\nx\n=======")}, {MEMORY: b"\xff\xfe\n"})
    assert "<<<<<<< ours\nx\n=======" in fork.memories()


# Modes, links, submodules.


def test_the_executable_bit_merges_like_content(lab: Lab) -> None:
    run = Entry(EXECUTABLE, lab.entry("old").id)
    fork = Fork(lab, {"extra/run": run}, {"extra/run": "newer"}, **{"extra/run": "old"})
    assert objects.lookup(lab.repo, fork.result.tree, "extra/run") == lab.entry("newer", EXECUTABLE)
    deleted = Fork(lab, {"extra/run": run}, {"extra/run": None}, **{"extra/run": "old"})
    assert "extra/run" not in deleted.files


@pytest.mark.parametrize("mode", [SYMLINK, SUBMODULE])
def test_a_link_or_submodule_is_taken_whole_by_time(lab: Lab, mode: int) -> None:
    one, two = (Entry(mode, lab.entry(text).id) for text in ("1", "2"))
    fork = Fork(lab, {"x": one}, {"x": two})
    assert objects.lookup(lab.repo, fork.result.tree, "x") == two
    against_file = Fork(lab, {"x": one}, {"x": "file"}, x="old")
    assert against_file.read("x") == "file"
    untouched = Fork(lab, {"notes/a.md": "n"}, {"notes/b.md": "n"}, x=one)
    assert objects.lookup(lab.repo, untouched.result.tree, "x") == one


def test_a_link_and_a_file_with_one_blob_have_an_order(lab: Lab) -> None:
    base, blob = lab.base(), lab.entry("same")
    lab.merge(lab.commit({"x": blob}, base, at=5), lab.commit({"x": Entry(SYMLINK, blob.id)}, base, at=5))


def test_what_no_checkout_takes_stays_as_it_is(lab: Lab) -> None:
    odd = {"notes/.git/config": "x", "notes/a\udcff.md": "y", "notes/con": "z"}
    fork = Fork(lab, {"notes/a.md": "1"}, {"notes/b.md": "2"}, **odd)
    assert {path: fork.read(path) for path in odd} == odd


# A file here, a folder there.


def test_a_file_and_a_folder_of_one_name_both_stay(lab: Lab) -> None:
    fork = Fork(lab, {"notes/t.md": "file"}, {"notes/t.md/deep.md": "folder"})
    assert fork.read("notes/t.md/deep.md") == "folder"
    assert fork.read(f"notes/t-{objects.blob_id(b'file')[:8]}.md") == "file"
    assert any("notes/t.md" in warning for warning in fork.result.warnings)


def test_a_file_that_became_a_folder_while_the_other_side_edited_it(lab: Lab) -> None:
    fork = Fork(lab, {"x": None, "x/y": "folder"}, {"x": "edited"}, x="old")
    assert fork.read("x/y") == "folder"
    assert b"edited" in fork.files.values()
    reverse = Fork(lab, {"x": "edited"}, {"x": None, "x/y": "folder"}, x="old")
    assert reverse.read("x/y") == "folder"


def test_a_folder_that_became_a_file_while_the_other_side_added_to_it(lab: Lab) -> None:
    fork = Fork(lab, {"x/a": None, "x": "file"}, {"x/b": "added"}, **{"x/a": "old"})
    assert fork.read("x/b") == "added"
    assert b"file" in fork.files.values()
    assert "x/a" not in fork.files


def test_a_required_file_stands_and_the_folder_gives_way(lab: Lab) -> None:
    fork = Fork(lab, {"SOUL.md": None, "SOUL.md/x": "folder"}, {"notes/n.md": "n"})
    assert fork.read("SOUL.md") == BASE["SOUL.md"]
    assert b"folder" in fork.files.values()


def test_the_name_beside_is_never_one_that_is_taken(lab: Lab) -> None:
    taken = f"notes/t-{objects.blob_id(b'file')[:8]}.md"
    fork = Fork(lab, {"notes/t.md": "file"}, {"notes/t.md/deep.md": "folder", taken: "other"})
    assert fork.read(taken) == "other"
    assert b"file" in fork.files.values()


# A merge that is merged again.


def test_merging_the_merge_with_a_parent_is_trivial(lab: Lab) -> None:
    fork = Fork(
        lab,
        {MEMORY: entries("A", "one"), "notes/a.md": "1", "notes/t": "f", "notes/b.md": None},
        {MEMORY: entries("two", "A", "B"), "notes/a.md": "2", "notes/t/x": "g", "notes/b.md": "edit"},
    )  # fmt: skip
    merged = lab.commit_tree(fork.result.tree, fork.older, fork.newer, at=30)
    for parent in (fork.older, fork.newer):
        again = lab.merge(merged, parent)
        assert again.tree == fork.result.tree
        assert again.outcomes == []


def test_unrelated_histories_lose_nothing(lab: Lab) -> None:
    one, two = lab.base(), lab.commit({**BASE, MEMORY: entries("X"), "notes/z.md": "z"}, at=5)
    files = lab.files(lab.merge(one, two).tree)
    assert sorted(parse(files[MEMORY])) == ["A", "B", "C", "X"]
    assert {"notes/a.md", "notes/z.md"} <= files.keys()
