"""What a schedule runs: one sync of one agent, by absolute paths, in an environment that may be empty."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from soulsync.body.schedule import jitter, programs
from soulsync.errors import SoulSyncError, UsageError
from soulsync.lang import tr

if TYPE_CHECKING:
    from soulsync.body.home import Home


@dataclass(frozen=True, slots=True)
class Job:
    """The recurring sync of one body: ``every`` seconds. ``python`` is the interpreter that runs it."""

    home: Home
    body: str
    every: int
    python: str = sys.executable

    @property
    def name(self) -> str:
        """The name under which the machine keeps it."""
        return name_of(self.home)

    @property
    def offset(self) -> int:
        """Seconds after the beginning of each interval."""
        return jitter.offset(self.home.agent, self.body, self.every)

    @property
    def pause(self) -> int:
        """Seconds that the run itself waits, where what starts it counts minutes."""
        return jitter.pause(self.home.agent, self.body, self.every)

    def words(self, pause: int) -> list[str]:
        """The command, word by word.

        Nothing is left to HOME, PATH or SOULSYNC_HOME: cron has its own (jonatanpedersen/git-json-merge#22,
        Shippable/support#2352). ``-P``: cron starts in the user's home, where a ``json.py`` may lie.
        """
        where = ["--home", str(self.home.root.parent), "--agent", self.home.agent]
        return [self.python, "-P", "-m", "soulsync", *where, "sync", "--quiet", "--scheduled", str(pause)]

    def check(self) -> None:
        """Raise ``UsageError`` (2) for a path that no schedule can hold, ``SoulSyncError`` where soulsync won't start.

        It is started as cron starts it, with an empty environment, so that what is scheduled is known to run.
        """
        for word in self.words(0):
            if not word.isprintable():
                raise UsageError(
                    tr("{path!r} holds a character that a schedule can't hold.", path=word),
                    tr("Choose another --home."),
                )
        done = programs.run([self.python, "-P", "-m", "soulsync", "--version"], env={})
        if done.code != 0:
            said = done.err.splitlines()[-1] if done.err else tr("status {code}", code=done.code)
            raise SoulSyncError(
                tr("In an empty environment soulsync does not start: {said}.", said=said),
                tr("Install it with pipx, uv or pip rather than by PYTHONPATH."),
            )


def name_of(home: Home) -> str:
    """The name of an agent's schedule: the agent, and a mark of the folder where that is not the usual one."""
    base = home.root.parent
    if base == Path("~/.soulsync").expanduser():
        return home.agent
    return f"{home.agent}.{hashlib.sha256(os.fsencode(base)).hexdigest()[:8]}"


def search_path() -> str:
    """Where a scheduled run finds git and ssh: what cron and launchd call PATH lacks Homebrew's and Termux's folders.

    Raises ``SoulSyncError`` where there is no git.
    """
    found = [shutil.which(program) for program in ("git", "ssh")]
    if found[0] is None:
        raise SoulSyncError(tr("The program git is missing."), tr("Install git."))
    folders = [str(Path(program).absolute().parent) for program in found if program is not None]
    return os.pathsep.join(dict.fromkeys([*folders, "/usr/local/bin", "/usr/bin", "/bin"]))
