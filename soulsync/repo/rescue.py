"""Rescue refs: where ``main`` was before a sync, an undo or a join moved it (soul-repo-v4 §5). Never pushed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.repo.soul import RESCUE_PREFIX

if TYPE_CHECKING:
    from soulsync.repo.soul import Soul

KEEP_SECONDS = 30 * 24 * 3600
KEEP_MOST = 100


def move_main(soul: Soul, new: str, old: str | None, why: str) -> None:
    """Point ``main`` at ``new`` and keep ``old`` under a rescue ref, in one step.

    Raises ``GitError`` when somebody else moved ``main`` meanwhile; then nothing moved.
    """
    now = int(time.time())
    lines = [f"update {spec.MAIN_REF} {new} {old or '0' * 40}"]
    if old is not None:
        lines.append(f"update {RESCUE_PREFIX}{now}-{old[:12]} {old}")
    lines += [f"delete {RESCUE_PREFIX}{name}" for name in _expired(soul, now)]
    soul.git.run("update-ref", "-m", f"soulsync: {why}", "--stdin", input=("\n".join(lines) + "\n").encode("ascii"))


def listed(soul: Soul) -> list[tuple[int, str]]:
    """The rescue refs, newest first: when (seconds since the epoch), and the ref's name below the prefix."""
    folder = soul.git_dir / RESCUE_PREFIX
    names = {p.name for p in folder.iterdir() if not p.name.endswith(".lock")} if folder.is_dir() else set()
    try:
        packed = (soul.git_dir / "packed-refs").read_text("utf-8", "surrogateescape").split()
    except FileNotFoundError:
        packed = []
    names |= {word.removeprefix(RESCUE_PREFIX) for word in packed if word.startswith(RESCUE_PREFIX)}
    times = ((name.partition("-")[0], name) for name in names)
    return sorted(((int(stamp), name) for stamp, name in times if stamp.isdigit()), reverse=True)


def _expired(soul: Soul, now: int) -> list[str]:
    refs = listed(soul)
    return [name for i, (stamp, name) in enumerate(refs) if i >= KEEP_MOST - 1 or stamp < now - KEEP_SECONDS]
