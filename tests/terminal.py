"""A program on a terminal of its own: a pty with a size, read as it comes, answered as a person does."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

LIMIT = 90
"""Seconds after which a program counts as hanging."""
AGAIN = 5
"""Seconds after which a person presses a key again."""
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Terminal:
    """Runs ``argv``; ``printed`` is all that it printed, ``seen`` the same without cursor movements and colours."""

    def __init__(self, argv: Sequence[str], *, env: Mapping[str, str], cwd: Path, columns: int = 80) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        kept = {name: value for name, value in env.items() if name not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            argv, stdin=slave, stdout=slave, stderr=slave, cwd=cwd, env={**kept, "TERM": "xterm"},
            start_new_session=True, preexec_fn=_take_terminal,
        )  # fmt: skip
        os.close(slave)
        self._raw = b""

    @property
    def printed(self) -> bytes:
        return self._raw

    @property
    def seen(self) -> str:
        return _ESCAPES.sub("", self._raw.decode("utf-8", "replace"))

    def until(self, text: str) -> str:
        """Read until ``text`` was printed; all that was seen."""
        while text not in self.seen:
            assert self._more(), f"it ended without {text!r}: {self.seen}"
        return self.seen

    def answer(self, text: str) -> None:
        os.write(self._master, text.encode())

    def interrupt(self) -> int:
        """Press Ctrl-C, and again where nothing comes of it, as a person does; the exit code.

        Python drops an interrupt that meets a destructor or an import, and a program that waits would go on.
        """
        limit = time.monotonic() + LIMIT
        while time.monotonic() < limit:
            self.answer("\x03")
            again = time.monotonic() + AGAIN
            while time.monotonic() < again:
                if not self._more():
                    return self.process.wait(LIMIT)
        raise AssertionError(f"it goes on: {self.seen}")

    def end(self) -> int:
        """Read until it ends; its exit code."""
        while self._more():
            pass
        return self.process.wait(LIMIT)

    def _more(self) -> bool:
        deadline = time.monotonic() + LIMIT
        ready, _, _ = select.select([self._master], [], [], deadline - time.monotonic())
        assert ready, f"it hangs: {self.seen}"
        try:
            chunk = os.read(self._master, 65536)
        except OSError:  # Linux tells the end of a terminal so
            return False
        self._raw += chunk
        return bool(chunk)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(LIMIT)
        os.close(self._master)


def _take_terminal() -> None:
    """Make standard input the terminal of the new session, so that Ctrl-C reaches the program."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
