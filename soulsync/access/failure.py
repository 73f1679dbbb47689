"""Why a network command of git failed, as one of the few kinds of failure (contract §2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from soulsync.access import wordings
from soulsync.access.hostkeys import explain_host_key, pinned
from soulsync.errors import DeniedError, OfflineError, RefusedError, SoulSyncError
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from soulsync.access.address import Remote

_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")


def classify(
    stderr: str,
    remote: Remote,
    *,
    known_hosts: Path | None = None,
    port_443: bool = False,
    timed_out: bool = False,
    step: str = "",
) -> SoulSyncError:
    """The failure that ``stderr`` of a git network command (run with ``LC_ALL=C``) tells of; the caller raises it.

    RefusedError: the host key is changed or unknown, or git calls objects broken. DeniedError: no access, or the key
    file is unusable. OfflineError: the server can't be reached, or went silent (``timed_out``) in the ``step`` that is
    named. SoulSyncError: anything else, with the last line that says something. ``known_hosts`` is read to name the
    pinned fingerprint of a changed key.
    """
    lines = _lines(stderr)
    text = "\n".join(lines).lower()
    if _any(text, wordings.CHANGED_KEY + wordings.UNKNOWN_KEY):
        return _host_key(text, stderr, remote, known_hosts, port_443)
    for matches, make in _RULES:
        line = _matching(lines, matches)
        if line is not None:
            return make(line, remote)
    if timed_out:
        return OfflineError(
            tr("{where} did not answer in time{step}.", where=remote.where, step=f" ({step})" if step else ""),
            _later(),
        )
    if wordings.NO_WORD in text and all(map(_is_noise, lines)):
        return _offline(tr("the connection was closed without a word"), remote)
    return SoulSyncError(
        tr("git failed at {where}: {lines}.", where=remote.where, lines=_telling(lines)),
        tr("Try again; `soulsync status` keeps this."),
    )


def _later() -> str:
    return tr("Local work is committed and safe; the next sync sends it.")


def _host_key(text: str, stderr: str, remote: Remote, known_hosts: Path | None, port_443: bool) -> SoulSyncError:
    new = list(dict.fromkeys(_FINGERPRINT.findall(stderr)))
    old = [key.fingerprint for key in pinned(known_hosts, remote, port_443=port_443)] if known_hosts else []
    if not old and _any(text, wordings.CHANGED_KEY):
        old = [tr("another key")]
    return explain_host_key(old, [print_ for print_ in new if print_ not in old], remote)


def _key_open(_line: str, _remote: Remote) -> SoulSyncError:
    return DeniedError(
        tr("The deploy key's file is open to others, so ssh ignores it."), tr("Close it with chmod 600.")
    )


def _key_bad(line: str, _remote: Remote) -> SoulSyncError:
    return DeniedError(
        tr("ssh can't use the deploy key: {line}.", line=line), tr("Make a new one with: soulsync key rotate.")
    )


def _read_only(line: str, remote: Remote) -> SoulSyncError:
    return DeniedError(
        tr(
            "The deploy key may only read {path} at {where}: {line}.",
            path=remote.path,
            where=remote.where,
            line=line,
        ),
        tr("Give it write access in the repository's settings (show it with: soulsync key show)."),
    )


def _denied(line: str, remote: Remote) -> SoulSyncError:
    return DeniedError(
        tr("No access to {path} at {where}: {line}.", path=remote.path, where=remote.where, line=line),
        tr("Add this body's deploy key to that repository, with write access (show it with: soulsync key show)."),
    )


def _not_found(line: str, remote: Remote) -> SoulSyncError:
    return DeniedError(
        tr(
            "{where} has no repository {path}, or hides it from this key: {line}.",
            where=remote.where,
            path=remote.path,
            line=line,
        ),
        tr("Check the address. If it is right, add this body's key to that repository; it opens no other one."),
    )


def _unsound(line: str, remote: Remote) -> SoulSyncError:
    return RefusedError(
        tr("The objects at {where} are damaged or forged: {line}.", where=remote.where, line=line),
        tr("Run `git fsck` there and find out who pushed them. What is committed here is safe."),
    )


def _offline(line: str, remote: Remote) -> SoulSyncError:
    return OfflineError(
        tr("{where} can't be reached: {line}.", where=remote.where, line=line),
        _later(),
    )


_RULES: tuple[tuple[Sequence[str], Callable[[str, Remote], SoulSyncError]], ...] = (
    (wordings.OPEN_KEY, _key_open),
    (wordings.READ_ONLY, _read_only),
    (wordings.BAD_KEY, _key_bad),
    (wordings.NOT_FOUND, _not_found),
    (wordings.NO_ACCESS, _denied),
    (wordings.OFFLINE, _offline),
    (wordings.UNSOUND, _unsound),
)
"""In this order: a refused key ends in a closed connection, so "closed" is asked after "denied"."""


def _lines(stderr: str) -> list[str]:
    """The lines of ``stderr``, without the prefix of the server's own and the last full stop."""
    found = []
    for line in re.split(r"[\r\n]+", stderr):
        line = "".join(c for c in line if c.isprintable()).strip().removeprefix("remote:").strip()
        if line:
            found.append(line.rstrip("."))
    return found


def _matching(lines: Sequence[str], texts: Sequence[str]) -> str | None:
    return next((line for line in lines if _any(line.lower(), texts) and not _is_verdict_on_a_ref(line)), None)


def _is_verdict_on_a_ref(line: str) -> bool:
    """Whether git reports on one ref (`` ! [remote rejected] main -> main (permission denied)``): not about access."""
    return line.startswith("! [")


def _telling(lines: Sequence[str]) -> str:
    said = [line for line in lines if not _is_noise(line)]
    return (said or list(lines) or [tr("no message")])[-1]


def _is_noise(line: str) -> bool:
    return line.lower().removeprefix("fatal: ").startswith(wordings.NOISE)


def _any(text: str, parts: Sequence[str]) -> bool:
    return any(part in text for part in parts)
