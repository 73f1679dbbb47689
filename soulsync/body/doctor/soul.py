"""The soul itself: its repository, its branch, its identity, its fixed files."""

from __future__ import annotations

import json
import os
import shlex
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body import guards
from soulsync.body.doctor import machine
from soulsync.body.doctor.finding import Finding, Look, ill, some, well
from soulsync.body.state import Known
from soulsync.formats.agent import agent_id
from soulsync.lang import tr
from soulsync.repo import leftovers, plain
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from pathlib import Path

    from soulsync.body.doctor.patient import Patient

FSCK_SECONDS = 120.0


def repository(patient: Patient) -> Finding:
    """Whether the soul is a repository that can be opened, of which nothing is missing."""
    soul = patient.soul
    if any(place.stat().st_uid != os.geteuid() for place in (soul.root, soul.git_dir)):
        return ill(
            tr("{paths}: belongs to another user.", paths=soul.root),
            tr(
                "Plain git refuses it. Give it back: chown -R {uid} {root}.",
                uid=os.geteuid(),
                root=shlex.quote(str(soul.root)),
            ),
        )
    if soul.head is None:
        return ill(tr("The soul has no commit yet."), tr("Run `soulsync init` again: it continues where it stopped."))
    found = soul.git.run(
        "fsck", "--connectivity-only", "--no-dangling", "--no-progress", "--no-reflogs", spec.MAIN_REF,
        check=False, timeout=FSCK_SECONDS,
    )  # fmt: skip
    if found.code != 0:
        said = [line for line in (found.out.decode("utf-8", "replace") + found.err).splitlines() if line.strip()]
        return ill(
            tr("git fsck: {said}.", said=some([shown(line) for line in said])),
            tr("Fetch what is missing: move {root} aside and run `soulsync init` again.", root=soul.root),
        )
    return well(str(soul.root))


def branch(patient: Patient) -> Finding:
    """Whether nobody left a merge, a rebase or another branch open."""
    leftovers.refuse_open_work(patient.soul)
    leftovers.refuse_unmerged(patient.work.unmerged)
    return well(spec.BRANCH)


def identity(patient: Patient) -> Finding:
    """Whether ``agent.json`` can be read and names the agent that it always named."""
    try:
        found = agent_id(plain.read(patient.config.soul / spec.AGENT_JSON))
    except OSError:
        found = None
    if found is None:
        return ill(
            tr("agent.json is missing or can't be read."),
            tr("Run `soulsync restore agent.json`, then `soulsync sync`."),
        )
    head = patient.soul.head
    known = Known.load(patient.home).agent_id or (guards.remote_id(patient.soul, head) if head else None)
    if known is not None and found != known:
        return ill(
            tr("agent.json names the id {found}…, this soul is {known}….", found=found[:8], known=known[:8]),
            tr("Run `soulsync sync`: it puts the id back, which never changes."),
        )
    return well(found)


def fixed_files(patient: Patient) -> Finding:
    """Whether the fixed files say what the spec says; the README is generated and may say anything (§2)."""
    odd = [path for path in spec.FIXED_FILES if path != spec.README_MD and not _is_as_fixed(patient, path)]
    if odd:
        return ill(
            tr("Not as the spec has them: {paths}.", paths=some(odd)),
            tr("Run `soulsync doctor --fix`; if another program writes them back, update that one."),
            lambda: _write_fixed(patient, odd),
        )
    return well(tr("as the spec has them"))


def _is_as_fixed(patient: Patient, path: str) -> bool:
    try:
        data = plain.read(patient.config.soul / path)
    except OSError:
        return False
    if path == spec.SPEC_JSON:  # a higher version is v4 plus things we preserve; it is never lowered (§2)
        try:
            values = json.loads(data)
            return bool(values["spec"] == "soul-repo" and values["version"] >= spec.SPEC_VERSION)
        except (ValueError, KeyError, TypeError, RecursionError):
            return False
    return data == spec.FIXED_FILES[path].encode()


def _write_fixed(patient: Patient, paths: list[str]) -> list[str]:
    """Put the spec's text in place; what stood there is kept in ``state/recovery``."""
    from soulsync.body.locks import worktree_lock
    from soulsync.files import write_durably

    done = []
    with worktree_lock(patient.home):
        for path in paths:
            file = patient.config.soul / path
            if file.exists() or file.is_symlink():
                _keep_copy(patient, file)
            write_durably(file, spec.FIXED_FILES[path].encode(), 0o644)
            done.append(tr("wrote {file} again", file=path))
    return done


def _keep_copy(patient: Patient, file: Path) -> None:
    place = patient.home.state / "recovery"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.rename(place / f"{int(patient.now * 1000)}-{file.name}")


NEEDS = ("config", "repository")
LOOKS = (
    Look("repository", repository, ("config",)),
    Look("branch", branch, NEEDS),
    Look("identity", identity, NEEDS),
    Look("clock", machine.clock, NEEDS),
    Look("fixed-files", fixed_files, NEEDS),
)
