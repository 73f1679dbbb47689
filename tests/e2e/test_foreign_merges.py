"""Merges that other hands made and pushed: markers left by a killed merge, and versions that were dropped."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.bodies import Body, Remote, assert_in_step, git

if TYPE_CHECKING:
    from pathlib import Path

WHO = {f"GIT_{who}_{what}": "peer" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def a_clone(remote: Remote, folder: Path) -> Path:
    """A clone without drivers, as another implementation has it."""
    clone = folder / "peer"
    git(folder, "clone", "-q", remote.url, str(clone))
    return clone


def merge_badly(one: Body, remote: Remote, folder: Path, *options: str) -> None:
    """Let a peer that lacks ``one``'s last commit write too, merge without drivers, and push what comes of it."""
    clone = a_clone(remote, folder)
    (clone / "memories/MEMORY.md").write_text("first\n§\npeer's edit\n§\nonly the peer knows\n")
    (clone / "notes/trip.md").write_text("# trip\n\nby plane\n")
    identity = json.loads((clone / "agent.json").read_text())
    (clone / "agent.json").write_text(json.dumps({**identity, "color": "#000000"}, indent=2) + "\n")
    env = {**one.env, **WHO}
    git(clone, "commit", "-qam", "peer（peer）", env=env)
    one.replace("second", "one's edit")
    one.write("notes/trip.md", "# trip\n\nby train\n")
    one.identify(color="#FFFFFF")
    one.sync()
    git(clone, "fetch", "-q", env=env)
    one_way = git_may_fail(clone, env, "merge", "--no-edit", *options, "origin/main")
    if not options:
        assert one_way != 0, "the merge was meant to conflict"
        git(clone, "add", "-A", env=env)
        git(clone, "commit", "-qm", "Merge（peer）", env=env)
    git(clone, "push", "-q", "origin", "HEAD:main", env=env)


def git_may_fail(clone: Path, env: dict[str, str], *words: str) -> int:
    import subprocess

    return subprocess.run(["git", *words], cwd=clone, env=env, capture_output=True, check=False).returncode


def begin(one: Body, two: Body) -> None:
    one.set_entries(["first", "second"])
    one.write("notes/trip.md", "# trip\n\nsomehow\n")
    one.sync()
    two.sync()


def test_markers_that_a_killed_merge_pushed_are_merged_by_the_rules(
    one: Body, two: Body, remote: Remote, tmp_path: Path
) -> None:
    begin(one, two)
    merge_badly(one, remote, tmp_path)
    assert "<<<<<<<" in remote.git("show", "main:memories/MEMORY.md")
    result = one.sync()
    assert sum("conflict markers" in warning for warning in result["warnings"]) == 3
    two.sync()
    one.sync()
    assert_in_step(one, two)
    assert remote.tree() == one.tree()
    assert set(one.entries()) == {"first", "one's edit", "peer's edit", "only the peer knows"}
    assert one.read("notes/trip.md") in ("# trip\n\nby train\n", "# trip\n\nby plane\n")
    assert one.identity()["color"] in ("#000000", "#FFFFFF")


def test_local_work_beside_torn_files_is_kept(one: Body, two: Body, remote: Remote, tmp_path: Path) -> None:
    begin(one, two)
    merge_badly(one, remote, tmp_path)
    two.remember("written on two meanwhile")
    two.sync()
    one.sync()
    assert_in_step(one, two)
    assert remote.tree() == one.tree()
    assert set(one.entries()) == {
        "first", "one's edit", "peer's edit", "only the peer knows", "written on two meanwhile",
    }  # fmt: skip


def test_markers_in_an_ordinary_commit_are_content(one: Body, two: Body, remote: Remote) -> None:
    text = "<<<<<<< how git\nmarks\n=======\na conflict\n>>>>>>> ends"
    one.remember(text)
    one.sync()
    two.sync()
    assert two.entries()[-1] == text
    assert_in_step(one, two)
    assert remote.tree() == one.tree()


