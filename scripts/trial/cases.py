"""The trials: each does something to a world, lets it sync, and looks for what is wanted afterwards."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import socket
import threading
from typing import TYPE_CHECKING

from trial.machine import HANGS, Ours
from trial.world import FIRST, MEMORY, NOTE, SECOND, World, entries

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from trial.machine import Machine
    from trial.verdict import Faults

ON_A, ON_B = "from a", "from b"
SILENCE = 20.0
"""Seconds after which a sync with a silent server counts as hanging."""


def nothing(_world: World, _found: Faults) -> None:
    """No deed."""


def both_add(world: World, found: Faults) -> None:
    """A and B each add an entry."""
    world.a.write(MEMORY, entries(FIRST, SECOND, ON_A))
    world.b.write(MEMORY, entries(FIRST, SECOND, ON_B))
    found.four(world)
    found.in_step(world)
    found.memory(world, [FIRST, SECOND, ON_A, ON_B])


def both_edit(world: World, found: Faults) -> None:
    """Both edit the same entry, differently: both edits are wanted, as two entries."""
    for machine, text in ((world.a, ON_A), (world.b, ON_B)):
        machine.write(MEMORY, entries(FIRST, f"{SECOND}, {text}"))
    found.four(world)
    found.in_step(world)
    found.memory(world, [FIRST, f"{SECOND}, {ON_A}", f"{SECOND}, {ON_B}"], gone=[SECOND])


def _note_gone_and_edited(world: World, found: Faults, *, edit_is_newer: bool) -> None:
    edited = "# trip\n\nKyoto in April, by train\n"
    editor, other = (world.b, world.a) if edit_is_newer else (world.a, world.b)
    older, newer = world.a, world.b
    acts: dict[Machine, Callable[[], None]] = {
        editor: lambda: editor.write(NOTE, edited),
        other: (other.tree / NOTE).unlink,
    }
    acts[older]()
    first = older.sync()
    world.later()
    acts[newer]()
    syncs = [first, *found.rounds(world, newer, older, newer)]
    found.in_step(world)
    found.file(world, NOTE, edited if edit_is_newer else None)
    if world.ours:
        found.loser(syncs, NOTE)
    if isinstance(older, Ours) and not edit_is_newer and not found.found:
        _restores(older, NOTE, edited, found)


def deleted_then_edited(world: World, found: Faults) -> None:
    """A deletes a note, B edits it later: the edit is wanted."""
    _note_gone_and_edited(world, found, edit_is_newer=True)


def edited_then_deleted(world: World, found: Faults) -> None:
    """A edits a note, B deletes it later: the deletion is wanted, the edit restorable."""
    _note_gone_and_edited(world, found, edit_is_newer=False)


def both_create(world: World, found: Faults) -> None:
    """Both create the same note with different text: the newer is wanted, the other restorable."""
    path, older, newer = "notes/garden.md", "# garden\n\nroses\n", "# garden\n\ntulips\n"
    world.a.write(path, older)
    first = world.a.sync()
    world.later()
    world.b.write(path, newer)
    syncs = [first, *found.rounds(world, world.b, world.a, world.b)]
    found.in_step(world)
    found.file(world, path, newer)
    if isinstance(world.a, Ours):
        found.loser(syncs, path)
        _restores(world.a, path, older, found)


def offline(world: World, found: Faults) -> None:
    """A edits while the remote can't be reached; later, with a clean tree, it syncs again."""
    world.a.write(MEMORY, entries(FIRST, SECOND, ON_A))
    world.cut_off()
    if world.a.sync().code == 0:
        found.add("exit 0 while offline")
    if world.a.git("status", "--porcelain"):
        found.add("not committed while offline")
    world.come_back()
    found.four(world)
    found.in_step(world)
    found.memory(world, [FIRST, SECOND, ON_A])


def overtaken(world: World, found: Faults) -> None:
    """The remote moves between A's fetch and A's push: B's whole sync runs as A's push begins."""
    world.a.write(MEMORY, entries(FIRST, SECOND, ON_A))
    world.b.write("memories/USER.md", entries(ON_B))
    _overtake(world.a, world.b, world.folder)
    synced = found.truth(world, world.a, world.a.sync())
    if not (world.folder / "overtaken").exists():
        found.add("the race did not happen")
    if world.ours and synced.code:
        found.add(f"gave up (exit {synced.code})")
    found.four(world)
    found.in_step(world)
    found.memory(world, [FIRST, SECOND, ON_A])
    found.file(world, "memories/USER.md", entries(ON_B))


def five_at_once(world: World, found: Faults) -> None:
    """Five syncs of one body at once: one does the work, the others may say "busy" (75) and nothing else."""
    world.a.write(MEMORY, entries(FIRST, SECOND, ON_A))
    started = [world.a.start() for _ in range(5)]
    codes = [world.a.finish(process).code for process in started]
    if failed := [code for code in codes if code not in (0, 75)]:
        found.add(f"{len(failed)} of 5 fail (exit {failed[0]})")
    if 0 not in codes:
        found.add("none of 5 did it")
    found.four(world)
    found.in_step(world)
    found.memory(world, [FIRST, SECOND, ON_A])


