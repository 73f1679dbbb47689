"""What it takes to end a process, for the type checker alone."""

from __future__ import annotations

from typing import Protocol


class Started(Protocol):
    """The part of ``subprocess.Popen`` that ``stop`` needs; ``pid`` leads a session."""

    pid: int

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; the exit status. Raises ``subprocess.TimeoutExpired``."""
