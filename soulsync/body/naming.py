"""The names of an agent and of a body: what may stand, and what is proposed where nobody gave one."""

from __future__ import annotations

import os
import re
import socket
from typing import TYPE_CHECKING

from soulsync import spec
from soulsync.errors import UsageError
from soulsync.formats.body import looks_like_address
from soulsync.lang import tr
from soulsync.repo.paths import is_portable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from soulsync.access.address import Remote

_NO_NAMES = ("", "localhost", "localhost4", "localhost6")


def clean_name(text: str) -> str:
    """``text`` as a body or agent name: lower case, runs of anything but ``[a-z0-9]`` as one ``-``, at most 40."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40].strip("-")


def proposed_body() -> str:
    """A name for this body: the machine's own, cleaned.

    ``phone`` in Termux, where every machine is ``localhost``; ``body`` where the machine's name is an address or the
    id of a container, which must not stand in a soul (soul-repo-v4 §3.5), or names a device, as ``con``.
    """
    host = socket.gethostname().split(".")[0] if not looks_like_address(socket.gethostname()) else ""
    name = clean_name(host)
    if name in _NO_NAMES or looks_like_address(name) or not is_portable(name):
        return "phone" if os.environ.get("TERMUX_VERSION") else "body"
    return name


def check_body(name: str) -> str:
    """``name``, if a body may have it. Raises ``UsageError`` (2), with one that would do.

    Its journal and its registry file bear the name, so it is one that every system can hold.
    """
    if spec.is_body_name(name) and not is_portable(name):
        raise UsageError(
            tr("{name!r} is the name of a device on Windows, which can't hold such files.", name=name),
            tr("Choose another --body."),
        )
    if spec.is_body_name(name) and not looks_like_address(name):
        return name
    if spec.is_body_name(name):
        raise UsageError(
            tr("{name!r} looks like a network address, which must not stand in a soul.", name=name),
            tr("Choose another --body."),
        )
    cleaned = clean_name(name)
    usable = cleaned and not looks_like_address(cleaned) and is_portable(cleaned)
    example = cleaned if usable else proposed_body()
    raise UsageError(
        tr("{body!r} is no name for a body: a-z, 0-9 and -, at most 40 characters.", body=name),
        tr("Choose another, such as --body {example}.", example=example),
    )


def agent_name(wanted: str | None, remote: Remote | None) -> str:
    """The agent's name: ``wanted``, else ``kaoru`` of ``…/kaoru.soul.git``. Raises ``UsageError`` (2)."""
    name = wanted or (remote.repo_name if remote else "")
    if spec.is_agent_name(name):
        return name
    if not name:
        raise UsageError(tr("The agent has no name yet."), tr("Give one with --agent NAME."))
    example = clean_name(name)
    raise UsageError(
        tr("{name!r} is no name for an agent: a-z, 0-9 and -, at most 40 characters.", name=name),
        tr("Give one, such as --agent {example}.", example=example) if example else tr("Give one with --agent NAME."),
    )


def body_name(wanted: str | None, ask: Callable[[str], str] | None) -> str:
    """The body's name: ``wanted``, else what ``ask`` answers to the proposal, else the proposal."""
    if wanted is None:
        wanted = ask(proposed_body()) if ask is not None else proposed_body()
    return check_body(wanted)


def next_free(name: str, taken: Collection[str]) -> str:
    """``name`` with the first number, from 2 on, that nobody in ``taken`` has."""
    number = 2
    while f"{name[:36]}-{number}" in taken:
        number += 1
    return f"{name[:36]}-{number}"
