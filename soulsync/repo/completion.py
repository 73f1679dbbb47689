"""After a plain ``git merge`` or a rebase: what no merge driver could write is written and staged.

A driver writes one file. So the second of two memories that came under one name, and indexes as a rebuild gives them,
come here, from the parents: the same bytes that a sync puts into its merge (``merge/second.py``). Git does not commit
them: the next commit takes them along.
"""

from __future__ import annotations

import os

from soulsync.merge.second import CORTEX, INDEX, OXSOUL, RULES, Both, settle
from soulsync.repo.paths import decode, encode, shown
from soulsync.repo.tree_changes import ABSENT, CommitFiles, changes, merge_base
from soulsync.spec import INDEX_MD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from soulsync.merge.second import Settled
    from soulsync.repo.git import Git

    Changes = dict[str, tuple[str, str]]

FILE = "100644"
MAX_MERGES = 50
"""How many merges of a history are looked at, the newest first."""


class Done:
    """What was written, one line each, and the paths whose losing version is not lost."""

    __slots__ = ("lines", "settled")

    def __init__(self, lines: list[str], settled: frozenset[str]) -> None:
        self.lines = lines
        self.settled = settled


def after_merge(git: Git, top: str) -> Done:
    """Complete the merge that ``HEAD`` is; nothing where it is none, or one of more than two.

    ``top`` is the top folder of the work tree.
    """
    commit, *parents = git.text("rev-list", "--parents", "--max-count=1", "HEAD").split()
    return complete(git, top, commit, parents) if len(parents) == 2 else Done([], frozenset())


def after_merges(git: Git, top: str) -> list[str]:
    """Complete what earlier merges in the history of ``HEAD`` left out and nobody has touched since: one line each.

    Git runs no hook for a merge that a person concluded by ``git commit``, and none where none was installed.
    """
    told: list[str] = []
    argv = ("rev-list", "--min-parents=2", "--max-parents=2", "--parents", f"--max-count={MAX_MERGES}", "HEAD")
    for record in git.text(*argv).splitlines():
        merge, *parents = record.split()
        told += [line for line in complete(git, top, "HEAD", parents, since=merge).lines if line not in told]
    return told


def complete(git: Git, top: str, result: str, sides: Sequence[str], since: str | None = None) -> Done:
    """Write and stage what the merge of two ``sides``, as it stands in the commit ``result``, still lacks.

    ``since``: the merge itself, where ``result`` came later; what a commit after it wrote or deleted stays so.
    """
    base = merge_base(git, sides)
    ours, theirs = (changes(git, base, side) for side in sides)
    rules = _rules(git, {*ours, *theirs})
    if not rules:
        return Done([], frozenset())
    view = CommitFiles(git, result)
    folders = [path.rpartition("/")[0] for path, rule in rules.items() if rule in (OXSOUL, INDEX)]
    indexed = [folder for folder in folders if rules.get(_index_of(folder)) == INDEX]
    both = list(_both(view, rules, ours, theirs))
    if since is not None:
        moved = settle(both, [], view.read, view.names).moved
        both = [one for one in both if one.path in moved and not _touched(git, since, result, moved[one.path])]
    settled = settle(both, indexed, view.read, view.names)
    written = [path for path, data in sorted(settled.files.items()) if _write(git, view, top, path, data)]
    indexes = (path for path, rule in rules.items() if rule == INDEX)
    return Done(list(_told(settled, written)), frozenset([*settled.moved, *indexes]))


def _touched(git: Git, merge: str, tip: str, path: str) -> bool:
    return bool(git.text("rev-list", "--max-count=1", tip, f"^{merge}", "--", path))


def _index_of(folder: str) -> str:
    return f"{folder}/{INDEX_MD}" if folder else INDEX_MD


def _rules(git: Git, paths: set[str]) -> dict[str, str]:
    """The merge driver that git knows for each path of a store, and for the index beside it."""
    asked = {path for path in paths if path.endswith((".md", ".json"))}
    asked |= {_index_of(path.rpartition("/")[0]) for path in asked}
    if not asked:
        return {}
    lines = b"".join(encode(path) + b"\0" for path in sorted(asked))
    words = git.run("check-attr", "-z", "--stdin", "merge", input=lines).out.split(b"\0")
    found = {decode(path): rule.decode("ascii", "replace") for path, rule in zip(words[::3], words[2::3], strict=False)}
    return {path: rule for path, rule in found.items() if rule in (OXSOUL, CORTEX, INDEX)}


def _both(view: CommitFiles, rules: dict[str, str], ours: Changes, theirs: Changes) -> Iterator[Both]:
    for path in ours.keys() & theirs.keys():
        (base, mine), (_, other) = ours[path], theirs[path]
        if rules.get(path) in RULES and ABSENT not in (mine, other) and mine != other:
            yield Both(rules[path], path, view.blob(base), view.blob(mine) or b"", view.blob(other) or b"")


def _write(git: Git, view: CommitFiles, top: str, path: str, data: bytes) -> bool:
    """Put a file into the work tree and the index, unless something there is newer than the merge."""
    from pathlib import Path

    from soulsync.files import write_durably

    folder, _, name = path.rpartition("/")
    file = Path(top, os.fsdecode(encode(path)))
    there = _text(file)
    if there is None or (there != data and there != (view.read(path) or b"").replace(b"\r\n", b"\n")):
        return False
    mode = view.entries(folder).get(name, (FILE, ""))[0]
    if there != data:
        write_durably(file, data, 0o755 if mode == "100755" else 0o644)
    blob = git.run("hash-object", "-w", "--stdin", input=data).out.decode("ascii").strip()
    record = f"{mode} {blob}\t".encode() + encode(path) + b"\0"
    git.run("update-index", "--add", "-z", "--index-info", input=record)
    return True


def _text(file: os.PathLike[str]) -> bytes | None:
    """What the work tree has at ``file``, with LF; empty where nothing is, None for a link and what can't be read."""
    if os.path.islink(file):  # noqa: PTH114 - a name that may be anything
        return None
    try:
        with open(file, "rb") as there:  # noqa: PTH123
            return there.read().replace(b"\r\n", b"\n")
    except FileNotFoundError:
        return b""
    except OSError:
        return None


def _told(settled: Settled, written: Iterable[str]) -> Iterator[str]:
    there = set(written)
    for path, other in settled.moved.items():
        if other in there:
            yield f"{shown(path)}: two memories had this name; the other one is now {shown(other)}, staged"
        elif other in settled.files:
            yield f"{shown(path)}: two memories had this name; the other one needs {shown(other)}, which is taken"
    for path in sorted(settled.files):
        if path.rpartition("/")[2] == INDEX_MD and path not in settled.moved.values():
            what = "was rebuilt and staged" if path in there else "was not rebuilt: it was changed meanwhile"
            yield f"{shown(path)} {what}"
