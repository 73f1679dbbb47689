"""What differs between commits, asked of the git program: for the hooks, which do without libgit2."""

from __future__ import annotations

from soulsync.repo.paths import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from soulsync.repo.git import Git

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
ABSENT = "0" * 40
"""The blob of a path that is not there."""


def merge_base(git: Git, sides: Sequence[str]) -> str:
    """Give a best common ancestor of all ``sides``; the empty tree for unrelated ones."""
    bases = git.run("merge-base", "--octopus", "--all", *sides, check=False).out.decode("ascii").split()
    return bases[0] if bases else EMPTY_TREE


def changes(git: Git, base: str, side: str) -> dict[str, tuple[str, str]]:
    """Give the blobs (before, after) of each path at which ``side`` differs from ``base``; links are left out."""
    words = git.out("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", base, side, "--").split(b"\0")
    records = (meta.decode("ascii").split() for meta in words[:-1:2])
    return {
        decode(path): (meta[2], meta[3])
        for meta, path in zip(records, words[1::2], strict=True)
        if not {meta[0][1:], meta[1]} & {"120000", "160000"}
    }
