"""The merge driver: what git runs for one file that both sides of a merge changed.

Three layers: bytes to bytes is :func:`soulsync.merge.rules.merge_file`, :func:`merge_files` reads three files and
replaces one, :func:`run` and :func:`main` are the command line. Standard library only, and little of it: git starts
this once per file. Nothing is written but the file of our side, nothing goes to stdout (``git merge-tree`` has its
machine-readable output there), and ``git log --remerge-diff`` runs it too.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from soulsync.driver_sides import History
    from soulsync.merge.result import Merged

LIMIT = 60.0
"""Seconds for one file. Git has no limit of its own and holds ``index.lock`` while it waits."""
MARKER_SIZE = 7
USAGE = "usage: soulsync-merge RULE BASE OURS THEIRS [PATH] [MARKER_SIZE]"
DEFAULT_PATHS = {
    "soul-entries": "memories/MEMORY.md",
    "soul-agent": "agent.json",
    "soul-lease": "locks/consolidation.json",
}
"""What a rule merges when no path is given; for the others any note will do."""


class Files:
    """The three files git made, the ``path`` they stand for, and the ``marker_size`` that tells how deep a merge is."""

    __slots__ = ("base", "marker_size", "ours", "path", "theirs")

    def __init__(self, base: str, ours: str, theirs: str, path: str, marker_size: int = MARKER_SIZE) -> None:
        self.base = base
        self.ours = ours
        self.theirs = theirs
        self.path = path
        self.marker_size = marker_size

    @property
    def inner(self) -> bool:
        """Whether the sides are merge bases themselves: git adds 2 to the marker size per level (1 means a rename)."""
        return self.marker_size >= MARKER_SIZE + 2


def main(argv: list[str] | None = None) -> int:
    """``soulsync-merge``: 0 merged, 1 both sides stand in OURS between conflict markers, 2 wrong usage."""
    return run(sys.argv[1:] if argv is None else argv)[0]


def run(argv: list[str]) -> tuple[int, bool]:
    """Merge as the arguments say; gives the exit status, and whether OURS holds what it should."""
    if len(argv) < 4:
        _say(USAGE)
        return 2, False
    rule = argv[0]
    path = argv[4] if len(argv) > 4 and argv[4] else DEFAULT_PATHS.get(rule, "notes/untitled.md")
    size = int(argv[5]) if len(argv) > 5 and argv[5].isdecimal() else MARKER_SIZE
    files = Files(argv[1], argv[2], argv[3], path, size)

    from soulsync.merge.rules import MODULES

    if rule not in MODULES:
        _say(f"soulsync: no merge rule is called {rule}. The rules are {', '.join(MODULES)}.")
        return 2, _keep_both(files)
    return merge_files(rule, files)


def merge_files(rule: str, files: Files, limit: float = LIMIT) -> tuple[int, bool]:
    """Merge the three files into OURS, within ``limit`` seconds; the result is like that of :func:`run`.

    A fault leaves both sides whole in OURS, between conflict markers, and is status 1: an untouched OURS would be taken
    for a merge by the next ``git add`` (kenn-io/kwt#112).
    """
    try:
        with _Deadline(limit):
            _merge(rule, files)
    except Exception as e:
        if os.environ.get("SOULSYNC_DEBUG") == "1":
            raise
        _say(f"soulsync: {files.path}: {type(e).__name__}: {e}. Both sides are in the file; choose and commit.")
        return 1, _keep_both(files)
    return 0, True


def _merge(rule: str, files: Files) -> None:
    from soulsync.driver_sides import History, in_rebase
    from soulsync.merge.rules import merge_file
    from soulsync.repo.whereabouts import git_dir

    base, ours, theirs = (_read(name) for name in (files.base, files.ours, files.theirs))
    repository = git_dir()
    # In a rebase git calls the new upstream "ours" and my own commit "theirs"; local is what this body committed.
    swapped = in_rebase(repository)
    mine, other = (theirs, ours) if swapped else (ours, theirs)
    history = History(repository, files.path, mine, other, swapped=swapped, inner=files.inner)
    # git gives an empty file for a base that is not there; an empty base and none mean the same to every rule.
    merged = merge_file(rule, files.path, base or None, mine, other, history)
    data = merged.data or b""
    if data != ours:
        _replace(files.ours, data)
    if not files.inner:
        _report(files.path, merged, history)


def _report(path: str, merged: Merged, history: History) -> None:
    notes = list(merged.faults)
    if merged.kept in ("ours", "theirs"):
        notes.append(history.loser(merged.kept))
    if notes:
        _say(f"soulsync: {path}: {'; '.join(note.rstrip('.') for note in notes)}.")


class DeadlineError(Exception):
    """The merge of one file took too long."""


class _Deadline:
    """Interrupts the block after some seconds; for the main thread alone, like all signals.

    ``_signal`` is the C module below ``signal``, which imports ``enum`` and takes 6 ms of the 16 that a start takes.
    """

    __slots__ = ("_former", "_seconds")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        import _signal  # type: ignore[import-not-found]  # typeshed knows the public module alone

        self._former: Callable[..., object] | int | None = _signal.signal(_signal.SIGALRM, self._expired)
        _signal.setitimer(_signal.ITIMER_REAL, self._seconds)

    def __exit__(self, *_: object) -> None:
        import _signal

        _signal.setitimer(_signal.ITIMER_REAL, 0)
        _signal.signal(_signal.SIGALRM, self._former)

    def _expired(self, _number: int, _frame: object) -> None:
        raise DeadlineError(f"not merged within {self._seconds:g} seconds")


def _keep_both(files: Files) -> bool:
    """Write both sides whole into OURS, between conflict markers; whether that worked."""
    try:
        base, ours, theirs = (_read(name) for name in (files.base, files.ours, files.theirs))
        _replace(files.ours, conflict(base, ours, theirs, files.marker_size))
    except OSError as e:
        _say(f"soulsync: {files.path}: {e.strerror}: {e.filename}. Nothing was written.")
        return False
    return True


def conflict(base: bytes, ours: bytes, theirs: bytes, size: int = MARKER_SIZE) -> bytes:
    """Give the text in which a person finds all three versions, in git's own notation."""
    parts = ((b"<", b" ours", ours), (b"|", b" base", base), (b"=", b"", theirs))
    text = b"".join(sign * size + label + b"\n" + _whole_lines(data) for sign, label, data in parts)
    return text + b">" * size + b" theirs\n"


def _whole_lines(data: bytes) -> bytes:
    return data if not data or data.endswith(b"\n") else data + b"\n"


def _read(name: str) -> bytes:
    with open(name, "rb") as file:  # noqa: PTH123 - pathlib would double the start-up time
        return file.read()


def _replace(name: str, data: bytes) -> None:
    """Put ``data`` in the place of a file in one step; git opens the file again by its name."""
    temporary = f"{name}.soulsync-{os.getpid()}"
    try:
        with open(temporary, "xb") as file:  # noqa: PTH123
            file.write(data)
        os.chmod(temporary, os.stat(name).st_mode & 0o7777)  # noqa: PTH101, PTH116
        os.replace(temporary, name)  # noqa: PTH105
    except BaseException:
        if os.path.exists(temporary):  # noqa: PTH110
            os.unlink(temporary)  # noqa: PTH108
        raise


def _say(line: str) -> None:
    sys.stderr.write(line.replace("\n", " ") + "\n")
