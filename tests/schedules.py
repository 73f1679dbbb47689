"""Programs that start others by the clock, as a test needs them: real executables that keep what they are told.

The machine's own crontab and user manager are never touched: these stand before them on the PATH.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from typing import TYPE_CHECKING

from soulsync.body.schedule import jitter

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bodies import Body

CRONTAB = """\
#!/bin/sh
table={table}
case "$1" in
    -l) [ -f "$table" ] && exec cat "$table"; echo "no crontab for $(id -un)" >&2; exit 1 ;;
    -r) [ -f "$table" ] && exec rm "$table"; echo "no crontab for $(id -un)" >&2; exit 1 ;;
    -)
        cat >"$table.new"
        if [ -s "$table.new" ] && [ "$(tail -c 1 "$table.new" | od -An -c | tr -d ' ')" != '\\n' ]; then
            echo 'new crontab file is missing newline before EOF, can'"'"'t install.' >&2
            exit 1
        fi
        exec mv "$table.new" "$table" ;;
esac
exit 2
"""
"""Vixie cron's ``crontab`` with the table in a file of the test."""

TOLD = """\
#!/bin/sh
printf '%s\\n' "$*" >>{log}
{rest}
"""


class Clockwork:
    """A folder of such programs, for the PATH of a body."""

    def __init__(self, folder: Path, *programs: str) -> None:
        folder.mkdir(parents=True)
        self.folder, self.table = folder, folder / "table"
        self.path = f"{folder}:{os.environ['PATH']}"
        for program in programs:
            self.add(program)

    def add(self, name: str, rest: str = "exit 0") -> None:
        """Give the machine a program: ``crontab`` keeps a table, any other one notes how it was called."""
        quoted = {"table": shlex.quote(str(self.table)), "log": shlex.quote(str(self.folder / f"{name}.log"))}
        text = CRONTAB.format(**quoted) if name == "crontab" else TOLD.format(**quoted, rest=rest)
        file = self.folder / name
        file.write_text(text)
        file.chmod(0o755)

    def told(self, name: str) -> list[str]:
        """How a program was called, one line each."""
        log = self.folder / f"{name}.log"
        return log.read_text().splitlines() if log.exists() else []

    def lines(self) -> list[str]:
        """The lines of the crontab that run soulsync."""
        table = self.table.read_text(errors="surrogateescape") if self.table.exists() else ""
        return [line for line in table.splitlines() if "-m soulsync" in line]


def at(body: Body, clockwork: Clockwork) -> Body:
    """The body on a machine with this clockwork."""
    body.env["PATH"] = clockwork.path
    return body


def command_of(line: str) -> str:
    """What cron runs for a line of a crontab: the rest after five fields, ``\\%`` as ``%``."""
    return line.split(" ", 5)[5].replace("\\%", "%")


def by_cron(line: str, *env: str) -> subprocess.CompletedProcess[str]:
    """Run the line as cron does, but in an environment that holds ``env`` alone."""
    argv = ["/usr/bin/env", "-i", *env, "/bin/sh", "-c", command_of(line)]
    return subprocess.run(
        argv, cwd="/", capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, check=False
    )


def at_once(line: str) -> str:
    """The line without the pause that keeps machines apart."""
    return re.sub(r" --scheduled \d+ ", " --scheduled 0 ", line)


def punctual(agent: str = "kaoru") -> str:
    """A name for a body whose turn comes at the full minute, so that no test waits for it."""
    return next(name for name in (f"body{n}" for n in range(1000)) if jitter.pause(agent, name, 300) == 0)
