"""Which repository a program that git started is in, found without starting git; light enough for driver and hooks."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path


def git_dir() -> str | None:
    """Find the git directory: git starts its helpers at the top of the work tree, or in the bare repository itself."""
    given = os.environ.get("GIT_DIR")
    if given:
        return os.path.abspath(given)  # noqa: PTH100 - pathlib takes 14 ms to import
    here = os.path.abspath(".git")  # noqa: PTH100
    if os.path.isdir(here):  # noqa: PTH112
        return here
    text = read_text(here)  # a linked work tree or a submodule has a file that names its git directory
    if text.startswith("gitdir: "):
        return os.path.abspath(text[8:].rstrip("\n"))  # noqa: PTH100
    return os.getcwd() if os.path.isdir("objects") and os.path.isfile("HEAD") else None  # noqa: PTH109, PTH112, PTH113


def common_dir(git_dir: Path | str) -> str:
    """Give the directory that a linked work tree shares with its clone; for an ordinary one ``git_dir`` itself."""
    link = read_text(f"{git_dir}/commondir").rstrip("\n")
    return os.path.realpath(os.path.join(git_dir, link))  # noqa: PTH118


def read_text(name: str) -> str:
    """Read a small file of git's; nothing where there is none. Bytes that are not UTF-8 become surrogates."""
    try:
        with open(name, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return ""
