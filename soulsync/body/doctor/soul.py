"""The soul itself: its repository, its identity, and the files in it that can't travel."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body import guards
from soulsync.body.doctor import machine
from soulsync.body.doctor.finding import Finding, Look, ill, some, well
from soulsync.body.state import Known
from soulsync.formats.agent import agent_id
from soulsync.lang import tr
from soulsync.repo import leftovers, objects, plain, snapshot
from soulsync.repo.paths import decode, is_portable, shown, twin_key
from soulsync.repo.worktree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from soulsync.body.doctor.patient import Patient

FSCK_SECONDS = 120.0


def repository(patient: Patient) -> Finding:
    """Whether the soul is a repository that can be opened, of which nothing is missing."""
    soul = patient.soul
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


def left_out(patient: Patient) -> Finding:
    """Files of the work tree that a sync would not commit."""
    soul = patient.soul
    taken = snapshot.take(soul, WorkTree(soul.root, soul.staging), patient.work, patient.config.body)
    if taken.skipped:
        named = [f"{shown(s.path)} ({s.reason})" for s in taken.skipped]
        return ill(
            tr("These files stay on this machine: {paths}.", paths=some(named)),
            tr("Make them smaller, rename them, or move them out of the soul."),
        )
    return well(tr("every file can travel"))


def _in_tree(patient: Patient) -> dict[str, list[str]]:
    """What the last commit holds that some body can't take, by kind; one listing, no file is read."""
    head = patient.soul.head
    found: dict[str, list[str]] = defaultdict(list)
    twins: dict[str, str] = {}
    listing = patient.soul.git.out("ls-tree", "-r", "-l", "-z", "--full-tree", head or "HEAD")
    for record in listing.split(b"\0")[:-1]:
        meta, _, raw = record.partition(b"\t")
        mode, _, _, size = meta.split()
        path = decode(raw)
        kind = int(mode, 8)
        if kind == objects.SYMLINK:
            found["links"].append(path)
        elif kind == objects.SUBMODULE:
            found["nested"].append(path)
        elif size.isdigit() and int(size) > spec.MAX_FILE_BYTES:
            found["large"].append(path)
        other = twins.setdefault(twin_key(path), path)
        if not is_portable(path) or other != path:
            found["names"].append(path)
    return found


def _of_tree(
    kind: str, problem: Callable[[str], str], remedy: Callable[[], str]
) -> Callable[[Patient], Finding | None]:
    def look(patient: Patient) -> Finding:
        found = [shown(path) for path in _in_tree(patient)[kind]]
        return ill(problem(some(found)), remedy()) if found else well(tr("none"))

    return look


def _needs(*more: str) -> tuple[str, ...]:
    return ("config", "repository", *more)


LOOKS = (
    Look("repository", repository, ("config",)),
    Look("branch", branch, _needs()),
    Look("identity", identity, _needs()),
    Look("clock", machine.clock, _needs()),
    Look("fixed-files", fixed_files, _needs()),
    Look("left-out", left_out, _needs("branch")),
    Look(
        "names",
        _of_tree(
            "names",
            lambda paths: tr("Names that Windows or macOS can't hold: {paths}.", paths=paths),
            lambda: tr('Rename them: no reserved name, none of \\ : * ? " < > |, no twin that differs in case.'),
        ),
        _needs(),
    ),
    Look(
        "large-files",
        _of_tree(
            "large",
            lambda paths: tr("Over 1 MiB in the soul: {paths}.", paths=paths),
            lambda: tr("Split or shorten them; what is over 16 MiB no body checks out."),
        ),
        _needs(),
    ),
    Look(
        "links",
        _of_tree(
            "links",
            lambda paths: tr("Links in the soul: {paths}.", paths=paths),
            lambda: tr("Put files in their place with plain git; no body checks a link out."),
        ),
        _needs(),
    ),
    Look(
        "nested-repositories",
        _of_tree(
            "nested",
            lambda paths: tr("Repositories in the soul: {paths}.", paths=paths),
            lambda: tr("Take them out with `git rm --cached` and keep them elsewhere; their content does not travel."),
        ),
        _needs(),
    ),
)
