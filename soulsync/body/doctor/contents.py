"""Files that can't travel: in the work tree, and in the last commit, where another program may have put them."""

from __future__ import annotations

from collections import defaultdict
from shlex import quote
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.body.doctor.finding import Finding, Look, ill, some, well
from soulsync.lang import tr
from soulsync.repo import objects, snapshot, taking
from soulsync.repo.paths import decode, is_portable, shown, twin_key
from soulsync.repo.worktree import WorkTree

if TYPE_CHECKING:
    from collections.abc import Callable

    from soulsync.body.doctor.patient import Patient


def left_out(patient: Patient) -> Finding:
    """Files of the work tree that a sync would not commit."""
    soul = patient.soul
    taken = snapshot.take(soul, WorkTree(soul.root, soul.staging), patient.work, patient.config.body)
    if taken.skipped:
        named = [f"{shown(s.path)} ({s.reason})" for s in taken.skipped]
        return ill(tr("These files stay on this machine: {paths}.", paths=some(named)), _remedy(taken.skipped[0]))
    return well(tr("every file can travel"))


def _remedy(skipped: taking.Skipped) -> str:
    """What to do with a file that is left out."""
    if skipped.reason == taking.MALFORMED and skipped.path != spec.AGENT_JSON:
        return tr("Give yourself the right to read it, if it is a file: chmod u+r {path}.", path=quote(skipped.path))
    return {
        taking.TOO_LARGE: tr("Make it smaller, or move it out of the soul: no file over 1 MiB is committed."),
        taking.UNPORTABLE: tr("Rename it: Windows or macOS can't hold the name."),
        taking.MALFORMED: tr("Run `soulsync restore agent.json`, then `soulsync sync`."),
        taking.NOT_OURS: tr("Leave it to the body that it belongs to; a sync puts that one's version back."),
    }.get(skipped.reason, tr("Move it out of the soul: it holds text files alone."))


def _in_tree(patient: Patient) -> dict[str, list[str]]:
    """What the last commit holds that some body can't take, by kind; one listing, no file is read."""
    found: dict[str, list[str]] = defaultdict(list)
    twins: dict[str, str] = {}
    for record in patient.listing.split(b"\0")[:-1]:
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


NEEDS = ("config", "repository")
LOOKS = (
    Look("left-out", left_out, (*NEEDS, "branch")),
    Look(
        "names",
        _of_tree(
            "names",
            lambda paths: tr("Names that Windows or macOS can't hold: {paths}.", paths=paths),
            lambda: tr('Rename them: no reserved name, none of \\ : * ? " < > |, no twin that differs in case.'),
        ),
        NEEDS,
    ),
    Look(
        "large-files",
        _of_tree(
            "large",
            lambda paths: tr("Over 1 MiB in the soul: {paths}.", paths=paths),
            lambda: tr("Split or shorten them; what is over 16 MiB no body checks out."),
        ),
        NEEDS,
    ),
    Look(
        "links",
        _of_tree(
            "links",
            lambda paths: tr("Links in the soul: {paths}.", paths=paths),
            lambda: tr("Put files in their place with plain git; no body checks a link out."),
        ),
        NEEDS,
    ),
    Look(
        "nested-repositories",
        _of_tree(
            "nested",
            lambda paths: tr("Repositories in the soul: {paths}.", paths=paths),
            lambda: tr("Take them out with `git rm --cached` and keep them elsewhere; their content does not travel."),
        ),
        NEEDS,
    ),
)
