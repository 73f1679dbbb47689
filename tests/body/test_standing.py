"""Where a body stands, by what is on its disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bodies import Body, Remote


def test_what_was_left_out_and_what_was_merged(one: Body, two: Body) -> None:
    for body in (one, two):
        body.write("notes/same.md", f"# same\n\nby {body.name}\n")
    one.sync()
    two.write("own/picture.png", b"\0")
    result = two.sync()
    stands = two.status()
    assert stands["skipped"] == [{"path": "own/picture.png", "reason": "binary"}]
    assert [(m["path"], m["lost"]) for m in stands["merged"]] == [(m["path"], m["lost"]) for m in result["merged"]]
    assert stands["last_pull"] is not None
    two.sync()
    assert [m["path"] for m in two.status()["merged"]] == ["notes/same.md"]


def test_the_last_error_stays_until_a_sync_succeeds(one: Body, remote: Remote) -> None:
    away = remote.path.with_name("away")
    remote.path.rename(away)
    one.run("sync")
    one.run("sync")
    stands = one.status()
    assert stands["last_error"]
    assert stands["failures"] == 2
    assert stands["last_success"] < stands["last_sync"]
    away.rename(remote.path)
    one.sync()
    assert (one.status()["last_error"], one.status()["failures"]) == (None, 0)


def test_being_busy_is_no_failure(one: Body) -> None:
    from filelock import FileLock

    before = one.status()
    with FileLock(one.home / "state" / "sync.lock"):
        one.fails(75, "sync")
    assert one.status() == before


def test_ahead_and_behind(one: Body, two: Body, remote: Remote) -> None:
    one.remember("x")
    one.sync("--no-push")
    assert (one.status()["ahead"], one.status()["behind"]) == (1, 0)
    one.sync()
    assert (one.status()["ahead"], one.status()["behind"]) == (0, 0)


def test_status_changes_nothing(one: Body) -> None:
    from tests.bodies import snapshot

    one.write("notes/n.md", "# n\n")
    before = snapshot(one.home)
    one.status()
    one.ok("status")
    assert snapshot(one.home) == before


def test_status_with_files_that_make_no_sense(one: Body) -> None:
    one.write("bodies/odd.json", "[]")
    one.write("bodies/worse.json", b"\xff")
    one.write("locks/consolidation.json", '{"body": [], "until": 1e999}')
    (one.home / "state" / "status.json").write_text('{"merged": [7], "skipped": ["x"], "warnings": [1]}')
    assert {b["body"] for b in one.status()["bodies"]} == {"odd", "one", "worse"}
    one.ok("status")
