"""What a merge dropped: the result is held against its parents and their merge base.

Git merges some things without asking a driver: a file that only one side changed, a deletion, three heads at once.
Other programs never ask one (libgit2, jj, the merge button of a forge). So the result is looked at afterwards, whoever
made it (WallyDoodlez/SquidSquad#13556: protected files vanished without a word).
"""

from __future__ import annotations

from soulsync import spec
from soulsync.formats import entries, journal
from soulsync.formats.text import STRIP, encode
from soulsync.repo.paths import shown
from soulsync.repo.tree_changes import ABSENT, changes, merge_base
from soulsync.repo.whereabouts import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from soulsync.repo.git import Git

MAX_MERGES = 50
"""How many merges of a pull are looked at, the newest first."""
MAX_LINES = 40
EXCERPT = 60


def dropped_by_merges(git: Git, settled: frozenset[str] = frozenset()) -> list[str]:
    """Tell what the merges that came in since the former tip dropped, one line each.

    ``settled`` are paths of ``HEAD`` whose other version was written beside it.
    """
    since = ("^ORIG_HEAD",) if commit_of(git, "ORIG_HEAD") else ()
    argv = ("rev-list", "--min-parents=2", "--parents", f"--max-count={MAX_MERGES}", "HEAD", *since, "--")
    lines: list[str] = []
    for record in git.text(*argv).splitlines():
        merge, *parents = record.split()
        lines += dropped(git, merge, parents, settled)
    return _at_most(lines)


def sides_of_rebase(git: Git, rewritten: Sequence[str]) -> list[str]:
    """Give what a rebase put commits on, and the tip from before; nothing where it rewrote none.

    Git's own notes are still there while the hook runs. Without them: ``rewritten`` are lines ``old new``, oldest
    first; the last old commit is the tip from before. Commits that a rebase drops since they change nothing any more
    are listed with what they would have stood on (git 2.39), so the notes are the surer source.
    """
    for folder in (f"{git.git_dir}/rebase-merge", f"{git.git_dir}/rebase-apply"):
        noted = [read_text(f"{folder}/{name}").strip() for name in ("onto", "orig-head")]
        if all(noted) and all(commit_of(git, name) for name in noted):
            return noted
    pairs = [line.split()[:2] for line in rewritten if line.strip()]
    onto = commit_of(git, f"{pairs[0][1]}^") if pairs else None
    return [onto, pairs[-1][0]] if onto else []


def dropped_by_rebase(git: Git, sides: Sequence[str], settled: frozenset[str] = frozenset()) -> list[str]:
    """Tell what a rebase dropped of the ``sides`` that it had."""
    return _at_most(dropped(git, "HEAD", sides, settled)) if sides else []


def dropped(git: Git, result: str, sides: Sequence[str], settled: frozenset[str] = frozenset()) -> list[str]:
    """Tell what ``result`` lacks of what ``sides`` hold and nobody deleted, and which whole version gave way."""
    base = merge_base(git, sides)
    audit = _Audit(git, changes(git, base, result), [(side, changes(git, base, side)) for side in sides])
    paths = [path for path in audit.paths() if path not in settled]
    return [f"{shown(path)}: {line}" for path in paths for line in audit.path(path)]


class _Audit:
    """One merge; each mapping gives, per path changed since the base, the blobs (before, after)."""

    def __init__(
        self,
        git: Git,
        result: Mapping[str, tuple[str, str]],
        sides: Sequence[tuple[str, Mapping[str, tuple[str, str]]]],
    ) -> None:
        self.git = git
        self.result = result
        self.sides = sides

    def paths(self) -> list[str]:
        """The paths that any side changed, in order."""
        return sorted({path for _, changes in self.sides for path in changes})

    def path(self, path: str) -> Iterator[str]:
        """What is missing at one path."""
        base = next(changes[path][0] for _, changes in self.sides if path in changes)
        now = self.result.get(path, (base, base))[1]
        held = [(side, changes.get(path, (base, base))[1]) for side, changes in self.sides]
        if all(blob in (now, base) for _, blob in held) and now != base:
            return  # only one version was new, and it is there
        items = _reader(path)
        if items is None:
            yield from _whole(path, base, now, held)
        else:
            kept, former = set(items(self._read(now))), set(items(self._read(base)))
            yield from self._parts(path, kept, former, [(side, items(self._read(blob))) for side, blob in held])

    def _parts(self, path: str, kept: set[str], former: set[str], held: list[tuple[str, list[str]]]) -> Iterator[str]:
        for side, items in held:
            deleted = {item for item in former for other, theirs in held if other != side and item not in theirs}
            for item in dict.fromkeys(items):
                if item not in kept and item not in deleted:
                    kept.add(item)  # both sides may have had it; once is enough
                    yield f"“{_excerpt(item)}” is gone, and nobody deleted it; see {_show(side, path)}"

    def _read(self, blob: str) -> bytes:
        return b"" if blob == ABSENT else self.git.out("cat-file", "blob", blob)


def _whole(path: str, base: str, now: str, held: list[tuple[str, str]]) -> Iterator[str]:
    """Name the versions of a file that stand neither in the result nor in the base."""
    merged = now not in (blob for _, blob in held)
    for side, blob in held:
        if blob in (now, base, ABSENT) or (merged and now != ABSENT):
            continue
        what = "is gone" if now == ABSENT else "gave way"
        yield f"the version of {side[:10]} {what} and stays in history: {_show(side, path)}"


def _show(side: str, path: str) -> str:
    """Give the command that prints a version of a file, ready to paste."""
    import shlex

    return f"git show {shlex.quote(f'{side[:10]}:{shown(path)}')}"


def _reader(path: str) -> Callable[[bytes], list[str]] | None:
    """The function that takes a file apart, for the formats in which parts are merged."""
    if spec.is_memories(path):
        return entries.parse
    return _sections if path.startswith("journal/") and path.endswith(".md") else None


def _sections(data: bytes) -> list[str]:
    return [section.text.strip(STRIP) for section in journal.parse(data).sections]


def _excerpt(text: str) -> str:
    line = encode(text.split("\n", 1)[0]).decode("utf-8", "replace")
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1] + "…"


def commit_of(git: Git, name: str) -> str | None:
    """Give the id of a commit by any of its names; None where there is none."""
    result = git.run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", check=False)
    return result.out.decode("ascii").strip() or None


def _at_most(lines: list[str]) -> list[str]:
    more = len(lines) - MAX_LINES
    return [*lines[:MAX_LINES], f"and {more} more."] if more > 0 else lines
