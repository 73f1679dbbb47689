"""Entries of a soul: text alone, in one of two files. What else a memory says has no place there."""

from __future__ import annotations

from soulsync.formats.conversion_items import IMPORT, OxSoul, SoulEntry
from soulsync.formats.conversion_memory import USUAL_IMPORTANCE
from soulsync.formats.conversion_texts import describe, is_derived, on_one_line, titled, untitled
from soulsync.formats.cortex_distill import DEFAULT_CONFIDENCE, entry_of
from soulsync.formats.oxsoul import MAX_DESCRIPTION
from soulsync.formats.oxsoul_names import clean_name
from soulsync.formats.text import STRIP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from soulsync.formats.cortex import Entry


def cortex_of(entry: SoulEntry, now: str) -> Entry:
    """A stable fact; a heading with a blank line below it is its title. Scope ``user``: the file about the user."""
    title, content = untitled(entry.text)
    scope = "user" if entry.user else "project"
    return entry_of({"type": "semantic", "content": content, "title": title, "scope": scope}, now)


def of_cortex(entry: Entry) -> SoulEntry:
    """The content, below its title where that says something of its own."""
    content, title = _as_written(str(entry["content"])), entry.get("title")
    own = isinstance(title, str) and not is_derived(title, str(entry["content"])) and not is_derived(title, content)
    text = titled(on_one_line(str(title)), content) if own else content
    return SoulEntry(text, user=entry.get("scope") == "user")


def _as_written(text: str) -> str:
    """The text as a memories file holds it: LF alone, no byte order mark, nothing blank around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").strip(STRIP)


def oxsoul_of(entry: SoulEntry, now: str) -> OxSoul:
    """A memory with the text as its body; a heading with a blank line below it is its description."""
    title, body = untitled(entry.text, MAX_DESCRIPTION)
    description = title or describe(body)
    fields: dict[str, str | float | list[str]] = {
        "name": clean_name(description, description),
        "description": description,
        "category": "preference" if entry.user else "fact",
        "importance": USUAL_IMPORTANCE,
        "confidence": DEFAULT_CONFIDENCE,
        "source": IMPORT,
        "created": now,
        "updated": now,
    }
    return OxSoul(fields, body)


def of_oxsoul(memory: OxSoul) -> SoulEntry:
    """The body, below its description where that says something of its own."""
    body, description = _as_written(memory.body), on_one_line(memory.text("description"))
    alone = not body or description in ("", describe(body))
    text = (body or description) if alone else titled(description, body)
    return SoulEntry(text, user=memory.text("category") == "preference")
