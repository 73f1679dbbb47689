"""The other bodies, as the registry and the lease tell of them."""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.access.key import fingerprint, public_line
from soulsync.body import registration
from soulsync.body.doctor.finding import Finding, Look, ill, some, well
from soulsync.body.lease import TAKE_OVER_MS
from soulsync.body.standing import lease_of
from soulsync.formats.instants import instant
from soulsync.lang import tr
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from soulsync.body.doctor.patient import Patient

DEAD_DAYS = 30
"""How long a body may be silent, unless ``dead_after_days`` in ``config.toml`` says otherwise."""
DAY = 86_400


def registered(patient: Patient) -> Finding | None:
    """Whether our own registry file is there and names our key: else another machine may use our name."""
    if patient.remote is None:
        return None
    body = patient.config.body
    facts = registration.registered(patient.soul).get(body)
    if facts is None:
        return ill(
            tr("bodies/{body}.json is missing.", body=body), tr("Run `soulsync sync`: it registers this body again.")
        )
    mine = fingerprint(public_line(patient.home.key))
    info = patient.home.key.stat()
    since = max(info.st_mtime, info.st_ctime)  # a rotated key got its name by a rename
    if facts.fingerprint not in (None, mine) and (facts.last_seen or 0) > since:
        return ill(
            tr("Another machine writes as {body}, with the key {key}.", body=body, key=facts.fingerprint),
            tr("Give one of the two another name: detach it, then `soulsync init` with another --body."),
        )
    return well(f"bodies/{body}.json")


def shared_keys(patient: Patient) -> Finding:
    """Whether each body has a key of its own (§7)."""
    groups = registration.shared_keys(registration.fingerprints(patient.soul))
    if groups:
        return ill(
            tr("One key is used by several bodies: {bodies}.", bodies="; ".join(" = ".join(names) for names in groups)),
            tr("Run `soulsync key rotate` on each but one, then delete the old key at the server."),
        )
    return well(tr("each body has its own"))


def dead(patient: Patient) -> Finding:
    """Bodies that were not seen for long: machines that are lost, or that can't sync and nobody knows."""
    days = _dead_days(patient)
    silent = {
        body: (patient.now - facts.last_seen) / DAY
        for body, facts in registration.registered(patient.soul).items()
        if facts.last_seen is not None and patient.now - facts.last_seen > days * DAY and body != patient.config.body
    }
    if not silent:
        return well(tr("each was seen within {days} days", days=days))
    longest = max(silent, key=lambda body: silent[body])
    named = [tr("{body} ({days} days)", body=shown(body), days=int(age)) for body, age in silent.items()]
    return ill(
        tr("Not seen for long: {bodies}.", bodies=some(named)),
        tr(
            "Start soulsync there. If {body} is gone for good, delete its deploy key at the server, and take it off "
            "the list: git -C {root} rm {path} && git -C {root} commit --no-verify -m {body}.",
            body=shown(longest),
            root=shlex.quote(str(patient.config.soul)),
            path=shlex.quote(f"bodies/{shown(longest)}.json"),
        ),
    )


def _dead_days(patient: Patient) -> int:
    said = patient.config.other.get("dead_after_days", DEAD_DAYS)
    return said if type(said) is int and said > 0 else DEAD_DAYS


def lease(patient: Patient) -> Finding:
    """Whether no lease lies there that its holder forgot: it is over, and stands in the way of nobody who asks."""
    found = lease_of(patient.config.soul / spec.LEASE_JSON, patient.config.body, time.time())
    if found["held"]:
        return well(tr("{body} until {until}", body=shown(found["body"]), until=found["until"]))
    until = instant(found["until"])
    if not found["expired"] or until is None or until / 1000 + TAKE_OVER_MS > patient.now * 1000:
        return well(tr("free"))
    return ill(
        tr(
            "The lease of {body} ended at {until} and was not given back.",
            body=shown(found["body"]),
            until=found["until"],
        ),
        tr("Run `soulsync lease release`.")
        if found["mine"]
        else tr("Any body may take it over: `soulsync lease acquire`, then `soulsync lease release`."),
    )


_NEEDS = ("config", "repository")
LOOKS = (
    Look("registration", registered, (*_NEEDS, "address", "key")),
    Look("shared-keys", shared_keys, _NEEDS),
    Look("dead-bodies", dead, _NEEDS),
    Look("lease", lease, _NEEDS),
)
