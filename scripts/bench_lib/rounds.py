"""Whole syncs over SSH, beside what plain git needs for the same with the same key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench_lib.clock import Sample, alternating
from bench_lib.figure import Figure
from bench_lib.world import MEMORY, Soul, World, commit, git, run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trial.machine import Machine

    from bench_lib.figure import Row

NOTES = 300


def nothing(world: World, rounds: int) -> Iterator[Row]:
    """Nothing to do: the sync that cron runs almost always."""
    soul = world.soul()
    theirs, ours = alternating(rounds, lambda: list_remote(soul), soul.sync)
    yield Figure("nothing", "sync, nothing to do", "git ls-remote", 1.3, theirs, ours)


def one(world: World, rounds: int) -> Iterator[Row]:
    """One entry added here."""
    soul = world.soul()

    def theirs() -> Sample:
        commit(soul.plain.tree, {MEMORY: _with_an_entry(soul, soul.plain)})
        return run(soul.plain, "sh", "-c", "git fetch -q && git push -q")

    def ours() -> Sample:
        soul.ours.write(MEMORY, _with_an_entry(soul, soul.ours))
        return soul.sync()

    reference, measured = alternating(rounds, theirs, ours)
    yield Figure("one", "sync, one entry added here", "git fetch && git push", 0.75, reference, measured)


def both(world: World, rounds: int) -> Iterator[Row]:
    """Both sides added an entry; plain git is given its merge for nothing."""
    soul = world.soul()

    def theirs() -> Sample:
        commit(soul.plain.tree, {MEMORY: _with_an_entry(soul, soul.plain)})
        soul.elsewhere(soul.copy, {"notes/trip.md": f"# trip\n\nday {soul.fresh()}\n"})
        fetched = run(soul.plain, "git", "fetch", "-q")
        soul.plain.git("merge", "-q", "--no-edit", "origin/main")
        return fetched + run(soul.plain, "git", "push", "-q")

    def ours() -> Sample:
        soul.elsewhere(soul.remote, {MEMORY: f"here {soul.fresh()}\n§\n" + soul.ours.read(MEMORY)})
        soul.ours.write(MEMORY, _with_an_entry(soul, soul.ours))
        return soul.sync()

    reference, measured = alternating(rounds, theirs, ours)
    yield Figure("both", "sync, both sides added an entry", "git fetch && git push", 1.0, reference, measured)


def many(world: World, rounds: int, notes: int = NOTES) -> Iterator[Row]:
    """Both sides changed the same notes; plain git merges them with our drivers, one process for each."""
    soul = world.soul("notes")
    soul.ours.write(MEMORY, "fact\n")
    for number in range(notes):
        soul.ours.write(f"notes/n{number}.md", f"# note {number}\n")
    soul.sync()
    _dress(soul)

    def theirs() -> Sample:
        _let_both_change(soul, soul.plain, notes)
        commit(soul.plain.tree, {})
        return run(soul.plain, "sh", "-c", "git pull -q --no-rebase --no-edit && git push -q")

    def ours() -> Sample:
        _let_both_change(soul, soul.ours, notes)
        return soul.sync()

    reference, measured = alternating(rounds, theirs, ours)
    what = f"sync, {notes} notes changed on both sides"
    yield Figure("many", what, "git pull && git push with our drivers", 0.15, reference, measured)


def list_remote(soul: Soul) -> Sample:
    """``git ls-remote`` of plain git."""
    return run(soul.plain, "git", "ls-remote", "-q", "--heads", "origin")


def _let_both_change(soul: Soul, machine: Machine, notes: int) -> None:
    """Another clone sends a new text of every note, and the machine writes one of its own."""
    number = soul.fresh()
    there, here = (
        {f"notes/n{note}.md": f"# note {note}\n\n{side} {number}\n" for note in range(notes)}
        for side in ("there", "here")
    )
    soul.elsewhere(soul.remote if machine is soul.ours else soul.copy, there)
    for path, text in here.items():
        machine.write(path, text)


def _dress(soul: Soul) -> None:
    """Give the clone of plain git the drivers of soulsync and nothing that a hook would add to its time."""
    done = soul.ours.soulsync("install", "--repo", str(soul.plain.tree))
    if done.returncode:
        raise RuntimeError(done.stderr)
    git(soul.plain.tree, "config", "core.hooksPath", "/dev/null")


def _with_an_entry(soul: Soul, machine: Machine) -> str:
    return machine.read(MEMORY).rstrip("\n") + f"\n§\nentry {soul.fresh()}\n"
