"""Trial S: three bodies that add, edit and remove entries at random and sync at the same time, for many rounds."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from trial.world import MEMORY, entries, split

if TYPE_CHECKING:
    from collections.abc import Callable

    from trial.machine import Machine, Synced
    from trial.verdict import Faults
    from trial.world import World

ENOUGH = 30
"""Entries from which on removing is as likely as adding."""


class Soak:
    """What was added and what was removed on purpose. Every text is written once, so what must be left is known:
    all that some body added and none removed; an edit removes the old text and adds the new one."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.random = random.Random(seed)
        self.added = set(split(world.a.read(MEMORY)))
        self.removed: set[str] = set()
        self.failures = 0

    def run(self, rounds: int, tell: Callable[[int], None]) -> None:
        """Every round each body does one deed, then all sync at once."""
        for number in range(1, rounds + 1):
            for machine in self.world.machines:
                self._deed(machine, number)
            started = [(machine, machine.start()) for machine in self.world.machines]
            for machine, process in started:
                self._note(machine.finish(process))
            tell(number)

    def judge(self, found: Faults) -> str:
        """Let all sync in turn, then count. Gives the counts in words."""
        found.four(self.world)
        found.in_step(self.world)
        wanted = self.added - self.removed
        have = [split(machine.read(MEMORY)) for machine in self.world.machines]
        kept = min(len(wanted & set(entries_)) for entries_ in have)
        back = max(len(self.removed & set(entries_)) for entries_ in have)
        strange = max(len(set(entries_) - self.added) for entries_ in have)
        if kept < len(wanted):
            found.add(f"{kept} of {len(wanted)} entries left")
        if back:
            found.add(f"{back} came back")
        if strange:
            found.add(f"{strange} fused or torn")
        if any(len(entries_) != len(set(entries_)) for entries_ in have):
            found.add("an entry twice")
        if self.failures:
            found.add(f"{self.failures} syncs failed")
        return f"{kept} of {len(wanted)} entries"

    def _note(self, synced: Synced) -> None:
        if synced.code not in (0, 75):
            self.failures += 1

    def _deed(self, machine: Machine, number: int) -> None:
        have = split(machine.read(MEMORY))
        known = [entry for entry in have if entry in self.added]
        new = f"round {number}, on {machine.name}"
        deed = self.random.choice(
            ("add", "edit", "remove") if len(known) >= ENOUGH else ("add", "add", "edit", "remove")
        )
        if deed == "add" or not known:
            have.insert(self.random.randint(0, len(have)), new)
            self.added.add(new)
        else:
            old = self.random.choice(known)
            at = have.index(old)
            have[at : at + 1] = [new] if deed == "edit" else []
            self.removed.add(old)
            if deed == "edit":
                self.added.add(new)
        machine.write(MEMORY, entries(*have) if have else "")
