"""OxSoul and ``.agent/memory``: what of one is what of the other.

A cortex entry's schema is closed; an OxSoul memory takes any ``x_`` field, so that it can hold a cortex entry whole:
``x_cortex_<field>`` has as JSON whatever the fields of OxSoul alone would not give back.
"""

from __future__ import annotations

from soulsync.formats.conversion_items import IMPORT, ORIGIN_CONFIDENCE, OxSoul
from soulsync.formats.conversion_texts import (
    as_body,
    describe,
    from_json,
    is_derived,
    on_one_line,
    shortened,
    slugs,
    to_json,
)
from soulsync.formats.cortex import (
    FIELDS,
    MAX_TITLE,
    PREFIX,
    Entry,
    default_title,
    is_memory_id,
    normal,
    number,
    tags_of,
)
from soulsync.formats.cortex_distill import ids
from soulsync.formats.cortex_rules import is_date_time
from soulsync.formats.instants import instant, timestamp
from soulsync.formats.oxsoul_names import clean_name

KEPT = "x_cortex_"
ORIGIN_SOURCE = "x_origin_source"
IMPORT_CEILING = 0.6
"""The most that an imported memory may be trusted (SOULSPEC §4)."""
MISSING_SHARE = 0.5
PINNED_IMPORTANCE, USUAL_IMPORTANCE = 1.0, 0.5
NULLABLE = ("source_conversation_id", "source_decision_id", "source_run_id", "expires_at", "updated_at")
"""The fields of a cortex entry that may be null; the others are left out."""
CATEGORY_OF = {"episodic": "context", "procedural": "skill", "semantic": "fact"}


def to_oxsoul(entry: Entry) -> OxSoul:
    """The OxSoul memory of a valid cortex entry. It is not branded as an import yet: :func:`branded`."""
    found = _plain_oxsoul(entry)
    back, wanted = normal(to_cortex(found, str(entry["created_at"]))), normal(entry)
    for field in FIELDS:
        if field != "schema_version" and differ(back.get(field), wanted.get(field)):
            found.fields[KEPT + field] = to_json(wanted.get(field))
    return found


def to_cortex(memory: OxSoul, now: str) -> Entry:
    """The cortex entry of an OxSoul memory; ``now`` stands for a time that it does not tell.

    It may break the schema where the memory can't be held, by its length above all.
    """
    entry = _plain_cortex(memory, now)
    for field in FIELDS:
        there, value = from_json(memory.text(KEPT + field)) if KEPT + field in memory.fields else (False, None)
        if there and value is None and field not in NULLABLE:
            entry.pop(field, None)
        elif there:
            entry[field] = value
    return entry


def branded(memory: OxSoul, origin: str, at: str) -> OxSoul:
    """The memory as an import (SOULSPEC §8.3): where from, when, and trusted no more than an import may be.

    What it was trusted before stays in ``x_origin_confidence``, its source in ``x_origin_source``.
    """
    fields = dict(memory.fields)
    before = memory.text("source")
    if before and before != IMPORT:
        fields.setdefault(ORIGIN_SOURCE, before)
    sure = memory.share("confidence")
    if sure is not None and sure > IMPORT_CEILING:
        fields.setdefault(ORIGIN_CONFIDENCE, to_json(sure))
        fields["confidence"] = IMPORT_CEILING
    return OxSoul({**fields, "source": IMPORT, "x_import_from": origin, "x_imported_at": at}, memory.body)


def _plain_oxsoul(entry: Entry) -> OxSoul:
    content, kind = str(entry["content"]), str(entry["type"])
    title = entry.get("title")
    own = not isinstance(title, str) or is_derived(title, content)
    name = clean_name(str(entry["memory_id"]).removeprefix(PREFIX))
    description = describe(content) if own else shortened(on_one_line(str(title)))
    sure = number(entry.get("confidence"))
    created = str(entry["created_at"])
    user = kind == "semantic" and entry.get("scope") == "user"
    fields: dict[str, str | float | list[str]] = {
        "name": name,
        "description": description or name,
        "category": "preference" if user else CATEGORY_OF[kind],
        "importance": PINNED_IMPORTANCE if entry.get("pinned") is True else USUAL_IMPORTANCE,
        "confidence": MISSING_SHARE if sure is None else sure,
        "source": IMPORT,
        "tags": tags_of(entry),
        "created": created,
        "updated": str(entry.get("updated_at") or created),
    }
    return OxSoul(fields, as_body(content))


def _plain_cortex(memory: OxSoul, now: str) -> Entry:
    description, category = memory.text("description"), memory.text("category")
    content = memory.body or description
    kind = "procedural" if category == "skill" else "semantic"
    tags = memory.fields.get("tags")
    created = _time(memory.text("created")) or now
    updated = _time(memory.text("updated"))
    entry: Entry = {
        "schema_version": 1,
        "memory_id": _id_of(memory.text("name"), kind, content),
        "type": kind,
        "title": default_title(content) if description == describe(content) else _fitting_title(description),
        "content": content,
        "tags": slugs(tags if isinstance(tags, list) else []),
        "source_conversation_id": None,
        "source_decision_id": None,
        "source_run_id": None,
        "scope": "user" if category == "preference" else "project",
        "expires_at": None,
        "pinned": (memory.share("importance") or 0) >= PINNED_IMPORTANCE,
        "confidence": memory.trust(),
        "created_at": created,
        "updated_at": None if updated == created else updated,
    }
    return entry if entry["confidence"] is not None else {k: v for k, v in entry.items() if k != "confidence"}


def _id_of(name: str, kind: str, content: str) -> str:
    wanted = PREFIX + name.lstrip("-")
    return wanted if is_memory_id(wanted) else next(ids(kind, content))


def _fitting_title(description: str) -> str:
    return description if len(description) <= MAX_TITLE else default_title(description)


def _time(text: str) -> str | None:
    """A time as cortex writes it, kept letter by letter where it is one; None for what is no time."""
    if is_date_time(text):
        return text
    micros = instant(text)
    return None if micros is None else timestamp(micros // 1000)


def differ(one: object, other: object) -> bool:
    """Whether two values are written differently."""
    return to_json(one) != to_json(other)
