"""The consolidation lease: one body at a time, by compare and swap on the remote."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from tests.bodies import Body, assert_in_step, in_turn

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Remote

LEASE = "locks/consolidation.json"
MINUTE = 60_000


def now() -> int:
    return int(time.time() * 1000)


def lease(body: str, until: int) -> str:
    return json.dumps({"body": body, "until": until}) + "\n"


def held(remote: Remote) -> dict[str, object]:
    return dict(json.loads(remote.git("show", f"main:{LEASE}")))


def test_acquire_writes_one_line_that_is_valid_for_30_minutes(one: Body, remote: Remote) -> None:
    before = now()
    one.ok("lease", "acquire")
    assert one.read(LEASE).count("\n") <= 1
    assert held(remote)["body"] == "one"
    assert before + 30 * MINUTE <= int(str(held(remote)["until"])) <= now() + 30 * MINUTE
    assert_in_step(one)


def test_release_takes_the_file_away_and_the_other_may_have_it(one: Body, two: Body, remote: Remote) -> None:
    one.ok("lease", "acquire")
    two.fails(6, "lease", "acquire")
    one.ok("lease", "release")
    assert remote.git("ls-tree", "main", LEASE) == ""
    two.ok("lease", "acquire")
    assert held(remote)["body"] == "two"


def test_releasing_what_one_does_not_hold_changes_nothing(one: Body, two: Body, remote: Remote) -> None:
    one.ok("lease", "acquire")
    tip = remote.head()
    assert "held no lease" in two.ok("lease", "release")
    assert remote.head() == tip


def test_the_holder_may_renew(one: Body, remote: Remote) -> None:
    one.ok("lease", "acquire")
    first = held(remote)["until"]
    one.ok("lease", "acquire")
    assert int(str(held(remote)["until"])) > int(str(first))


@pytest.mark.parametrize(("minutes", "code"), [(29, 6), (-1, 6), (-4, 6), (-6, 0)])
def test_taken_over_five_minutes_after_its_end(minutes: int, code: int, one: Body, remote: Remote) -> None:
    remote.commit({LEASE: lease("two", now() + minutes * MINUTE)})
    assert one.run("lease", "acquire").returncode == code
    assert held(remote)["body"] == ("two" if code else "one")


def test_taken_over_when_seen_unchanged_for_35_minutes_of_our_own_time(one: Body, remote: Remote) -> None:
    """The holder's clock runs years ahead."""
    remote.commit({LEASE: lease("two", now() + 10**9)})
    one.fails(6, "lease", "acquire")
    sight = one.home / "state" / "lease.json"
    seen = json.loads(sight.read_text())
    for minutes, code in ((34, 6), (36, 0)):
        sight.write_text(json.dumps({**seen, "seen": seen["seen"] - 60 * minutes}))
        assert one.run("lease", "acquire").returncode == code


def test_a_renewed_lease_is_seen_anew(one: Body, remote: Remote) -> None:
    remote.commit({LEASE: lease("two", now() + 10**9)})
    one.fails(6, "lease", "acquire")
    sight = one.home / "state" / "lease.json"
    seen = json.loads(sight.read_text())
    sight.write_text(json.dumps({**seen, "seen": seen["seen"] - 60 * 36}))
    remote.commit({LEASE: lease("two", now() + 10**9 + 1)})
    one.fails(6, "lease", "acquire")


@pytest.mark.parametrize("text", ["", "not json", "[]", '{"body": "two"}', '{"body": 1, "until": "x"}'])
def test_a_lease_that_cannot_be_read_is_none(text: str, one: Body, remote: Remote) -> None:
    remote.commit({LEASE: text})
    one.ok("lease", "acquire")
    assert held(remote)["body"] == "one"


@pytest.mark.parametrize("until", [10**20, -(10**20), 0, 10**400])
def test_a_lease_of_any_date_breaks_nothing(until: int, one: Body, remote: Remote) -> None:
    remote.commit({LEASE: f'{{"body": "two", "until": {until}}}\n'})
    done = one.run("lease", "acquire")
    assert done.returncode in (0, 6), done.stderr
    assert "went wrong" not in done.stderr
    one.sync()
    json.loads(one.ok("lease", "status", "--json"))


def test_offline_the_lease_is_not_taken_and_local_work_is_safe(one: Body, remote: Remote) -> None:
    remote.path.rename(remote.path.with_name("gone"))
    one.remember("safe")
    done = one.run("lease", "acquire")
    assert done.returncode in (4, 5)
    assert one.clean()
    assert one.git("log", "--all", "--format=%s", "--", LEASE) == ""


def test_an_unpushed_lease_is_never_in_history(one: Body, remote: Remote) -> None:
    remote.hook("pre-receive", "echo 'no' >&2", "exit 1")
    one.fails(1, "lease", "acquire")
    assert one.git("log", "--all", "--format=%s", "--", LEASE) == ""
    assert not one.exists(LEASE)


def test_local_work_is_no_part_of_the_lease_commit(one: Body, remote: Remote) -> None:
    one.remember("mine")
    one.ok("lease", "acquire")
    assert remote.git("show", "--format=", "--name-only", "main") == LEASE
    one.sync()
    assert "mine" in remote.git("show", "main:memories/MEMORY.md")


def test_a_local_soul_holds_its_own_lease(tmp_path: Path) -> None:
    body = Body(tmp_path / "local", "local", None)
    body.init()
    body.ok("lease", "acquire")
    assert json.loads(body.ok("lease", "status", "--json"))["mine"]
    body.ok("lease", "release")
    assert not body.exists(LEASE)


def test_two_that_race_never_both_hold_it(one: Body, two: Body, remote: Remote) -> None:
    for _ in range(10):
        started = [body.start("lease", "acquire") for body in (one, two)]
        codes = []
        for process in started:
            _, err = process.communicate(timeout=120)
            assert "went wrong" not in err
            codes.append(process.returncode)
        assert sorted(codes) == [0, 6]
        winner, loser = (one, two) if codes[0] == 0 else (two, one)
        assert held(remote)["body"] == winner.name
        assert "held no lease" in loser.ok("lease", "release")
        winner.ok("lease", "release")
    in_turn(one, two)
    assert_in_step(one, two)
