"""The options of ``sync``: what is printed, what is sent, what is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bodies import snapshot

if TYPE_CHECKING:
    from tests.bodies import Body, Remote


def test_quiet_prints_nothing(one: Body, two: Body) -> None:
    one.remember("x")
    two.remember("y")
    for body in (one, two, one, two):
        done = body.run("sync", "--quiet")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_quiet_still_says_what_went_wrong(one: Body, remote: Remote) -> None:
    remote.path.rename(remote.path.with_name("gone"))
    assert one.fails(4, "sync", "--quiet")


def test_dry_run_changes_nothing(one: Body, two: Body, remote: Remote) -> None:
    two.remember("from two")
    two.sync()
    one.remember("from one")
    one.write("notes/new.md", "# new\n")
    one.write("notes/big.md", "x" * 1_048_577)
    loose = (".git/objects/",)
    before, refs, tip = snapshot(one.soul, without=loose), one.git("for-each-ref"), remote.head()
    state = snapshot(one.home / "state")
    result = one.sync("--dry-run")
    assert result["outcome"] == "merged"
    assert result["committed"] == ["memories/MEMORY.md", "notes/new.md"]
    assert result["skipped"] == [{"path": "notes/big.md", "reason": "too-large"}]
    assert snapshot(one.soul, without=loose) == before
    assert (one.git("for-each-ref"), remote.head()) == (refs, tip)
    assert snapshot(one.home / "state") == state


def test_dry_run_tells_each_outcome(one: Body, two: Body) -> None:
    assert one.sync("--dry-run")["outcome"] == "unchanged"
    one.remember("x")
    assert one.sync("--dry-run")["outcome"] == "pushed"
    assert one.sync()["outcome"] == "pushed"
    assert two.sync("--dry-run")["outcome"] == "pulled"
    assert two.sync()["outcome"] == "pulled"


def test_no_push_commits_and_merges_and_sends_nothing(one: Body, two: Body, remote: Remote) -> None:
    two.remember("from two")
    two.sync()
    one.remember("from one")
    tip = remote.head()
    result = one.sync("--no-push")
    assert (result["outcome"], result["pushed"]) == ("merged", False)
    assert remote.head() == tip
    assert sorted(one.entries()) == ["from one", "from two"]
    assert one.status()["ahead"] == 2
    assert one.sync()["pushed"]


def test_every_outcome_word(one: Body, two: Body) -> None:
    one.remember("x")
    assert one.sync("--no-push")["outcome"] == "committed"
    assert one.sync()["outcome"] == "pushed"
    assert two.sync()["outcome"] == "pulled"
    one.remember("y")
    two.remember("z")
    one.sync()
    assert two.sync()["outcome"] == "merged"


def test_help_of_every_command_has_an_example(one: Body) -> None:
    from soulsync.cli.main import COMMANDS

    for name in COMMANDS:
        assert "Example" in one.ok(name, "--help"), name
