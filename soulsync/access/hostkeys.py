"""The server's host keys: pinned at first contact in the body's own known_hosts, never changed silently (§7).

Every key type of the server is stored, so that a server which later prefers another type is still known.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING

from soulsync.access.key import fingerprint_of
from soulsync.access.ssh import detour, keyscan
from soulsync.errors import RefusedError
from soulsync.files import write_durably
from soulsync.lang import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from soulsync.access.address import Remote

SSH_PORT = 22


@dataclass(frozen=True, slots=True)
class HostKey:
    """One public host key: its type (``ssh-ed25519``) and its base64 text, as in known_hosts."""

    kind: str
    base64: str

    @property
    def fingerprint(self) -> str:
        """``SHA256:…`` as ssh shows it."""
        return fingerprint_of(base64.b64decode(self.base64))


def host_name(remote: Remote, *, port_443: bool = False) -> str:
    """The name under which known_hosts holds the server: ``host``, or ``[host]:port`` for another port than 22."""
    host, port = _endpoint(remote, port_443)
    return host if port == SSH_PORT else f"[{host}]:{port}"


def pinned(known_hosts: Path, remote: Remote, *, port_443: bool = False) -> list[HostKey]:
    """The keys that ``known_hosts`` holds for the server; none when the file is missing. Hashed names are read too."""
    name = host_name(remote, port_443=port_443)
    return [key for names, key in _entries(_read(known_hosts)) if _names_match(names, name)]


def scan(remote: Remote, timeout: int = 10, *, port_443: bool = False) -> list[HostKey]:
    """The host keys that the server shows now, one per type.

    Raises OfflineError when it shows none within ``timeout`` seconds per type.
    """
    host, port = _endpoint(remote, port_443)
    lines = keyscan(host, port, timeout).decode("utf-8", "replace")
    keys = {key for _, key in _entries(lines)}
    return sorted(keys, key=lambda key: (key.kind != "ssh-ed25519", key.kind))


def pin(known_hosts: Path, remote: Remote, keys: Iterable[HostKey], *, port_443: bool = False) -> None:
    """Make ``keys`` the server's only pinned keys, in one step; other servers' lines stay as they are."""
    name = host_name(remote, port_443=port_443)
    kept = [line for line in _read(known_hosts).splitlines() if not _is_about(line, name)]
    lines = [*kept, *(f"{name} {key.kind} {key.base64}" for key in keys)]
    write_durably(known_hosts, "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))


def trust(
    known_hosts: Path, remote: Remote, fingerprint: str, timeout: int = 10, *, port_443: bool = False
) -> list[HostKey]:
    """Pin the one key with this ``fingerprint``, provided that the server shows it now; as a list of one.

    Nothing else that is shown is pinned: ssh-keyscan does not see whether the server holds the private half, so the
    key that the person looked at may come with another one that is somebody else's. Raises RefusedError when the
    server shows other keys, OfflineError when it shows none.
    """
    keys = scan(remote, timeout, port_443=port_443)
    shown = [key.fingerprint for key in keys]
    if fingerprint not in shown:
        raise RefusedError(
            tr(
                "{where} shows {shown}, not {fingerprint}.",
                where=remote.where,
                shown=", ".join(shown),
                fingerprint=fingerprint,
            ),
            tr("Ask the server's owner for the fingerprint."),
        )
    trusted = [key for key in keys if key.fingerprint == fingerprint]
    pin(known_hosts, remote, trusted, port_443=port_443)
    return trusted


def explain_change(
    known_hosts: Path, remote: Remote, shown: Sequence[HostKey], *, port_443: bool = False
) -> RefusedError:
    """The refusal that names the pinned fingerprints and those ``shown`` now."""
    old = [key.fingerprint for key in pinned(known_hosts, remote, port_443=port_443)]
    return explain_host_key(old, [key.fingerprint for key in shown if key.fingerprint not in old], remote)


def explain_host_key(old: Sequence[str], new: Sequence[str], remote: Remote) -> RefusedError:
    """The refusal of a host key that is not the pinned one; ``old`` and ``new`` are fingerprints ``SHA256:…``."""
    if not old:
        problem = tr("The host key of {where} is not pinned.", where=remote.where)
        if new:
            problem = tr(
                "The host key of {where} is not pinned (it shows {new}).", where=remote.where, new=", ".join(new)
            )
    else:
        shown = tr(", shown now {new}", new=", ".join(new)) if new else ""
        problem = tr(
            "The host key of {where} has changed: pinned {old}{shown}.",
            where=remote.where,
            old=", ".join(old),
            shown=shown,
        )
    wanted = new[0] if new else "FINGERPRINT"
    return RefusedError(
        problem,
        tr(
            "If the server's owner confirms the new one: soulsync key trust-host {wanted}; otherwise stop here.",
            wanted=wanted,
        ),
    )


def _endpoint(remote: Remote, port_443: bool) -> tuple[str, int]:
    if port_443:
        return detour(remote)
    return (remote.host or "").lower(), remote.port or SSH_PORT


def _read(known_hosts: Path) -> str:
    try:
        return known_hosts.read_text("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""


def _entries(text: str) -> list[tuple[str, HostKey]]:
    """(names, key) of each plain line; comments, markers (``@revoked``) and damaged lines are passed over."""
    found = []
    for line in text.splitlines():
        words = line.split()
        if len(words) >= 3 and words[0][0] not in "#@" and _is_base64(words[2]):
            found.append((words[0], HostKey(words[1], words[2])))
    return found


def _is_about(line: str, name: str) -> bool:
    words = line.split()
    return len(words) >= 3 and words[0][0] not in "#@" and _names_match(words[0], name)


def _names_match(names: str, name: str) -> bool:
    return any(_hash_matches(each, name) if each.startswith("|1|") else each == name for each in names.split(","))


def _hash_matches(hashed: str, name: str) -> bool:
    """Whether ``|1|salt|hash`` (``HashKnownHosts``) stands for ``name``: HMAC-SHA1 with the salt as key."""
    try:
        _, _, salt, digest = hashed.split("|")
        made = hmac.new(base64.b64decode(salt), name.encode(), hashlib.sha1).digest()
        return hmac.compare_digest(made, base64.b64decode(digest))
    except ValueError:
        return False


def _is_base64(text: str) -> bool:
    try:
        return bool(base64.b64decode(text, validate=True))
    except ValueError:
        return False
