"""Two machines, one memory: each trial ends with one tree on both, both texts there, and nobody asked."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from tests.bodies import assert_in_step, in_turn

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Body, Remote


@pytest.fixture
def pair(one: Body, two: Body) -> tuple[Body, Body]:
    """Both bodies hold the same two facts."""
    one.set_entries(["first fact", "second fact"])
    one.write("notes/plan.md", "# plan\n\nas agreed\n")
    in_turn(one, two, rounds=1)
    return one, two


def settle(one: Body, two: Body, remote: Remote) -> None:
    in_turn(one, two)
    assert_in_step(one, two)
    assert remote.head() == one.head()


def test_1_both_add_an_entry(pair: tuple[Body, Body], remote: Remote) -> None:
    one, two = pair
    one.remember("from one")
    two.remember("from two")
    settle(one, two, remote)
    assert sorted(one.entries()) == ["first fact", "from one", "from two", "second fact"]


def test_2_both_edit_the_same_entry(pair: tuple[Body, Body], remote: Remote) -> None:
    one, two = pair
    one.replace("first fact", "first fact, says one")
    two.replace("first fact", "first fact, says two")
    settle(one, two, remote)
    assert sorted(one.entries()) == ["first fact, says one", "first fact, says two", "second fact"]


def test_3a_note_deleted_here_and_edited_later_there(pair: tuple[Body, Body], remote: Remote) -> None:
    one, two = pair
    one.delete("notes/plan.md")
    one.sync()
    two.write("notes/plan.md", "# plan\n\nedited\n")
    two.git("commit", "-qam", "later", GIT_COMMITTER_DATE=f"@{int(time.time()) + 60} +0000")
    [merged] = two.sync()["merged"]
    assert (merged["path"], merged["kept"]) == ("notes/plan.md", "ours")
    settle(one, two, remote)
    assert one.read("notes/plan.md") == "# plan\n\nedited\n"


def test_3b_note_edited_there_and_deleted_later_here(pair: tuple[Body, Body], remote: Remote) -> None:
    one, two = pair
    one.write("notes/plan.md", "# plan\n\nedited\n")
    one.sync()
    two.delete("notes/plan.md")
    two.git("commit", "-qam", "later", GIT_COMMITTER_DATE=f"@{int(time.time()) + 60} +0000")
    [merged] = two.sync()["merged"]
    settle(one, two, remote)
    assert not one.exists("notes/plan.md")
    assert two.git("show", f"{merged['lost']}:notes/plan.md") == "# plan\n\nedited"
    two.ok("restore", "notes/plan.md")
    settle(two, one, remote)
    assert one.read("notes/plan.md") == "# plan\n\nedited\n"


def test_4_both_create_the_same_note(pair: tuple[Body, Body], remote: Remote) -> None:
    one, two = pair
    one.write("notes/same.md", "# same\n\nby one\n")
    two.write("notes/same.md", "# same\n\nby two\n")
    one.sync()
    [merged] = two.sync()["merged"]
    settle(one, two, remote)
    kept = one.read("notes/same.md")
    other = two.git("show", f"{merged['lost']}:notes/same.md") + "\n"
    assert {kept, other} == {"# same\n\nby one\n", "# same\n\nby two\n"}
    two.ok("restore", "notes/same.md")
    assert two.read("notes/same.md") == other


def test_6_remote_moves_between_fetch_and_push(pair: tuple[Body, Body], remote: Remote) -> None:
    one, two = pair
    once = remote.path.parent / "once"
    two.remember("from two")
    two.git("commit", "-qam", "waiting")
    # The second body's push arrives while the first body's is being received.
    once = remote.path.parent / "once"
    remote.hook(
        "pre-receive",
        f'mkdir "{once}" 2>/dev/null || exit 0',
        "unset GIT_DIR GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES",
        f'git -C "{two.soul}" push -q --no-verify "{remote.path}" HEAD:main',
    )
    one.remember("from one")
    result = one.sync()
    assert result["attempts"] == 2
    assert result["pushed"]
    settle(one, two, remote)
    assert sorted(one.entries()) == ["first fact", "from one", "from two", "second fact"]


def test_8_an_entry_forgotten_beside_an_edited_one(pair: tuple[Body, Body], remote: Remote) -> None:
    one, two = pair
    one.forget("first fact")
    two.replace("second fact", "second fact, edited")
    settle(one, two, remote)
    assert one.entries() == ["second fact, edited"]


def test_9_each_changes_one_field(pair: tuple[Body, Body], remote: Remote) -> None:
    one, two = pair
    one.identify(description="says one")
    two.identify(color="#112233")
    settle(one, two, remote)
    identity = json.loads(one.read("agent.json"))
    assert (identity["description"], identity["color"]) == ("says one", "#112233")


def test_12_a_section_sign_inside_an_entry(pair: tuple[Body, Body], remote: Remote) -> None:
    one, two = pair
    inline = "Rule: see §3 of the handbook, and § 7a."
    one.remember(inline, "from one")
    two.remember("from two, see §12(b)")
    settle(one, two, remote)
    assert sorted(one.entries()) == sorted([inline, "first fact", "second fact", "from one", "from two, see §12(b)"])


def test_13_two_bodies_on_hosts_of_one_name(remote: Remote, tmp_path: Path) -> None:
    """Without --body the host's name is taken, so both are called alike: init says so; done all the same, nothing goes.

    The second takes the name of the first, which goes on working.
    """
    bodies = [remote.body(tmp_path / folder, "same") for folder in ("one", "two")]
    bodies[0].init()
    assert "same-2" in bodies[1].fails(3, "init", remote.url, "--body", "same")
    bodies[1].init("--replace-body")
    for number, body in enumerate(bodies):
        body.write(
            "journal/same/2026-03-01.md", f"# 2026-03-01 · same\n\n## 0{number}:00 part {number}\ntext {number}\n"
        )
        body.remember(f"entry {number}")
    in_turn(*bodies)
    assert_in_step(*bodies)
    journal = bodies[0].read("journal/same/2026-03-01.md")
    assert all(f"text {number}" in journal for number in (0, 1))
    assert sorted(bodies[0].entries()) == ["entry 0", "entry 1"]
