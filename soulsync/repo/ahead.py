"""Questions that git is asked before the answers are needed, so that it thinks while we do something else.

Without :mod:`subprocess`, as :mod:`soulsync.repo.light`. Only for commands that change nothing: one that fails, or
takes long, counts as not asked, and whoever wants its answer asks again and hears why.
"""

from __future__ import annotations

import os
import select
import time

from soulsync.repo import light

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PATIENCE = 5.0
"""Seconds that an answer is waited for."""


class Question:
    """A command of git that runs in the folder ``cwd``. Raises ``OSError`` where git can't be started."""

    __slots__ = ("_out", "_pid")

    def __init__(self, args: tuple[str, ...], cwd: str, env: Mapping[str, str]) -> None:
        self._out, into = os.pipe()
        try:
            self._pid = light.start(["git", "-C", cwd, *args], env, {1: into})
        except OSError:
            os.close(self._out)
            raise
        finally:
            os.close(into)

    def answer(self) -> bytes | None:
        """What it printed; None where it failed or takes too long."""
        end, parts = time.monotonic() + PATIENCE, []
        try:
            while select.select([self._out], [], [], max(0.0, end - time.monotonic()))[0]:
                parts.append(os.read(self._out, 1 << 16))
                if not parts[-1]:
                    return b"".join(parts) if self._ended() else None
        finally:
            self.stop()
        return None

    def _ended(self) -> bool:
        pid, self._pid = self._pid, 0
        return os.waitpid(pid, 0)[1] == 0

    def stop(self) -> None:
        """End it, where it runs still."""
        if self._out >= 0:
            os.close(self._out)
            self._out = -1
        if self._pid:
            os.killpg(self._pid, 15)
            self._ended()
