"""The whole file of the side whose commit is newer (soul-repo-v4 §4 rules 2, 3, 5, 9)."""

from __future__ import annotations

from soulsync import spec
from soulsync.formats.text import STRIP, is_blank, plain
from soulsync.merge.result import OURS, THEIRS, Merged, Sides


def merge(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None, sides: Sides) -> Merged:
    """Take one side whole; both differ from the base and from each other. A deletion is an act like another."""
    if sides.inner and base:
        # The base of a base: like git's own driver for binary files, so that neither side counts as agreed.
        return Merged(base)
    kept = _preferred(path, ours, theirs) or newer(ours, theirs, sides)
    return Merged(ours if kept == OURS else theirs, kept)


def newer(ours: bytes | None, theirs: bytes | None, sides: Sides) -> str:
    """Name the newer side; at equal or unknown times the one with the larger blob id, a deletion being the smallest."""
    return newer_commit(sides) or (OURS if blob_id(ours) >= blob_id(theirs) else THEIRS)


def newer_commit(sides: Sides) -> str | None:
    """Name the side with the later commit time; None where the times are equal or unknown."""
    ours_time, theirs_time = sides.ours_time, sides.theirs_time
    if ours_time == theirs_time:
        return None
    return OURS if theirs_time is None or (ours_time is not None and ours_time > theirs_time) else THEIRS


def blob_id(data: bytes | None) -> bytes:
    """Give git's SHA-1 object id of a blob, raw; nothing for a file that is not there."""
    if data is None:
        return b""
    try:
        from _sha1 import sha1  # type: ignore[import-not-found]  # hashlib would load OpenSSL for it
    except ImportError:
        from hashlib import sha1
    digest: bytes = sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).digest()
    return digest


def _preferred(path: str, ours: bytes | None, theirs: bytes | None) -> str | None:
    """Name the side that wins whatever its time: the other one yields or has a lower version of the spec."""
    if ours is None or theirs is None:
        return None
    weight = _spec_version if path == spec.SPEC_JSON else _says_something
    one, other = weight(path, ours), weight(path, theirs)
    if one == other:
        return None
    return OURS if one > other else THEIRS


def _says_something(path: str, data: bytes) -> bool:
    if is_blank(data):
        return False
    return path != spec.SOUL_MD or not is_seed_soul(data)


def is_seed_soul(data: bytes) -> bool:
    """Whether a ``SOUL.md`` is what fill-in writes: one heading and nothing below it."""
    text = plain(data).strip(STRIP)
    return text.startswith("#") and "\n" not in text


def _spec_version(_path: str, data: bytes) -> int:
    from soulsync.formats import json_text

    try:
        version = json_text.parse_object(data).get("version")
    except json_text.Malformed:
        return -1
    return version if type(version) is int else -1
