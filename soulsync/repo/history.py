"""Reading the history of a soul: commits with the body that made them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from soulsync.formats.instants import timestamp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soulsync.repo.soul import Soul

_FORMAT = "--format=%H%x00%an%x00%at%x00%ct%x00%P%x00%s%x00"


class Commit(NamedTuple):
    """A commit as people read it; ``time`` is the author's clock in seconds, ``committed`` the committer date."""

    id: str
    author: str
    time: int
    committed: int
    parents: tuple[str, ...]
    subject: str

    @property
    def body(self) -> str:
        """The body that made it: what stands in brackets at the end of the author's name, else the whole name."""
        return body_of(self.author)

    def as_json(self) -> dict[str, str]:
        """``{commit, body, subject, time}`` of the contract."""
        return {"commit": self.id, "body": self.body, "subject": self.subject, "time": timestamp(self.time * 1000)}


def body_of(author: str) -> str:
    """``phone`` of ``Kaoru (phone)``."""
    if author.endswith(")") and " (" in author:
        return author[author.rindex(" (") + 2 : -1]
    return author


def contains(soul: Soul, commit_id: str, ancestor: str) -> bool:
    """Whether ``ancestor`` is in the history of ``commit_id``."""
    if commit_id == ancestor:
        return True
    # Not descendant_of, which libgit2 answers without a commit-graph by walking the whole history.
    try:
        return str(soul.repo.merge_base(commit_id, ancestor)) == ancestor
    except KeyError:  # a commit that is not there
        return False


def commits(soul: Soul, *revisions: str, limit: int | None = None, paths: Sequence[str] = ()) -> list[Commit]:
    """The commits of a ``git rev-list`` range that touch ``paths`` (none given: all), newest first."""
    argv = ["log", "--topo-order", _FORMAT, *([f"--max-count={limit}"] if limit else []), *revisions, "--", *paths]
    out = soul.git.run(*argv, timeout=300).out.decode("utf-8", "replace")
    fields = out.split("\0")
    return [_commit(fields[i : i + 6]) for i in range(0, len(fields) - 6, 6)]


def _commit(fields: list[str]) -> Commit:
    commit, author, time, committed, parents, subject = fields
    return Commit(commit.strip(), author, int(time), int(committed), tuple(parents.split()), subject)
