"""When a side last changed a path, against a slow reading of the spec's own words (soul-repo-v4 §4 rule 3)."""

from __future__ import annotations

import random

import pytest

from soulsync.repo import objects
from soulsync.repo.times import Touch, parse_log, touched_by_both
from tests.repo.helpers import START, Lab


def touched(lab: Lab, side: str, other: str | None) -> dict[str, Touch]:
    """What ``side`` changed and ``other`` lacks; beside None stands a history that has nothing to do with it."""
    beside = other or lab.commit({"unrelated": "x"})
    found = touched_by_both(lab.soul, side, beside)[0]
    assert touched_by_both(lab.soul, beside, side)[1] == found
    return found


def slow(lab: Lab, side: str, other: str | None) -> dict[str, Touch]:
    """Walk the commits one by one, and compare whole listings."""
    excluded = [f"^{other}"] if other else []
    latest: dict[str, Touch] = {}
    for line in lab.git("rev-list", "--parents", side, *excluded).splitlines():
        commit, *parents = line.split()
        text = lab.git("cat-file", "commit", commit)
        time = int(next(x for x in text.splitlines() if x.startswith("committer ")).split()[-2])
        now, before = _listing(lab, commit), [_listing(lab, parent) for parent in parents] or [{}]
        for path in {*now, *(p for listing in before for p in listing)}:
            if all(now.get(path) != listing.get(path) for listing in before):
                latest[path] = max(latest.get(path, Touch(0, "")), Touch(time, commit))
    return latest


def _listing(lab: Lab, commit: str) -> dict[str, str]:
    lines = [line for line in lab.git("ls-tree", "-r", "-z", commit).split("\0") if line]
    return {line.split("\t", 1)[1]: line.split("\t", 1)[0] for line in lines}


def test_the_latest_commit_counts_not_the_last_one(lab: Lab) -> None:
    base = lab.base()
    late = lab.commit({"notes/a.md": "late"}, base, at=900)
    early = lab.commit({"notes/a.md": "clock went back"}, late, at=100)
    assert touched(lab, early, base)["notes/a.md"] == Touch(START + 900, late)


def test_an_evil_merge_counts_and_a_plain_one_does_not(lab: Lab) -> None:
    base = lab.base()
    one, two = lab.commit({"notes/a.md": "1"}, base, at=10), lab.commit({"notes/b.md": "2"}, base, at=20)
    plain = lab.commit({"notes/b.md": "2"}, one, two, at=50)
    assert touched(lab, plain, base) == {"notes/a.md": (START + 10, one), "notes/b.md": (START + 20, two)}
    evil = lab.commit({"notes/b.md": "neither"}, one, two, at=60)
    assert touched(lab, evil, base)["notes/b.md"] == (START + 60, evil)


def test_a_root_commit_changed_everything_it_holds(lab: Lab) -> None:
    base = lab.base()
    assert touched(lab, base, None)["agent.json"] == (START, base)


def test_odd_names_and_removals(lab: Lab) -> None:
    odd = ["notes/new\nline.md", "notes/: colon.md", "notes/\udcff.md", "notes/@ 1.md", "notes/ x", 'notes/"q"']
    base = lab.base()
    added = lab.commit(dict.fromkeys(odd, "x"), base, at=5)
    removed = lab.commit({odd[0]: None}, added, at=7)
    found = touched(lab, removed, base)
    assert set(found) == set(odd)
    assert found[odd[0]] == (START + 7, removed)
    assert parse_log(b"") == {}


@pytest.mark.parametrize("seed", range(4))
def test_random_histories_agree_with_the_slow_reading(lab: Lab, seed: int) -> None:
    rng = random.Random(seed)
    paths = ["a", "d/b", "d/c", "e"]
    commits = [lab.commit(dict.fromkeys(paths[:2], "0"), at=0)]
    for number in range(14):
        parents = rng.sample(commits, k=min(len(commits), rng.choice([0, 1, 1, 1, 2, 2, 3]) if number % 7 == 0 else 1))
        if rng.random() < 0.4:
            parents = rng.sample(commits, k=min(2, len(commits)))
        if parents and rng.random() < 0.3:
            picked = {p: objects.lookup(lab.repo, objects.tree_of(lab.repo, rng.choice(parents)), p) for p in paths}
        else:
            picked = {p: None if rng.random() < 0.2 else lab.entry(str(rng.randrange(3))) for p in rng.sample(paths, 2)}
        commits.append(lab.commit(picked, *parents, at=rng.randrange(100)))
    for side, other in ((commits[-1], None), (commits[-1], commits[-2]), (commits[-2], commits[-1])):
        assert touched(lab, side, other) == slow(lab, side, other)
