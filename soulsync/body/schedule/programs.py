"""The one place that runs what starts other programs: crontab, systemctl, loginctl, launchctl."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from soulsync.errors import SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SECONDS = 30.0
"""Time limit of each call; a systemd that is stuck answers after 25 s."""


class Done(NamedTuple):
    """How a program ended: its exit ``code``, ``out`` as bytes, ``err`` as text."""

    code: int
    out: bytes
    err: str


def there(name: str) -> bool:
    """Whether this machine has the program."""
    return shutil.which(name) is not None


def run(argv: Sequence[str], *, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Done:
    """Run a program to its end, with messages in English and ``stdin`` as its input.

    Raises ``SoulSyncError`` when it is missing or gives no answer in time.
    """
    environment = {**os.environ, "LC_ALL": "C"} if env is None else dict(env)
    try:
        done = subprocess.run(
            list(argv), input=stdin, env=environment, cwd="/", capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise SoulSyncError(
            tr("{program} gave no answer within {seconds:.0f} seconds.", program=argv[0], seconds=SECONDS),
            tr("Try again."),
        ) from None
    except OSError as e:
        raise SoulSyncError(
            tr("{program} can't be run: {reason}.", program=argv[0], reason=e.strerror or str(e)),
            tr("Install it, or choose another --backend."),
        ) from e
    return Done(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip())