def test_what_a_merge_dropped_is_named_and_can_be_restored(
    one: Body, two: Body, remote: Remote, tmp_path: Path
) -> None:
    begin(one, two)
    merge_badly(one, remote, tmp_path, "-s", "ours")
    assert "one's edit" not in remote.git("show", "main:memories/MEMORY.md")
    (told,) = [w for w in two.sync()["warnings"] if "one's edit" in w]
    command = told.split("`")[1].split()
    assert command[:2] == ["soulsync", "restore"]
    two.ok(*command[1:])
    assert "one's edit" in two.entries()
    assert "only the peer knows" in two.entries()


def test_merges_of_bodies_are_passed_in_silence(one: Body, two: Body) -> None:
    one.remember("from one")
    two.remember("from two")
    one.sync()
    two.sync()
    assert one.sync()["warnings"] == []


def merge_here_by_plain_git(one: Body, two: Body, *options: str) -> int:
    """Let a person fetch and merge on ``one``, where neither drivers nor hooks are; how git ended."""
    begin(one, two)
    one.ok("uninstall")
    one.env |= WHO
    two.replace("second", "two's edit")
    two.remember("only two knows")
    two.sync()
    one.replace("second", "one's edit")
    one.git("commit", "-qam", "one（one）")
    one.git("fetch", "-q", "origin")
    return one.try_git("merge", "--no-edit", *options, "origin/main").returncode


def test_what_a_persons_own_merge_dropped_is_told_before_it_spreads(one: Body, two: Body, remote: Remote) -> None:
    assert merge_here_by_plain_git(one, two, "-s", "ours") == 0
    result = one.sync()
    (told,) = [w for w in result["warnings"] if "only two knows" in w]
    assert result["pushed"]
    assert [w for w in one.sync()["warnings"] if "only two knows" in w] == []
    two.sync()
    two.ok(*told.split("`")[1].split()[1:])
    assert {"only two knows", "one's edit"} <= set(two.entries())


def test_markers_that_a_person_committed_here_never_reach_the_remote(one: Body, two: Body, remote: Remote) -> None:
    assert merge_here_by_plain_git(one, two) != 0
    one.git("commit", "-qam", "Merge（one）")
    assert "<<<<<<<" in one.read("memories/MEMORY.md")
    assert len([w for w in one.sync()["warnings"] if "conflict markers" in w]) == 1
    assert set(one.entries()) == {"first", "one's edit", "two's edit", "only two knows"}
    two.sync()
    assert_in_step(one, two)
    assert remote.tree() == one.tree()


def test_a_merge_of_three_at_once_is_looked_at_too(one: Body, two: Body) -> None:
    begin(one, two)
    base = one.head()
    for number in (1, 2):
        one.git("checkout", "-q", "-b", f"side{number}", base)
        one.write(f"notes/n{number}.md", f"# n{number}\n")
        one.set_entries(["first", "second", f"from {number}"])
        one.git("add", "-A")
        one.git("commit", "-q", "--no-verify", "-m", f"side {number}（one）")
    one.git("checkout", "-q", "main")
    one.git("merge", "-q", "--no-edit", "-s", "ours", "side1", "side2")
    warnings = one.sync()["warnings"]
    for dropped in ("from 1", "from 2", "notes/n1.md", "notes/n2.md"):
        [told] = [w for w in warnings if dropped in w]
        two.sync()
        two.ok(*told.split("`")[1].split()[1:])
    assert set(two.entries()) == {"first", "second", "from 1", "from 2"}
    assert two.exists("notes/n1.md")
    assert two.exists("notes/n2.md")


def test_a_persons_merge_with_the_drivers_is_passed_in_silence(one: Body, two: Body) -> None:
    begin(one, two)
    two.remember("from two")
    two.sync()
    one.remember("from one")
    one.git("commit", "-qam", "one（one）")
    one.git("fetch", "-q", "origin")
    one.git("merge", "-q", "--no-edit", "origin/main")
    result = one.sync()
    assert (result["pushed"], result["warnings"]) == (True, [])
