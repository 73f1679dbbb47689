"""From what a person types to a commit of this soul's history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soulsync.errors import SoulSyncError
from soulsync.lang import tr
from soulsync.repo.paths import shown

if TYPE_CHECKING:
    from soulsync.repo.soul import Soul


def find(soul: Soul, revision: str) -> str:
    """The commit that ``revision`` names: a full or short id, ``HEAD~2``, a rescue ref.

    Raises ``SoulSyncError`` (1) where it names none, or several.
    """
    if revision.startswith("-") or "\0" in revision or not revision.strip():
        raise SoulSyncError(tr("“{text}” is no commit.", text=shown(revision)), tr("Give an id from `soulsync log`."))
    result = soul.git.run("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}", check=False)
    if result.code == 0:
        return result.out.decode("ascii").strip()
    if "ambiguous" in result.err:
        raise SoulSyncError(
            tr("Several commits begin with {text}.", text=shown(revision)), tr("Give more digits of the one you mean.")
        )
    raise SoulSyncError(tr("There is no commit {text}.", text=shown(revision)), tr("Give an id from `soulsync log`."))


def resolve(soul: Soul, revision: str, tip: str) -> str:
    """Like ``find``, and the commit must be in the history of ``tip``."""
    commit = find(soul, revision)
    if soul.git.run("merge-base", "--is-ancestor", commit, tip, check=False).code != 0:
        raise SoulSyncError(
            tr("{commit} is not in this soul's history.", commit=commit[:7]), tr("Give an id from `soulsync log`.")
        )
    return commit
