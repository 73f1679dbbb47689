"""Asking the server, once: its branches, and whether it would take a push."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soulsync.body.locks import sync_lock
from soulsync.body.remote import Heads, connect
from soulsync.errors import BusyError, DeniedError, SoulSyncError

if TYPE_CHECKING:
    from soulsync.body.doctor.patient import Patient
    from soulsync.body.remote import Connection


@dataclass(slots=True)
class Asked:
    """``failure``: why the server can't be asked. ``heads``: its branches. ``read_only``: why it takes no push.

    ``fetched``: the remote's tip is here and may be judged; False where a sync was just at work.
    """

    failure: SoulSyncError | None = None
    heads: Heads = field(default_factory=Heads)
    read_only: DeniedError | None = None
    fetched: bool = False


def ask(patient: Patient) -> Asked:
    """Reach the server over one connection: list, fetch, and a push that sends nothing."""
    soul, remote = patient.soul, patient.remote
    found = Asked()
    if remote is None:
        return found
    try:
        with connect(soul.git, remote, patient.home, patient.config) as connection:
            found.heads = connection.list()
            head = soul.head
            failed = connection.probe_write(head) if head else None
            meaning = connection.meaning(failed) if failed is not None else None
            if isinstance(meaning, DeniedError):
                found.read_only = meaning
            if found.heads.main is not None:
                found.fetched = _fetch(patient, connection)
    except SoulSyncError as e:
        found.failure = e
    return found


def _fetch(patient: Patient, connection: Connection) -> bool:
    """Bring the remote's tip, into the ref that no tool follows; not while a sync uses it."""
    if patient.alone:
        connection.fetch()
        return True
    try:
        with sync_lock(patient.home):
            connection.fetch()
            return True
    except BusyError:
        return False
