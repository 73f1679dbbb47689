"""The figures as a table in Markdown, wide or not; the last column says whether the target is met."""

from __future__ import annotations

import os
import platform
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench_lib.figure import Row

HEAD = ("what", "reference", "takes", "soulsync takes", "ratio (of minima)", "target", "met")


def line(row: Row) -> str:
    """One row."""
    return "| " + " | ".join(row.row()) + " |"


def head() -> str:
    """The first two lines."""
    return "| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD)


def machine() -> str:
    """What it ran on, and how busy that was."""
    git, ssh = (_said(*argv) for argv in (("git", "--version"), ("ssh", "-V")))
    load = f"{os.getloadavg()[0]:.1f}"
    here = f"{platform.platform()}, {os.cpu_count()} processors, load {load}"
    return f"{here}; Python {platform.python_version()}, {git}, {ssh}"


def _said(*argv: str) -> str:
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    return (done.stdout or done.stderr).strip()