def forgotten(world: World, found: Faults) -> None:
    """A forgets an entry, B edits its neighbour."""
    edited = f"{SECOND}, {ON_B}"
    world.a.write(MEMORY, entries(SECOND))
    world.b.write(MEMORY, entries(FIRST, edited))
    found.four(world)
    found.in_step(world)
    found.memory(world, [edited], gone=[FIRST, SECOND])


def two_fields(world: World, found: Faults) -> None:
    """Each side changes one field of agent.json, on adjacent lines."""
    for machine, name, value in ((world.a, "description", "careful"), (world.b, "color", "#1E88E5")):
        identity = json.loads(machine.read("agent.json"))
        identity[name] = value
        machine.write("agent.json", json.dumps(identity, ensure_ascii=False, indent=2) + "\n")
    found.four(world)
    found.in_step(world)
    found.identity(world, description="careful", color="#1E88E5")


def lock_left(world: World, found: Faults) -> None:
    """A killed git left its index.lock on A."""
    world.a.write(MEMORY, entries(FIRST, SECOND, ON_A))
    (world.a.tree / ".git" / "index.lock").touch()
    found.four(world)
    found.in_step(world)
    found.memory(world, [FIRST, SECOND, ON_A])


def silent_server(world: World, found: Faults) -> None:
    """The server accepts the connection and then is silent; later it is well again."""
    if isinstance(world.a, Ours):
        config = world.a.folder / "config.toml"
        config.write_text("connect_timeout = 3\n" + config.read_text("utf-8"), "utf-8")
    world.a.write(MEMORY, entries(FIRST, SECOND, ON_A))
    world.cut_off()
    with _Silence(world.port):
        synced = world.a.sync(SILENCE)
    if synced.code == HANGS:
        found.add(f"hangs (stopped after {SILENCE:.0f} s)")
    elif synced.code == 0:
        found.add("exit 0 without an answer")
    if world.a.git("status", "--porcelain"):
        found.add("not committed")
    world.come_back()
    found.four(world)
    found.in_step(world)
    found.memory(world, [FIRST, SECOND, ON_A])


INLINE = "Backups are weekly (see § 3 and §4)"


def inline_sign(world: World, found: Faults) -> None:
    """An entry holds a § in its text; both sides add entries."""
    world.a.write(MEMORY, entries(INLINE, SECOND, ON_A))
    world.b.write(MEMORY, entries(INLINE, SECOND, ON_B))
    found.four(world)
    found.in_step(world)
    found.memory(world, [INLINE, SECOND, ON_A, ON_B])


def one_name(world: World, found: Faults) -> None:
    """Two machines bear one name, and both write that body's journal for one day, and the memory."""
    day = "journal/laptop/2026-03-01.md"
    parts = {world.a: "## 09:00 tea\n\nfrom a\n", world.b: "## 10:00 walk\n\nfrom b\n"}
    for machine, part in parts.items():
        machine.write(day, f"# 2026-03-01 · laptop\n\n{part}")
    world.a.write(MEMORY, entries(FIRST, SECOND, ON_A))
    world.b.write(MEMORY, entries(FIRST, SECOND, ON_B))
    found.four(world)
    found.in_step(world)
    found.memory(world, [FIRST, SECOND, ON_A, ON_B])
    for machine in world.machines:
        if any(part.strip() not in machine.read(day) for part in parts.values()):
            found.add("a journal section lost")


def _restores(machine: Ours, path: str, text: str, found: Faults) -> None:
    done = machine.soulsync("restore", path)
    if done.returncode or machine.read(path) != text:
        found.add("the loser can't be restored")


def _overtake(machine: Machine, other: Machine, folder: Path) -> None:
    """Put a ``git`` before the real one on the machine's PATH: its first push lets the other machine sync first."""
    real, fake = shutil.which("git"), folder / "bin" / "git"
    fake.parent.mkdir()
    env = " ".join(shlex.quote(f"{name}={value}") for name, value in other.env.items())
    fake.write_text(
        "#!/bin/sh\n"
        f'if [ "$1" = push ] && mkdir {shlex.quote(str(folder / "overtaken"))} 2>/dev/null; then\n'
        f"    (cd {shlex.quote(str(other.tree))} && env -i {env} {shlex.join(other.command())}) >/dev/null 2>&1\n"
        f'fi\nexec {real} "$@"\n',
        "utf-8",
    )
    fake.chmod(0o755)
    machine.env["PATH"] = f"{fake.parent}{os.pathsep}{machine.env['PATH']}"


class _Silence:
    """A TCP server that accepts every connection, keeps it, and says nothing."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_server(("127.0.0.1", port))
        self._socket.settimeout(0.2)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._accept, daemon=True)

    def _accept(self) -> None:
        held = []
        while not self._ended.is_set():
            try:
                held.append(self._socket.accept()[0])
            except TimeoutError:
                continue
        for connection in held:
            connection.close()

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._socket.close()
