"""One line on a terminal's standard error that counts down while a key is waited for; nothing in a pipe."""

from __future__ import annotations

import sys

from soulsync.lang import tr

_CLEAR = "\r\x1b[K"


class WaitingLine:
    """Shows how long the wait still goes on."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self._lit = False

    def waits(self, seconds_left: float) -> None:
        """Show the seconds that are left."""
        if self.quiet or not sys.stderr.isatty():
            return
        left = round(seconds_left)
        sys.stderr.write(_CLEAR + tr("waiting, {minutes}:{seconds:02d} left", minutes=left // 60, seconds=left % 60))
        sys.stderr.flush()
        self._lit = True

    def clear(self) -> None:
        """Take the line away, before anything else is said."""
        if self._lit:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
            self._lit = False
