"""What the hook files call: one function per hook, each a judgement of structure; content is never looked at (§6).

A fault of the check itself never keeps an agent from committing: only ``pre-push`` refuses then, because what has left
the machine can't be called back. Standard library only: git waits for it at each commit.
"""

from __future__ import annotations

import os
import sys

from soulsync.errors import SoulSyncError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from soulsync.repo.git import Git

USAGE = "usage: soulsync-hook NAME [ARGUMENTS OF GIT]"


class Place:
    """The repository in which git runs a hook, and what ``install`` noted in its config for the hooks."""

    def __init__(self) -> None:
        from soulsync.repo import config_file
        from soulsync.repo.whereabouts import common_dir, git_dir

        found = git_dir()
        if found is None:
            raise SoulSyncError("This is not the top of a git repository.", "Hooks are run by git.")
        self.git_dir = found
        config = config_file.read(f"{common_dir(found)}/config")
        self.body: str = config.get("soulsync.body", [""])[-1]
        self.remote: str = config.get("soulsync.remote", [""])[-1]
        self.agent_id: str = config.get("soulsync.agentid", [""])[-1]
        self.is_soul = config.get("soulsync.stores", [""])[-1] != "true"  # else another's, that holds memory stores

    def git(self) -> Git:
        """Git on this repository, without any of the variables that git gave to this hook but the index.

        A commit of some paths has an index file of its own, and only this hook's environment names it.
        """
        from soulsync.repo.git import Git

        index = os.environ.get("GIT_INDEX_FILE")
        return Git(self.git_dir, index=os.path.abspath(index) if index else None)  # noqa: PTH100


def main(argv: list[str] | None = None) -> int:
    """``soulsync-hook NAME …``: 0 lets git go on, 1 stops it, 2 is wrong usage."""
    name, *args = (sys.argv[1:] if argv is None else argv) or [""]
    check = HOOKS.get(name)
    if check is None:
        say([USAGE])
        return 2
    try:
        return check(Place(), args)
    except Exception as e:
        if os.environ.get("SOULSYNC_DEBUG") == "1":
            raise
        said = str(e) if isinstance(e, SoulSyncError) else f"The hook {name} failed: {type(e).__name__}: {e}."
        say([f"soulsync: {said}"])
        return 1 if name == "pre-push" else 0


def say(lines: Iterable[str]) -> int:
    """Write lines to stderr; gives how many there were."""
    count = 0
    for line in lines:
        sys.stderr.write(line.replace("\n", " ") + "\n")
        count += 1
    return count


def pre_commit(place: Place, _args: list[str]) -> int:
    """Refuse what may not stand in a soul: see :mod:`soulsync.hooks_commit`."""
    from soulsync.hooks_commit import problems

    return 1 if say(f"soulsync: {line}" for line in problems(place)) else 0


def commit_msg(place: Place, args: list[str]) -> int:
    """Add the body's name to the subject of the message in the file that git names."""
    from soulsync.hooks_commit import sign_message

    if place.body and args:
        sign_message(args[0], place.body)
    return 0


def pre_push(place: Place, args: list[str]) -> int:
    """Let only ``main`` go, only forward, only to the soul's own address: see :mod:`soulsync.hooks_push`."""
    from soulsync.hooks_push import problems

    # All of stdin is read before anything is said: git would die of SIGPIPE while it writes its list.
    refs = os.fsdecode(sys.stdin.buffer.read()).splitlines()
    return 1 if say(f"soulsync: {line}" for line in problems(place, args[1] if len(args) > 1 else "", refs)) else 0


def post_merge(place: Place, args: list[str]) -> int:
    """Complete memory stores, then tell what merges since the former tip dropped; a squash has made no commit yet."""
    if args[:1] == ["1"]:
        return 0
    from soulsync.hooks_audit import dropped_by_merges
    from soulsync.repo.completion import after_merge

    git = place.git()  # it runs its hooks at the top of the work tree
    done = after_merge(git, ".")
    say(f"soulsync: {line}" for line in done.lines)
    if place.is_soul:
        say(f"soulsync: {line}" for line in dropped_by_merges(git, done.settled))
    return 0


def post_rewrite(place: Place, args: list[str]) -> int:
    """Complete memory stores after a rebase, then tell what it dropped."""
    lines = sys.stdin.read().splitlines()
    if args[:1] != ["rebase"]:
        return 0
    from soulsync.hooks_audit import dropped_by_rebase, sides_of_rebase
    from soulsync.repo.completion import complete

    git = place.git()
    sides = sides_of_rebase(git, lines)
    if sides:
        done = complete(git, ".", "HEAD", sides)
        say(f"soulsync: {line}" for line in [*done.lines, *dropped_by_rebase(git, sides, done.settled)])
    return 0


HOOKS: dict[str, Callable[[Place, list[str]], int]] = {
    "pre-commit": pre_commit,
    "commit-msg": commit_msg,
    "pre-push": pre_push,
    "post-merge": post_merge,
    "post-rewrite": post_rewrite,
}
