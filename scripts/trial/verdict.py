"""Looking at what a trial left: what of the wanted is not so, in a few words each. The same eyes for both kinds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from trial.machine import HANGS, git
from trial.world import MEMORY, split

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from trial.machine import Machine, Synced
    from trial.world import World


class Faults:
    """What was found wrong, each thing once, the gravest first."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, text: str) -> None:
        """Note a fault."""
        if text not in self.found:
            self.found.append(text)

    def truth(self, world: World, machine: Machine, synced: Synced) -> Synced:
        """After a sync that says 0, the machine must be where the remote is and have nothing left to commit."""
        if synced.code == 0 and (
            machine.git("rev-parse", "HEAD") != world.tip() or machine.git("status", "--porcelain")
        ):
            self.add("exit 0, and not in step")
        return synced

    def four(self, world: World) -> list[Synced]:
        """Sync A, B, A, B, and all of them the last time without a failure."""
        return self.rounds(world, *world.machines, *world.machines)

    def rounds(self, world: World, *order: Machine) -> list[Synced]:
        """Sync in this order; the last sync of each machine must not fail."""
        syncs = [(machine, self.truth(world, machine, machine.sync())) for machine in order]
        last = {machine.name + str(machine.home): synced.code for machine, synced in syncs}
        if any(last.values()):
            self.add(f"stuck ({_codes(list(last.values()))})")
        return [synced for _, synced in syncs]

    def in_step(self, world: World) -> None:
        """One tree on all machines and on the remote, and no conflict markers in it."""
        for machine in world.machines:
            if any((machine.tree / ".git" / name).exists() for name in ("MERGE_HEAD", "rebase-merge", "rebase-apply")):
                self.add("stuck in a conflict")
            for file in sorted(machine.tree.rglob("*")):
                if ".git" not in file.parts and file.is_file() and b"<<<<<<< " in file.read_bytes():
                    self.add(f"conflict markers in {file.name}")
        trees = {machine.git("rev-parse", "HEAD^{tree}") for machine in world.machines}
        if len(trees | {git(world.remote, "rev-parse", "main^{tree}")}) != 1:
            self.add("not one tree")

    def memory(self, world: World, wanted: Sequence[str], gone: Sequence[str] = ()) -> None:
        """Exactly the ``wanted`` entries, each its own, on every machine; none of ``gone``."""
        for machine in world.machines:
            text = machine.read(MEMORY)
            have = split(text)
            for entry in wanted:
                if entry not in have:
                    self.add(f"fused: {entry}" if entry in text else f"lost: {entry}")
            for entry in gone:
                if entry in have:
                    self.add(f"came back: {entry}")
            strangers = [e for e in have if e not in wanted and e not in gone]
            if strangers and not self.found:
                self.add(f"torn or fused: {strangers[0]!r}")
            if len(have) != len(set(have)):
                self.add("an entry twice")

    def file(self, world: World, path: str, text: str | None) -> None:
        """``path`` holds ``text`` on every machine (None: it is gone)."""
        for machine in world.machines:
            have = machine.read(path) if (machine.tree / path).exists() else None
            if have != text:
                self.add(f"{path} missing" if have is None else f"{path} not the newer")

    def loser(self, reports: Iterable[Synced], path: str) -> None:
        """Some sync named the version of ``path`` that lost. Plain git has no such report: not asked."""
        if not any(m["path"] == path and m["lost"] for s in reports for m in s.report.get("merged", [])):
            self.add("the loser is not named")

    def identity(self, world: World, **fields: str) -> None:
        """``agent.json`` parses and has these fields on every machine."""
        for machine in world.machines:
            try:
                have = json.loads(machine.read("agent.json"))
            except ValueError:
                self.add("broken agent.json")
                continue
            for name, value in fields.items():
                if have.get(name) != value:
                    self.add(f"{name} reverted")


def _codes(codes: Sequence[int]) -> str:
    return "exit " + ", ".join("none, it hangs" if c == HANGS else str(c) for c in dict.fromkeys(codes) if c)
