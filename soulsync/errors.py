"""The few ways in which soulsync can fail, each with its exit code and its remedy.

Exit codes are fixed by the contract: scripts depend on them.
"""

from __future__ import annotations


class SoulSyncError(Exception):
    """Something went wrong that a person should read about: one sentence, and what to do.

    ``outcome`` is the word that ``sync --json`` reports; ``exit_code`` the status of the process.
    """

    exit_code = 1
    outcome = "failed"

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        between = "" if self.problem.endswith("。") else " "  # a Chinese full stop brings its own space
        return f"{self.problem}{between}{self.remedy}".strip()


def system_problem(error: OSError) -> str:
    """What the operating system says, with the file it is about, as one clause."""
    name = error.filename.decode("utf-8", "replace") if isinstance(error.filename, bytes) else error.filename
    return f"{error.strerror or error}{f': {name}' if name else ''}"


class UsageError(SoulSyncError):
    """The command line asks for something that makes no sense (exit 2)."""

    exit_code = 2


class RefusedError(SoulSyncError):
    """A rule forbids it: not an SSH address, another agent's soul, foreign history, changed host key (exit 3)."""

    exit_code = 3
    outcome = "refused"


class DeniedError(SoulSyncError):
    """No access: the key is missing, its mode is too open, or the server rejects it (exit 4)."""

    exit_code = 4
    outcome = "denied"


class OfflineError(SoulSyncError):
    """The server can't be reached; local work is committed and safe (exit 5)."""

    exit_code = 5
    outcome = "offline"


class LeaseHeldError(SoulSyncError):
    """Another body holds the consolidation lease (exit 6)."""

    exit_code = 6


class BusyError(SoulSyncError):
    """Another soulsync is at work on this soul (exit 75, EX_TEMPFAIL)."""

    exit_code = 75
    outcome = "busy"
