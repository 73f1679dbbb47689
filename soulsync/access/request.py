"""What a client may ask of a git server by SSH, and how a repository is named there. Pure functions on text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from soulsync.errors import UsageError
from soulsync.lang import tr

_SEGMENT = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
_NAME = re.compile(rf"{_SEGMENT}(?:/{_SEGMENT}){{0,2}}")
_COMMAND = re.compile(r"git[- ](upload-pack|receive-pack) '([^'\\!\x00-\x1f\x7f]*)'")
"""Exactly what git sends; a name that git would have to escape inside the quotes is no name here."""
_PROTOCOL = re.compile(r"version=[0-9]")


@dataclass(frozen=True, slots=True)
class Request:
    """One git service on one repository; ``repo`` is its name without ``.git``."""

    service: str
    repo: str

    @property
    def writes(self) -> bool:
        """Whether the service changes the repository."""
        return self.service == "receive-pack"


def parse_command(command: bytes) -> Request | None:
    """The request that an SSH ``exec`` command makes, or None for anything but git reading or writing a repository."""
    try:
        match = _COMMAND.fullmatch(command.decode("ascii"))
    except UnicodeDecodeError:
        return None
    if match is None:
        return None
    repo = _clean(match[2].removeprefix("/"))  # ssh://host/name.git sends /name.git: the root of the server
    return Request(match[1], repo) if repo is not None else None


def repo_name(text: str) -> str:
    """The name of a repository, ``[owner/]name`` without ``.git``. Raises UsageError when ``text`` is none."""
    repo = _clean(text)
    if repo is None:
        raise UsageError(
            tr("{text!r} can't name a repository.", text=text),
            tr("Use letters, digits, '.', '_', '-', at most two '/'."),
        )
    return repo


def protocol_of(value: bytes) -> str | None:
    """The value of ``GIT_PROTOCOL`` when it is one that git itself sends, else None."""
    text = value.decode("ascii", "replace")
    return text if _PROTOCOL.fullmatch(text) else None


def _clean(text: str) -> str | None:
    name = text.removesuffix(".git")
    if not _NAME.fullmatch(name) or ".." in name:
        return None
    # A folder "a.git" is a repository, never a folder of repositories.
    return None if any(part.endswith((".git", ".lock")) for part in name.split("/")) else name
