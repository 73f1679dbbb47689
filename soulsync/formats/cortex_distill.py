"""``distill``: from prepared candidates to entries, by fixed defaults; the same candidates give the same entries."""

from __future__ import annotations

from soulsync.formats.cortex import Entry, default_title, expires
from soulsync.formats.cortex_rules import Fault, faults

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


KNOWN = (
    "type", "content", "title", "tags", "scope", "confidence", "pinned", "source_conversation_id",
    "source_decision_id", "source_run_id",
)  # fmt: skip
"""What a candidate may say; everything else of the entry follows from it and the time."""
REQUIRED = ("type", "content")
DEFAULT_SCOPE = "project"
DEFAULT_CONFIDENCE = 0.8


def entry_of(candidate: Mapping[str, object], created: str) -> Entry:
    """Make the entry of a candidate without faults; ``created`` is a time of RFC 3339.

    Title: the content, cut to 77 and ``...`` above 80 code points; scope ``project``; confidence 0.8; an episodic entry
    that is not pinned expires after 90 days. What the candidate gives as null counts as not given.
    """
    given = {field: value for field, value in candidate.items() if value is not None}
    kind, content, pinned = given.get("type"), given.get("content"), given.get("pinned", False)
    text = content if isinstance(content, str) else ""
    return {
        "schema_version": 1,
        "memory_id": next(ids(str(kind), text)),
        "type": kind,
        "title": given.get("title", default_title(text)),
        "content": content,
        "tags": given.get("tags", []),
        "source_conversation_id": given.get("source_conversation_id"),
        "source_decision_id": given.get("source_decision_id"),
        "source_run_id": given.get("source_run_id"),
        "scope": given.get("scope", DEFAULT_SCOPE),
        "expires_at": expires(str(kind), created, pinned=pinned is True),
        "pinned": pinned,
        "confidence": given.get("confidence", DEFAULT_CONFIDENCE),
        "created_at": created,
        "updated_at": None,
    }


def candidate_faults(candidate: object, created: str) -> list[Fault]:
    """Name everything that keeps a candidate from becoming an entry, an over-long content with its length."""
    if not isinstance(candidate, dict):
        return [Fault("", "object")]
    found = [Fault(field, "required") for field in REQUIRED if candidate.get(field) is None]
    found += [Fault(field, "unknown-key") for field in candidate if field not in KNOWN]
    judged = set(KNOWN) - {fault.field for fault in found}
    if candidate.get("title") is None:
        judged.discard("title")  # it comes from the content, which is blamed
    return found + [fault for fault in faults(entry_of(candidate, created)) if fault.field in judged]


def ids(kind: str, content: str) -> Iterator[str]:
    """Give the ids that an entry may have, the first one free counts: ``MEM-<type>-<8 hex digits>``.

    The digits come from the SHA-256 of type and content: who distils the same thing again finds it is there already.
    """
    import hashlib

    digest = hashlib.sha256(f"{kind}\n{content}".encode("utf-8", "surrogatepass")).hexdigest()
    for at in range(0, len(digest), 8):
        yield f"MEM-{kind}-{digest[at : at + 8]}"
    count = 0
    while True:
        count += 1
        yield f"MEM-{kind}-{digest[:8]}-{count}"
