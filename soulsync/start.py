"""The script by which git starts the merge driver and the hooks: ``PYTHON -I -S …/start.py merge|hook ARGUMENTS``.

A script named by its path works from a virtual environment, a user install and a checkout alike, although ``-I`` and
``-S`` keep ``site-packages`` away: they save 10 ms a start, and a ``json.py`` lying in the soul is never imported. The
package's folder goes to the end of ``sys.path``, so that nothing beside it can stand in for the standard library. The
file is small because Python compiles a script anew at each start.
"""

from __future__ import annotations

import sys

SAFE = 3
"""Status of a merge that failed and left both sides in the file. Python's own faults (no such script: 2, an import that
fails: 1) must not look like it: the command line in the config then runs git's text merge."""


def main(argv: list[str]) -> int:
    """Run ``merge`` or ``hook`` with the arguments after it; gives the exit status."""
    sys.path.append(__file__.rpartition("/soulsync/")[0])
    if argv[:1] == ["hook"]:
        try:
            from soulsync.hooks import main as hook
        except ImportError as e:  # half an installation must not keep an agent from committing, but from pushing
            sys.stderr.write(f"soulsync: {e}. Run soulsync install.\n")
            return 1 if argv[1:2] == ["pre-push"] else 0
        return hook(argv[1:])
    from soulsync.driver import run

    status, safe = run(argv[1:])
    return SAFE if status and safe else status


def leave(code: int) -> None:
    """End the process without taking apart what the kernel takes back anyway: 2 ms a merged file, 20 ms a sync."""
    import os

    for stream in filter(None, (sys.stdout, sys.stderr)):  # None: closed before we began
        try:
            stream.flush()
        except (OSError, ValueError):  # nobody listens any more
            code = code or 1
    os._exit(code)


if __name__ == "__main__":
    leave(main(sys.argv[1:]))
