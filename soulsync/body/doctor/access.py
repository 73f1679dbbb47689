"""The way to the server: address, host key, what the key may do, and whether the remote's history only grew."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.access import hostkeys
from soulsync.access.bare import refuses_rewriting
from soulsync.body import guards
from soulsync.body.doctor.finding import Finding, Look, ill, some, well
from soulsync.body.state import Known
from soulsync.lang import tr
from soulsync.repo.soul import FETCHED_REF, SEEN_REF

if TYPE_CHECKING:
    from soulsync.access.address import Remote
    from soulsync.body.doctor.patient import Patient


def address(patient: Patient) -> Finding:
    """Whether the address is one that a soul may have."""
    remote = patient.remote
    return well(remote.url if remote else tr("none: a local soul"))


def server(patient: Patient) -> Finding | None:
    """Whether the server can be reached, is the one that was pinned, and knows the key."""
    remote, failure = patient.remote, patient.asked.failure
    if remote is None:
        return None
    if failure is not None:
        return ill(failure.problem, failure.remedy)
    return well(tr("{where} lets this key in", where=remote.where))


def host_key(patient: Patient) -> Finding | None:
    """Whether the server's host key is the pinned one; a changed one is named by both fingerprints."""
    remote, failure = patient.remote, patient.asked.failure
    if remote is None or remote.is_local:
        return None
    keys = hostkeys.pinned(patient.home.known_hosts, remote, port_443=patient.config.port_443)
    if not keys:
        return ill(
            tr("No host key of {where} is pinned.", where=remote.where),
            failure.remedy if failure else tr("Run `soulsync sync`: the first contact pins it."),
        )
    return well(some([key.fingerprint for key in keys]))


def write(patient: Patient) -> Finding | None:
    """Whether the server would take a push of this key; asked by a dry run that sends nothing."""
    if patient.remote is None:
        return None
    refusal = patient.asked.read_only
    return ill(refusal.problem, refusal.remedy) if refusal else well(tr("the key may read and write"))


def history(patient: Patient) -> Finding | None:
    """Whether the remote is still this soul, and its history only grew since we last looked."""
    if patient.remote is None:
        return None
    soul, tip = patient.soul, patient.asked.heads.main
    seen = soul.ref(SEEN_REF)
    guards.check_branches(patient.asked.heads, seen)
    if tip is None:
        return ill(tr("The remote is empty."), tr("Run `soulsync sync`: it sends the soul."))
    if not patient.asked.fetched:
        return well(tr("not looked at: a sync is at work"))
    tip = soul.ref(FETCHED_REF) or tip
    guards.check_content(soul, tip, seen)
    guards.check_not_rewritten(soul, tip, seen)
    known = Known.load(patient.home)
    theirs = guards.check_identity(soul, tip, known.agent_id, yields=not known.pushed and seen is None)
    if seen is not None and theirs is not None:
        guards.check_roots(soul, tip, [t for t in (seen, soul.head) if t], known.roots, theirs)
    ahead, behind = soul.git.text("rev-list", "--left-right", "--count", f"{soul.head}...{tip}").split()
    return well(
        tr("in step")
        if ahead == behind == "0"
        else tr("{ahead} to send, {behind} to bring in", ahead=ahead, behind=behind)
    )


def protection(patient: Patient) -> Finding | None:
    """Whether the server refuses to rewrite history; told only where the repository lies on this machine."""
    remote = patient.remote
    if remote is None:
        return None
    path = _here(remote)
    if path is None:
        return well(tr("can't be told over SSH: protect {branch} at the server", branch="main"))
    if refuses_rewriting(path):
        return well(tr("{path} refuses force-push and deletion", path=path))
    return ill(
        tr("{path} lets its history be rewritten and deleted.", path=path),
        tr("Run `soulsync remote create {path}`: it sets what is missing.", path=path),
    )


def _here(remote: Remote) -> Path | None:
    """The repository, where it lies on this machine and we may read it."""
    local = remote.is_local or (remote.host or "").lower() in (
        "localhost",
        "127.0.0.1",
        "::1",
        socket.gethostname().lower(),
    )
    path = Path(remote.path)
    try:
        return path if local and path.is_absolute() and (path / "HEAD").is_file() else None
    except OSError:
        return None


_SOUL = ("config", "repository", "address")
LOOKS = (
    Look("address", address, ("config",)),
    Look("server", server, (*_SOUL, "key"), network=True),
    Look("host-key", host_key, (*_SOUL, "key"), network=True),
    Look("write-access", write, (*_SOUL, "server"), network=True),
    Look("remote-history", history, (*_SOUL, "server"), network=True),
    Look("force-push", protection, ("config", "address")),
)
