"""What the merge driver can learn about the two sides: which commits they are, and when each changed the file.

Git names the commits to no driver (git 2.39; its labels came with 2.44), and ``MERGE_HEAD`` does not exist yet while a
driver runs. What there is, in this order: the variables ``SOULSYNC_OURS`` and ``SOULSYNC_THEIRS``; the one variable
``GITHEAD_<id>`` of ``git merge`` and ``git pull``; the state files of rebase, ``am`` and of a cherry-pick of several
commits; the stash. A pair is believed only when both commits hold exactly the bytes that are being merged, so leftover
variables, renames and merges of merge bases can't mislead. With no pair the times are unknown, and the rules fall back
to the larger blob id, on every machine alike.
"""

from __future__ import annotations

import os

from soulsync.merge.result import Sides
from soulsync.repo.whereabouts import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CONFIG = (
    # `git log` listens to these in the soul's own config; the answer must not depend on it.
    ("log.showSignature", "false"),
    ("log.follow", "false"),
    ("log.showRoot", "true"),
    ("diff.relative", "false"),
    ("color.diff", "false"),
    ("core.commitGraph", "false"),
)


class History(Sides):
    """The two sides of the merge of one file; git is asked only when a rule wants to know a time.

    ``swapped``: git calls the other side "ours" (a rebase). ``inner``: the sides are merge bases, of which nothing is
    known.
    """

    __slots__ = ("_contents", "_git_dir", "_path", "_swapped", "commits")

    def __init__(
        self, git_dir: str | None, path: str, ours: bytes, theirs: bytes, *, swapped: bool = False, inner: bool = False
    ) -> None:
        # `ours_time` and `theirs_time` stay unset: the first look at one of them ends in __getattr__.
        self._git_dir = git_dir
        self._path = path
        self._contents = (ours, theirs)
        self._swapped = swapped
        self.inner = inner
        self.ours_unpushed = False
        self.theirs_unpushed = False
        self.commits: tuple[str, str] | None = None

    def __getattr__(self, name: str) -> int | None:
        if name not in ("ours_time", "theirs_time"):
            raise AttributeError(name)
        self.ours_time, self.theirs_time = self._times()
        return self.ours_time if name == "ours_time" else self.theirs_time

    def loser(self, kept: str) -> str:
        """Say which version gave way, and by what measure it did when the commits are unknown."""
        if self.commits is None:
            side = {"ours": "theirs", "theirs": "ours"}[kept]
            if self._swapped:
                side = kept
            return f'the version that git calls "{side}" gave way and stays in history'
        return f"the version of {self.commits[kept == 'ours'][:10]} gave way and stays in history"

    def _times(self) -> tuple[int | None, int | None]:
        if self._git_dir is None or self.inner:
            return None, None
        from soulsync.repo.light import FailedError

        try:
            self.commits = self._identify(self._git_dir)
            return _changed(self._git_dir, self._path, *self.commits) if self.commits else (None, None)
        except FailedError:  # a damaged or foreign repository: the file is merged all the same
            self.commits = None
            return None, None

    def _identify(self, git_dir: str) -> tuple[str, str] | None:
        """Find the pair of commits that holds exactly what is being merged."""
        from soulsync.merge.newest import blob_id

        pairs = [(b, a) if self._swapped else (a, b) for a, b in _candidates(git_dir)]
        wanted = [blob_id(data).hex() for data in self._contents]
        found = _resolve(git_dir, self._path, [commit for pair in pairs for commit in pair])
        for pair in pairs:
            held = [found.get(commit) for commit in pair]
            if [entry and entry[1] for entry in held] == wanted:
                ours, theirs = (entry[0] for entry in held if entry)
                return ours, theirs
        return None


def in_rebase(git_dir: str | None) -> bool:
    """Whether a rebase is under way: then the side that git calls "theirs" is this body's own commit."""
    if git_dir is None:
        return False
    return os.path.isdir(f"{git_dir}/rebase-merge") or os.path.isfile(f"{git_dir}/rebase-apply/rebasing")  # noqa: PTH112, PTH113


def _candidates(git_dir: str) -> Iterator[tuple[str, str]]:
    """Give the pairs of commits that may be the two sides, in git's own naming, the surest first."""
    given = os.environ.get("SOULSYNC_OURS", ""), os.environ.get("SOULSYNC_THEIRS", "")
    if all(_is_id(commit) for commit in given):
        yield given
    heads = [name[len("GITHEAD_") :] for name in os.environ if name.startswith("GITHEAD_")]
    picked = (
        *(heads if len(heads) == 1 else ()),
        _word(read_text(f"{git_dir}/rebase-merge/done").rstrip("\n").rpartition("\n")[2], 1),
        _word(read_text(f"{git_dir}/rebase-apply/original-commit"), 0),
        _word(read_text(f"{git_dir}/sequencer/todo").partition("\n")[0], 1),
    )
    for commit in picked:
        if _is_id(commit):
            yield "HEAD", commit
    yield "HEAD", "refs/stash"


def _resolve(git_dir: str, path: str, commits: list[str]) -> dict[str, tuple[str, str]]:
    """Look up, for each name of a commit, its full id and the id of its ``path``; what does not exist is left out."""
    if "\n" in path:
        return {}
    from soulsync.repo.light import ask

    names = list(dict.fromkeys(commits))
    lines = [line for name in names for line in (f"{name}^{{commit}}", f"{name}:{path}")]
    text = os.fsencode("\n".join(lines) + "\n")
    out = ask(git_dir, _CONFIG, "cat-file", "--batch-check=%(objectname)", text=text)
    answers = [line if _is_id(line) else None for line in os.fsdecode(out).split("\n")]
    pairs = zip(names, answers[::2], answers[1::2], strict=False)
    return {name: (commit, blob) for name, commit, blob in pairs if commit and blob}


def _changed(git_dir: str, path: str, ours: str, theirs: str) -> tuple[int | None, int | None]:
    """Tell when each side, and not the other, last changed ``path`` against all parents (soul-repo-v4 §4 rule 3).

    ``-c`` lists a path of a merge only where it differs from every parent; ``--full-history`` walks every parent. One
    walk for both sides: ``%m`` says of which one a commit is.
    """
    from soulsync.repo.light import ask

    argv = ("log", "--full-history", "-c", "--raw", "-z", "--no-renames", "--no-abbrev", "--no-color", "--left-right")
    out = ask(git_dir, _CONFIG, *argv, "--format=@%m %ct", f"{ours}...{theirs}", "--", path)
    latest: dict[bytes, int] = {}
    side, time = b"", 0
    tokens = iter(out.split(b"\0"))
    for token in tokens:
        token = token.lstrip(b"\n")
        if token.startswith(b"@"):
            side, time = token[1:2], int(token[3:])
        elif token.startswith(b":"):
            latest[side] = max(time, latest.get(side, time))
            next(tokens, b"")  # the path, which may begin with any sign
    return latest.get(b"<"), latest.get(b">")


def _is_id(text: str) -> bool:
    """Whether ``text`` is an object id, whole or shortened as in a rebase's list."""
    return 4 <= len(text) <= 64 and all(c in "0123456789abcdef" for c in text)


def _word(line: str, index: int) -> str:
    words = line.split()
    return words[index] if len(words) > index and (index == 0 or words[0] not in ("revert", "merge")) else ""
