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


def touched_by_both(soul: Soul, ours: str, theirs: str) -> tuple[dict[str, Touch], dict[str, Touch]]:
    """For each side and path: the latest commit, not in the other side, that changed it against all its parents.

    One walk for all paths and both sides: ``%m`` says of which one a commit is. ``-c`` lists a path of a merge only
    where the result differs from every parent, and ``--full-history`` walks every parent, so a change that a merge
    discarded counts as well (git 2.39).
    """
    argv = ["log", "--full-history", "-c", "--raw", "-z", "--no-renames", "--no-abbrev", "--left-right"]
    out = soul.git.run(*argv, "--format=@%H %ct %m", f"{ours}...{theirs}", "--", timeout=300).out
    return parse_log(out, b"<"), parse_log(out, b">")


def parse_log(out: bytes, side: bytes = b"") -> dict[str, Touch]:
    """Read ``git log -z --raw --format='@%H %ct %m'``; a path is only ever taken after its ``:`` record.

    Only commits of this ``side`` (``<`` or ``>``) count, if one is given.
    """
    latest: dict[str, Touch] = {}
    tokens = iter(out.split(b"\0"))
    commit, time, counts = "", 0, False
    for token in tokens:
        token = token.lstrip(b"\n")
        if token.startswith(b":"):
            path = decode(next(tokens, b""))
            if not counts:
                continue
            mark = Touch(time, commit)
            if path not in latest or mark > latest[path]:
                latest[path] = mark
        elif token.startswith(b"@"):
            head, stamp, *of = token[1:].split(b" ")
            commit, time, counts = head.decode("ascii"), int(stamp), not side or side in of
    return latest
