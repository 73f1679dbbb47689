"""A framework's daily file and the journal of the body that it runs on, as one journal (bridges §3)."""

from __future__ import annotations

from soulsync.formats.openclaw_journal import to_journal
from soulsync.merge.journal import union


def absorb(day: str, body: str, seen: bytes | None, native: bytes, held: bytes | None) -> bytes:
    """The journal of a day after the framework wrote on: what it holds, and what ``native`` says beyond ``seen``.

    ``seen`` is the daily file as it was last absorbed, ``held`` the journal file; None where there is none. Nothing
    that the journal holds goes, but for paragraphs that were written on.
    """
    said = to_journal(day, body, native)
    if held is None or native == seen:
        return said if held is None else held
    known = b"" if seen is None else to_journal(day, body, seen)
    return said if held == known and said.startswith(known.rstrip(b"\n")) else union(known, held, said)
