"""Hermes Agent's memories: the entries of a soul joined without a final newline, within a limit (bridges §2)."""

from __future__ import annotations

from soulsync.formats import entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MEMORY_LIMIT = 2_200
USER_LIMIT = 1_375
"""Code points of the joined entries, where the config says nothing else."""

parse = entries.parse
"""Read the entries of a file; a byte order mark, CRLF and a final newline are tolerated."""


def render(_data: bytes, wanted: Iterable[str]) -> bytes:
    """Write a file as Hermes itself does: it refuses to change one that is not exactly its own join."""
    return entries.render(wanted).removesuffix(b"\n")


def project(limit: int, _data: bytes, wanted: Sequence[str]) -> list[str]:
    """Choose the entries that fit; Hermes refuses to change a file with an entry over the limit."""
    return entries.project(dict.fromkeys(wanted), limit)
