"""cron: one marked line in the user's crontab; every other byte of it stays."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from soulsync.body.schedule import interval, programs
from soulsync.body.schedule.job import name_of
from soulsync.errors import SoulSyncError, UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.home import Home
    from soulsync.body.schedule.job import Job

MARK = " # soulsync schedule: "
"""Ends our line, followed by the schedule's name; to the shell that runs the line it is a comment."""
_NO_TABLE = ("no crontab for", "no crontab", "can't open")
"""How ``crontab -l`` says that there is none yet: vixie cron, cronie and macOS, dcron, busybox."""


def render(job: Job) -> str:
    """The line. Raises ``UsageError`` (2) for an interval that cron does not know."""
    command = " ".join(quoted(word) for word in job.words(job.pause))
    return f"{_when(job)} {command}{MARK}{job.name}"


def _when(job: Job) -> str:
    if not interval.on_the_calendar(job.every):
        shorter, longer = (interval.text(every) for every in interval.neighbours(job.every))
        raise UsageError(
            tr("cron can't repeat every {every}.", every=interval.text(job.every)),
            tr(
                "It counts minutes, and hours of a day: take {shorter} or {longer}, or --backend systemd.",
                shorter=shorter,
                longer=longer,
            )
            if shorter != longer
            else tr("It counts minutes, and hours of a day: take {shorter}.", shorter=shorter),
        )
    minute = job.offset // 60
    if job.every <= 3600:
        step = job.every // 60
        minutes = "*" if step == 1 else f"{minute}-59/{step}" if step < 60 else str(minute)
        return f"{minutes} * * * *"
    step = job.every // 3600
    hours = f"{minute // 60}-23/{step}" if step < 24 else str(minute // 60)
    return f"{minute % 60} {hours} * * *"


def quoted(word: str) -> str:
    """``word`` for the shell, as cron passes it on.

    ``%`` ends a command in a crontab unless a backslash stands before it. Whether cron takes that backslash out
    differs (crontab(5): Vixie's first versions did not), so it stands outside the quotes, where the shell takes out
    what cron left. Two backslashes in a row are one to some versions; a pair of quotes keeps them apart.
    """
    parts = [shlex.quote(part).replace("\\", "\\''") if part else "" for part in word.split("%")]
    return "\\%".join(parts) or "''"


def find(table: bytes, name: str) -> bytes | None:
    """Our line in a crontab, or None; a line that somebody commented out is not ours any more."""
    return next((line for line in table.split(b"\n") if _is_ours(line, name)), None)


def with_line(table: bytes, line: bytes, name: str) -> bytes:
    """``table`` with ``line`` where ours was, else at the end."""
    lines = table.split(b"\n")
    at = next((number for number, old in enumerate(lines) if _is_ours(old, name)), None)
    if at is None:
        return table + (b"\n" if table and not table.endswith(b"\n") else b"") + line + b"\n"
    rest = [old for old in lines[at + 1 :] if not _is_ours(old, name)]
    return b"\n".join([*lines[:at], line, *rest])


def without_line(table: bytes, name: str) -> bytes:
    """``table`` without our line."""
    return b"\n".join(line for line in table.split(b"\n") if not _is_ours(line, name))


def _is_ours(line: bytes, name: str) -> bool:
    return line.rstrip().endswith((MARK + name).encode()) and not line.lstrip().startswith(b"#")


def read() -> bytes:
    """The user's crontab.

    Raises ``SoulSyncError`` when it can't be read: only where cron says that there is none is it empty. An installer
    that took every failure for "empty" wiped its users' crontabs (acmesh-official/acme.sh#3079).
    """
    if not programs.there("crontab"):
        raise SoulSyncError(tr("This machine has no crontab program."), _install_cron())
    done = programs.run(["crontab", "-l"])
    if done.code == 0:
        return done.out
    if any(words in done.err for words in _NO_TABLE):
        return b""
    raise SoulSyncError(
        tr("The crontab can't be read: {said}.", said=_said(done)),
        tr("It was left as it is; choose another --backend."),
    )


def write(table: bytes) -> None:
    """Replace the user's crontab; an empty one is removed. Raises ``SoulSyncError`` when cron does not take it."""
    done = programs.run(["crontab", "-"], stdin=table) if table else programs.run(["crontab", "-r"])
    if done.code != 0:
        raise SoulSyncError(tr("cron did not take the crontab: {said}.", said=_said(done)), tr("It is as it was."))


def _said(done: programs.Done) -> str:
    return " ".join(done.err.split()).rstrip(".") or tr("status {code}", code=done.code)


def _install_cron() -> str:
    if on_termux():
        return tr("Run: pkg install cronie termux-services; then sv-enable crond.")
    return tr("Install cron, or let `soulsync watch` run in the foreground.")


def on_termux() -> bool:
    """Whether this is Termux, where nobody starts cron unless told to."""
    return "com.termux" in os.environ.get("PREFIX", "")


# -- what every backend offers ------------------------------------------------------------------------------------


def install(job: Job) -> list[str]:
    """Put the line into the crontab; what a person should know beside it."""
    line = os.fsencode(render(job))
    table = read()
    new = with_line(table, line, job.name)
    if new != table:
        write(new)
        if find(read(), job.name) != line:
            raise SoulSyncError(
                tr("cron took the crontab, but our line is not in it."), tr("Look at it with `crontab -e`.")
            )
    notes = []
    if any(b"soulsync" in old and b" sync" in old and MARK.encode() not in old for old in _active(new)):
        notes.append(tr("the crontab also has a line of your own that runs soulsync; one of the two is enough"))
    if on_termux():
        notes.append(tr("in Termux cron runs only when started: `sv-enable crond`"))
    return notes


def _active(table: bytes) -> list[bytes]:
    return [line for line in table.split(b"\n") if not line.lstrip().startswith(b"#")]


def remove(home: Home) -> list[str]:
    """Take the line out; what was removed, one line each."""
    if not programs.there("crontab"):
        return []
    table = read()
    new = without_line(table, name_of(home))
    if new == table:
        return []
    write(new)
    return [tr("removed the line of {agent} from the crontab", agent=home.agent)]


def standing(home: Home) -> str | None:
    """What stands in the crontab for this agent, or None."""
    line = find(read(), name_of(home)) if programs.there("crontab") else None
    return None if line is None else os.fsdecode(line)


def wanted(job: Job) -> str:
    """What should stand there."""
    return render(job)


def sleeping(home: Home) -> tuple[str, str | None] | None:  # noqa: ARG001 - the other backends look at the agent's own unit
    """Why what stands there would not be run, or None: whether cron itself runs is told by the last run."""
    return None


def where(home: Home) -> str:  # noqa: ARG001 - one crontab for all agents
    """Where it stands."""
    return "crontab"
