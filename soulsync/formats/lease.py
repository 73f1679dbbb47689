"""``locks/consolidation.json``: which body consolidates memories, and until when (soul-repo-v4 §3.6)."""

from __future__ import annotations

from soulsync.formats import json_text
from soulsync.formats.text import Malformed

__all__ = ["Lease", "Malformed", "parse", "render"]


class Lease:
    """A lease: the name of the holding ``body``, and ``until`` when it holds, in milliseconds since the epoch."""

    __slots__ = ("body", "until")

    def __init__(self, body: str, until: int) -> None:
        self.body = body
        self.until = until

    def valid_at(self, milliseconds: int) -> bool:
        """Whether the lease holds at a time in milliseconds since the epoch."""
        return milliseconds < self.until

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lease) and (self.body, self.until) == (other.body, other.until)

    def __hash__(self) -> int:
        return hash((self.body, self.until))

    def __repr__(self) -> str:
        return f"Lease({self.body!r}, {self.until})"


def parse(data: bytes) -> Lease:
    """Read a lease. Raises :class:`Malformed` for what is no JSON object with a ``body`` and a number ``until``."""
    fields = json_text.parse_object(data)
    body, until = fields.get("body"), fields.get("until")
    if not isinstance(body, str) or not body:
        raise Malformed("without the body that holds the lease")
    if type(until) not in (int, float):
        raise Malformed("without the time until which the lease holds")
    return Lease(body, int(until))  # type: ignore[call-overload]


def render(lease: Lease) -> bytes:
    """Write a lease on one line."""
    return json_text.one_line({"body": lease.body, "until": lease.until})
