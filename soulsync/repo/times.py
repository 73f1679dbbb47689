"""When each side of a merge last changed a path, by the commits alone (soul-repo-v4 §4 rule 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from soulsync.repo.paths import decode

if TYPE_CHECKING:
    from soulsync.repo.soul import Soul


class Touch(NamedTuple):
    """The latest change of a path on one side: committer ``time`` in seconds, and the ``commit`` that made it."""

    time: int
    commit: str


def touched(soul: Soul, side: str, other: str | None) -> dict[str, Touch]:
    """For each path: the latest commit of ``side``, not of ``other``, that changed it against all its parents.

    One walk for all paths. ``-c`` lists a path of a merge only where the result differs from every parent, and
    ``--full-history`` walks every parent, so a change that a merge discarded counts as well (git 2.39).
    """
    argv = ["log", "--full-history", "-c", "--raw", "-z", "--no-renames", "--no-abbrev", "--format=@%H %ct", side]
    if other is not None:
        argv.append(f"^{other}")
    return parse_log(soul.git.run(*argv, "--", timeout=300).out)


def parse_log(out: bytes) -> dict[str, Touch]:
    """Read ``git log -z --raw --format='@%H %ct'``; a path is only ever taken after its ``:`` record."""
    latest: dict[str, Touch] = {}
    tokens = iter(out.split(b"\0"))
    commit, time = "", 0
    for token in tokens:
        token = token.lstrip(b"\n")
        if token.startswith(b":"):
            path = decode(next(tokens, b""))
            mark = Touch(time, commit)
            if path not in latest or mark > latest[path]:
                latest[path] = mark
        elif token.startswith(b"@"):
            head, _, stamp = token[1:].partition(b" ")
            commit, time = head.decode("ascii"), int(stamp)
    return latest
