"""The machine: programs, disk, clock."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING

from soulsync.access import ssh as ssh_program
from soulsync.body import census, registration
from soulsync.body.census import FUTURE_SECONDS
from soulsync.body.doctor.finding import Finding, Look, ill, some, well
from soulsync.body.state import Status
from soulsync.formats.instants import instant
from soulsync.lang import tr
from soulsync.repo.git import Git
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from soulsync.body.doctor.patient import Patient

GIT = (2, 39)
SSH = (8, 0)
ROOM = 64 * 1024 * 1024
"""Bytes below which a disk counts as full: a few files of the largest size, and a fetch."""
INODES = 1000
LATELY = 7 * 86_400
"""Seconds in which a body must have been seen for its clock to count."""


def git(patient: Patient) -> Finding:
    """Whether git is there and new enough."""
    said = Git(patient.home.root).text("version")
    if _version(said) < GIT:
        return ill(
            tr("{version} is older than {needed}.", version=said, needed="2.39"),
            tr("Install a newer git, or put it first on the PATH."),
        )
    return well(said)


def ssh(_patient: Patient) -> Finding:
    """Whether the OpenSSH client is there and new enough."""
    said = ssh_program.version()
    if "OpenSSH" not in said or _version(said) < SSH:
        return ill(
            tr("{version} is no OpenSSH of version {needed} or newer.", version=said, needed="8.0"),
            tr("Install the OpenSSH client, or put it first on the PATH."),
        )
    return well(said.partition(",")[0])


def _version(text: str) -> tuple[int, ...]:
    found = re.search(r"(\d+)\.(\d+)", text)
    return tuple(int(part) for part in found.groups()) if found else (0, 0)


def disk(patient: Patient) -> Finding:
    """Whether there is room for a sync, in bytes and in files."""
    lowest: int | None = None
    for folder in (patient.home.root, patient.config.soul):
        if not folder.exists():
            continue
        room = os.statvfs(folder)
        free = room.f_bavail * room.f_frsize
        if free < ROOM or (room.f_files and room.f_favail < INODES):
            return ill(
                tr(
                    "{folder}: only {mib} MiB and {files} files are left.",
                    folder=folder,
                    mib=free >> 20,
                    files=room.f_favail,
                ),
                tr("Make room on that disk; until then nothing can be committed."),
            )
        lowest = free if lowest is None else min(lowest, free)
    return well(tr("{mib} MiB free", mib=(lowest or 0) >> 20))


def clock(patient: Patient) -> Finding:
    """Whether our clock agrees with what the other bodies wrote: SSH tells no server's time.

    A body that is ahead of us wrote by its own clock; where every one of several is, it is ours that is behind.
    """
    ahead = _ahead(patient)
    last = instant(Status.load(patient.home).last_sync)
    if last is not None and last / 1e6 > patient.now + FUTURE_SECONDS:
        return ill(
            tr("This machine's clock went back: the last sync was later than now."),
            tr("Set this machine's clock (NTP)."),
        )
    others = _lately(patient)
    if not ahead:
        return well(
            tr("nothing was written later than now (SSH tells no server's time)")
            if others
            else tr("no other body to compare with (SSH tells no server's time)")
        )
    named = some([shown(body) for body in ahead])
    if len(others) > 1 and others <= set(ahead):
        return ill(
            tr("Every other body is ahead of this machine's clock: {bodies}.", bodies=named),
            tr("Set this machine's clock (NTP)."),
        )
    return ill(
        tr("Ahead of this machine's clock: {bodies}.", bodies=named),
        tr("Set the clock there, or this machine's if that one is right (NTP)."),
    )


def _lately(patient: Patient) -> set[str]:
    """The other bodies that were seen in the last days, by their own clocks."""
    oldest = patient.now - LATELY
    known = registration.registered(patient.soul).items()
    return {body for body, facts in known if (facts.last_seen or 0) > oldest} - {patient.config.body}


def _ahead(patient: Patient) -> list[str]:
    """The bodies whose last commits or registry files lie later than our now."""
    latest = patient.now + FUTURE_SECONDS
    late = {body for body, facts in registration.registered(patient.soul).items() if (facts.last_seen or 0) > latest}
    return sorted({*census.from_the_future(patient.soul, time.time()), *late})


LOOKS = (
    Look("git", git),
    Look("ssh", ssh),
    Look("disk", disk, ("config",)),
)
"""The clock is looked at with the soul, whose history it is compared with."""
