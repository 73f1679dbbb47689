"""Only its own history: what a fetched tip must be before anything of it is merged (soul-repo-v4 §8)."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.errors import RefusedError
from soulsync.formats import agent
from soulsync.lang import tr
from soulsync.repo import foreign_tree, history, objects
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from soulsync.body.remote import Heads
    from soulsync.repo.objects import Entry
    from soulsync.repo.soul import Soul

EMPTY_SOUL = ("README*", "LICENSE*", ".gitignore", ".gitattributes")
"""What a forge puts into a new repository; one that holds nothing else is an empty soul."""


def check_branches(heads: Heads, seen: str | None) -> None:
    """The remote's ``main`` must be there if it ever was, and must not be another branch's job."""
    if heads.main is not None:
        return
    if seen is not None:
        raise RefusedError(
            tr(
                "The remote has no branch {branch} any more; when we last looked it was at {seen}.",
                branch=spec.BRANCH,
                seen=seen[:7],
            ),
            tr("Find out who deleted it. Nothing was changed here; a soul's history is append-only."),
        )
    if heads.branches:
        others = ", ".join(shown(name) for name in sorted(heads.branches)[:3])
        raise RefusedError(
            tr(
                "The remote has the branch {others} and no {branch}; a soul lives on {branch} alone.",
                others=others,
                branch=spec.BRANCH,
            ),
            tr("Rename the branch there to {branch}, or give another repository.", branch=spec.BRANCH),
        )


def check_content(soul: Soul, tip: str, seen: str | None) -> None:
    """The tip must be a commit whose folders and names git itself can handle; what we saw before passed already."""
    if not objects.is_commit(soul.repo, tip):
        raise RefusedError(
            tr("The remote's branch {branch} points at no commit.", branch=spec.BRANCH),
            tr("Find out who moved it. Nothing was changed here."),
        )
    old = objects.tree_of(soul.repo, seen) if seen else None
    foreign_tree.refuse_impossible(soul.repo, old, objects.tree_of(soul.repo, tip))


def check_not_rewritten(soul: Soul, tip: str, seen: str | None) -> None:
    """The tip must contain the tip that we last saw (letta-ai/letta-code#2203: a forced push wiped the memories)."""
    if seen is None or seen == tip:
        return
    if not history.contains(soul, tip, seen):
        raise RefusedError(
            tr(
                "The remote's history was rewritten: {tip} does not contain {seen}, which we last saw there.",
                tip=tip[:7],
                seen=seen[:7],
            ),
            tr(
                "Nothing was changed here. If meant, `soulsync remote accept {tip}` adopts it and keeps yours.",
                tip=tip[:12],
            ),
        )


def is_empty_soul(soul: Soul, tip: str) -> bool:
    """Whether ``tip`` holds only what a forge puts into a new repository."""
    names = objects.read_tree(soul.repo, objects.tree_of(soul.repo, tip))
    texts = [name.decode("utf-8", "surrogateescape") for name in names]
    return all(any(fnmatchcase(text, pattern) for pattern in EMPTY_SOUL) for text in texts)


def remote_id(soul: Soul, tip: str) -> str | None:
    """The id in the newest commit of ``tip`` whose ``agent.json`` parses; None where no commit ever had one."""
    entry = last_identity(soul, tip)
    return _id_in(soul, entry) if entry is not None else None


def last_identity(soul: Soul, tip: str) -> Entry | None:
    """The newest ``agent.json`` in the history of ``tip`` that parses and holds an id."""
    found = _identity_at(soul, tip)
    if found is not None:
        return found
    argv = ("rev-list", "--full-history", tip, "--", spec.AGENT_JSON)
    entries = (_identity_at(soul, commit) for commit in soul.git.text(*argv).split())
    return next((entry for entry in entries if entry is not None), None)


def _identity_at(soul: Soul, commit: str) -> Entry | None:
    entry = objects.lookup(soul.repo, objects.tree_of(soul.repo, commit), spec.AGENT_JSON)
    return entry if entry is not None and _id_in(soul, entry) is not None else None


def _id_in(soul: Soul, entry: Entry) -> str | None:
    """The id in a version of ``agent.json``; one over the size of any file that is checked out counts as unreadable."""
    if not entry.is_file or objects.blob_size(soul.repo, entry.id) > spec.MAX_CHECKOUT_BYTES:
        return None
    return agent.agent_id(objects.read_blob(soul.repo, entry.id))


def check_identity(soul: Soul, tip: str, our_id: str | None, *, yields: bool) -> str | None:
    """The tip must be our agent's soul; gives its id, None for an empty soul.

    ``yields``: our identity is a seed, or never reached a remote, and gives way to the remote's (§4 rule 12).
    """
    theirs = remote_id(soul, tip)
    if theirs is None:
        if is_empty_soul(soul, tip):
            return None
        raise RefusedError(
            tr("The remote is no soul repository: it has content, and no agent.json."),
            tr("Give the address of the agent's own repository, or of an empty one."),
        )
    if our_id is not None and theirs != our_id and not yields:
        raise RefusedError(
            tr(
                "The remote is the soul of another agent: its id is {theirs}…, ours is {our_id}….",
                theirs=theirs[:8],
                our_id=our_id[:8],
            ),
            tr("Check the address with `soulsync remote show`. Nothing was changed here."),
        )
    return theirs


def new_roots(soul: Soul, tip: str, known_tips: list[str]) -> list[str]:
    """The root commits that ``tip`` brings and that none of ``known_tips`` has."""
    return soul.git.text("rev-list", "--max-parents=0", tip, *(f"^{t}" for t in known_tips)).split()


def check_roots(soul: Soul, tip: str, known_tips: list[str], known_roots: list[str], our_id: str) -> list[str]:
    """Every root must be known, or its own history must hold an ``agent.json`` with our id; gives the new roots."""
    strange = [root for root in new_roots(soul, tip, known_tips) if root not in known_roots]
    for root in strange:
        if our_id not in _ids_of_lineage(soul, root, tip, [*known_tips, *known_roots]):
            raise RefusedError(
                tr(
                    "The remote's history contains a strange beginning, {root}, which is not of this soul.",
                    root=root[:7],
                ),
                tr("Find out who merged another repository into it. Nothing was changed here."),
            )
    return strange


def _ids_of_lineage(soul: Soul, root: str, tip: str, known: list[str]) -> set[str]:
    """The agent ids in the commits that descend from ``root`` and from nothing that is known."""
    listing = soul.git.text("rev-list", "--topo-order", "--reverse", "--parents", tip, *(f"^{k}" for k in known))
    lineage: set[str] = set()
    ids: set[str] = set()
    for line in listing.splitlines():
        commit, *parents = line.split()
        if commit == root or (parents and lineage.issuperset(parents)):
            lineage.add(commit)
            entry = _identity_at(soul, commit)
            found = _id_in(soul, entry) if entry is not None else None
            ids |= {found} if found else set()
    return ids
