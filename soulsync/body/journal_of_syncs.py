"""``sync.log``: one line per sync, bounded in size."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from soulsync.body.present import now
from soulsync.files import write_durably

if TYPE_CHECKING:
    from soulsync.body.home import Home
    from soulsync.body.result import SyncResult

MAX_BYTES = 256 * 1024
"""When the log grows past this, its older half goes."""


def note(home: Home, result: SyncResult) -> None:
    """Add one line; a log that can't be written stops no sync."""
    line = f"{now()} {result.outcome} {(result.head or '-')[:12]} attempts={result.attempts} seconds={result.seconds}"
    if result.error:
        line += " error=" + " ".join("".join(c if c.isprintable() else " " for c in result.error).split())
    try:
        with os.fdopen(os.open(home.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600), "ab") as log:
            log.write(line.encode("utf-8", "replace") + b"\n")
            size = log.tell()
        if size > MAX_BYTES:
            write_durably(home.log, home.log.read_bytes()[-MAX_BYTES // 2 :].partition(b"\n")[2])
    except OSError:
        pass
