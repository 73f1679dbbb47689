"""``bodies/<body>.json``: where a soul lives, one file per body (soul-repo-v4 §3.5)."""

from __future__ import annotations

from soulsync.formats import json_text
from soulsync.formats.instants import instant, is_timestamp
from soulsync.formats.json_text import render
from soulsync.formats.text import Malformed
from soulsync.spec import is_body_name

__all__ = ["KINDS", "Malformed", "last_seen", "looks_like_address", "new", "parse", "problems", "render"]

KINDS = ("runtime", "bridge")
PROGRAMS = ("runtime", "framework", "bridge")
"""The fields that name the program in which the soul lives, with its version."""

_QUAD = r"(?<!\d)(\d{1,3})([.-])(\d{1,3})\2(\d{1,3})\2(\d{1,3})(?!\d)"
_MAC = r"(?<![0-9a-f])(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2})(?![0-9a-f])"
_COLONS = r"(?<![0-9a-z_])[0-9a-f:]+(?![0-9a-z_])"
_BARE_MAC = r"[0-9a-f]{12}"


def parse(data: bytes) -> dict[str, object]:
    """Read a body's file. Raises :class:`Malformed` for what is not one JSON object in UTF-8."""
    return json_text.parse_object(data)


def new(
    body: str,
    version: str,
    last_seen: str,
    *,
    framework: str | None = None,
    host: str | None = None,
    key_fingerprint: str | None = None,
) -> dict[str, object]:
    """Describe a body kept by soulsync ``version``; ``last_seen`` is a timestamp, ``framework`` what it bridges.

    Raises ``ValueError`` for a ``body`` that is no body name, and for a ``host`` that looks like an address.
    """
    if not is_body_name(body):
        raise ValueError(f"{body!r} is no name for a body: a-z, 0-9 and -, at most 40 characters")
    if host is not None and looks_like_address(host):
        raise ValueError("the host looks like a network address, which must not stand in a soul")
    optional = {"framework": framework, "host": host, "keyFingerprint": key_fingerprint}
    return {
        "body": body,
        "kind": "bridge",
        "bridge": f"soulsync/{version}",
        **{field: value for field, value in optional.items() if value is not None},
        "lastSeen": last_seen,
    }


def last_seen(body: dict[str, object]) -> int | None:
    """Give when the body was last seen, in microseconds since the epoch; None when the file does not tell."""
    return instant(body.get("lastSeen"))


def problems(body: dict[str, object], name: str) -> list[str]:
    """Name what §3.5 forbids in the file ``<name>.json``, one sentence each; unknown fields are free."""
    found = []
    if not is_body_name(name):
        found.append("the file name is not of the form [a-z0-9-], at most 40 characters")
    if body.get("body") != name:
        found.append("body is not the file name")
    if body.get("kind") not in KINDS:
        found.append("kind is neither runtime nor bridge")
    if not any(isinstance(body.get(program), str) for program in PROGRAMS):
        found.append("no runtime, framework or bridge is named")
    seen = body.get("lastSeen")
    if not isinstance(seen, str) or not is_timestamp(seen):
        found.append("lastSeen is not ISO 8601 in UTC with milliseconds and Z")
    host = body.get("host")
    if isinstance(host, str) and looks_like_address(host):
        found.append("host looks like a network address")
    return found


def looks_like_address(text: str) -> bool:
    """Whether ``text`` is or holds an IPv4, IPv6 or MAC address, also one worked into a host name (``ip-10-0-0-1``)."""
    import re

    text = text.strip().lower()
    quads = (quad.group(1, 3, 4, 5) for quad in re.finditer(_QUAD, text))
    if any(all(int(part) < 256 for part in quad) for quad in quads):
        return True
    if re.search(_MAC, text) or re.fullmatch(_BARE_MAC, text):
        return True
    return any(_is_ipv6(run) for run in re.findall(_COLONS, text) if run.count(":") >= 2)


def _is_ipv6(text: str) -> bool:
    import ipaddress

    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True
