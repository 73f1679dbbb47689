"""Commits of a body: who, when, with which words (soul-repo-v4 §4 rule 3, §5)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync.formats.instants import LATEST
from soulsync.repo import objects

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soulsync.repo.soul import Soul

_DROPPED = str.maketrans("", "", "<>\n\r\0")


@dataclass(frozen=True, slots=True)
class Author:
    """Who commits: the agent's display name and short name, and the body."""

    display_name: str
    agent: str
    body: str

    @property
    def name(self) -> str:
        """``<displayName> (<body>)``, without what git does not take in a name."""
        # JSON can hold half a surrogate pair, which no commit can
        name = self.display_name.encode("utf-8", "replace").decode("utf-8")
        shown = name.translate(_DROPPED).strip() or self.agent
        return f"{shown} ({self.body})"

    @property
    def email(self) -> str:
        """``<name>@<body>.local``."""
        return f"{self.agent.translate(_DROPPED)}@{self.body}.local"

    def subject(self, what: str) -> str:
        """``<what happened>（<body>）``, with the full-width brackets of the spec."""
        return f"{what}（{self.body}）"


def create(soul: Soul, author: Author, what: str, tree: str, parents: Sequence[str], *, details: str = "") -> str:
    """Store a commit object; no ref moves. The id of the new commit.

    The author date is the real clock. The committer date is never before the newest parent's plus one second, so that
    a body with a slow clock does not lose every "newest wins" for ever.
    """
    import pygit2

    now = int(time.time())
    # No clock made a date after the year 9999, and from 2^63 - 1 on there is no next second.
    newest = min(max((objects.commit_of(soul.repo, p).commit_time for p in parents), default=0), LATEST // 1000)
    offset = time.localtime(now).tm_gmtoff // 60
    message = author.subject(what) + (f"\n\n{details}" if details else "") + "\n"
    return objects.stored(
        lambda: soul.repo.create_commit(
            None,
            pygit2.Signature(author.name, author.email, now, offset),
            pygit2.Signature(author.name, author.email, max(now, newest + 1), offset),
            message,
            tree,
            list(parents),
        )
    )
