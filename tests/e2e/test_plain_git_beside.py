"""A body that is run by hand with plain git, beside one that soulsync runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bodies import assert_in_step, in_turn

if TYPE_CHECKING:
    from tests.bodies import Body, Remote


def by_hand(body: Body) -> None:
    """What a person types."""
    body.git("add", "-A")
    body.try_git("commit", "-q", "-m", "by hand")
    body.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    body.git("push", "-q", "origin", "main")


def test_both_ways_make_equal_trees(one: Body, two: Body, remote: Remote) -> None:
    for number in range(3):
        one.remember(f"one {number}")
        two.remember(f"two, see §{number}")
        one.write("notes/same.md", f"# same\n\none {number}\n")
        two.write("notes/same.md", f"# same\n\ntwo {number}\n")
        one.identify(description=f"one {number}")
        two.identify(color=f"#00000{number}")
        one.write("journal/one/2026-03-01.md", f"# 2026-03-01 · one\n\n## 0{number}:00 x\ny\n")
        two.sync()
        by_hand(one)
        two.sync()
        one.git("pull", "-q", "--no-rebase", "origin", "main")
        assert one.tree() == two.tree()
    assert len(one.entries()) == 6
    assert (one.identity()["description"], one.identity()["color"]) == ("one 2", "#000002")
    assert_in_step(one, two)


def test_the_merge_by_hand_has_the_tree_that_soulsync_makes(one: Body, two: Body) -> None:
    for body in (one, two):
        body.remember(f"from {body.name}", "both")
        body.write("SOUL.md", f"# kaoru\n\n{body.name}\n")
        body.write("notes/n.md", f"# n\n\n{body.name}\n")
        body.identify(**{"color" if body.name == "one" else "description": f"by {body.name}"})
    one.sync()
    two.sync()
    ours, theirs = two.git("rev-list", "--parents", "-1", "HEAD").split()[1:]
    two.git("checkout", "-q", "-b", "check", ours)
    two.git("merge", "-q", "--no-edit", theirs)
    assert two.tree("check") == two.tree("main")
    two.git("switch", "-q", "main")


def test_where_plain_git_stops_the_next_sync_explains_and_keeps_the_work(one: Body, two: Body) -> None:
    one.write("notes/n.md", "# n\n")
    in_turn(one, two)
    one.delete("notes/n.md")
    one.sync()
    two.write("notes/n.md", "# n\n\nedited\n")
    two.git("commit", "-qam", "edited")
    two.git("fetch", "-q", "origin")
    assert two.try_git("merge", "-q", "origin/main").returncode == 1
    line = two.fails(1, "sync")
    assert "git merge --abort" in line
    assert two.read("notes/n.md") == "# n\n\nedited\n"
    two.git("merge", "--abort")
    in_turn(two, one)
    assert_in_step(one, two)


def test_conflicts_left_in_the_index_are_an_error(one: Body, two: Body) -> None:
    one.write("notes/n.md", "# n\n")
    in_turn(one, two)
    one.delete("notes/n.md")
    one.sync()
    two.write("notes/n.md", "# n\n\nedited\n")
    two.git("commit", "-qam", "edited")
    two.git("fetch", "-q", "origin")
    two.try_git("merge", "-q", "origin/main")
    (two.soul / ".git" / "MERGE_HEAD").unlink()
    assert "notes/n.md" in two.fails(1, "sync")
    assert two.read("notes/n.md") == "# n\n\nedited\n"


def test_a_commit_by_hand_is_synced_like_any_other(one: Body, two: Body) -> None:
    one.write("own/tool.py", "print()\n")
    one.git("add", "-A")
    one.git("commit", "-q", "-m", "a tool")
    one.remember("and something that is not committed")
    assert one.sync()["pushed"]
    assert [c["subject"] for c in two.sync()["incoming"]][-1].startswith("a tool")
    assert two.exists("own/tool.py")


def test_what_is_staged_is_committed_as_it_stands_in_the_work_tree(one: Body, remote: Remote) -> None:
    one.write("notes/n.md", "# staged\n")
    one.git("add", "notes/n.md")
    one.write("notes/n.md", "# later\n")
    one.sync()
    assert remote.git("show", "main:notes/n.md") == "# later"
    assert one.clean()
