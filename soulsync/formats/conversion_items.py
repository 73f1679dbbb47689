"""The three things that are converted: an entry of a soul, a memory of OxSoul, an entry of ``.agent/memory``."""

from __future__ import annotations

from soulsync.formats import frontmatter_values as values
from soulsync.formats import oxsoul
from soulsync.formats.cortex import FIELDS, normal, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from soulsync.formats.cortex import Entry
    from soulsync.formats.oxsoul import Memory

    Value = str | float | list[str]

SOUL, OXSOUL, CORTEX = "soul", "oxsoul", "cortex"
FORMATS = (SOUL, OXSOUL, CORTEX)
IMPORT = "import"
"""The source of a memory that came from elsewhere (SOULSPEC §4)."""
ORIGIN_CONFIDENCE = "x_origin_confidence"
"""What an imported memory was trusted before the ceiling of imports."""
USER_FILE, MEMORY_FILE = "USER.md", "MEMORY.md"


class SoulEntry:
    """An entry of a soul's memories: its ``text``, and whether it stands in the file about the user."""

    __slots__ = ("text", "user")

    def __init__(self, text: str, *, user: bool = False) -> None:
        self.text = text
        self.user = user

    def said(self) -> dict[str, object]:
        """What it says, field by field."""
        return {"text": self.text, "file": USER_FILE if self.user else MEMORY_FILE}


class OxSoul:
    """A memory of OxSoul: its ``fields``, known and unknown ones, those without a value left out, and its ``body``."""

    __slots__ = ("body", "fields")

    def __init__(self, fields: Mapping[str, Value], body: str) -> None:
        self.fields = dict(fields)
        self.body = body

    @classmethod
    def of(cls, memory: Memory) -> OxSoul:
        """What a file says."""
        every: dict[str, Value | None] = {key: getattr(memory, key) for key in oxsoul.KNOWN}
        known = {key: value for key, value in every.items() if value is not None}
        return cls({**known, **memory.extra}, memory.body)

    def memory(self) -> Memory:
        """The file."""
        return oxsoul.new(self.fields, self.body)

    def text(self, key: str) -> str:
        """A field as text, empty where it is none."""
        value = self.fields.get(key)
        return value if isinstance(value, str) else ""

    def share(self, key: str) -> float | None:
        """A number, None where there is none."""
        value = self.fields.get(key)
        return float(value) if isinstance(value, int | float) else None

    def trust(self) -> float | None:
        """How sure a memory is: what it was before it was imported, where that is told."""
        if self.text("source") == IMPORT and self.text(ORIGIN_CONFIDENCE):
            before = values.number(self.text(ORIGIN_CONFIDENCE))
            if before is not None and 0 <= before <= 1:
                return before
        return self.share("confidence")

    def said(self) -> dict[str, object]:
        """What it says, field by field: without a body the description, and trust without the ceiling of imports."""
        found: dict[str, object] = {**self.fields, "tags": self.fields.get("tags") or []}
        if self.trust() != self.share("confidence"):
            found["confidence"] = self.trust()
            del found[ORIGIN_CONFIDENCE]
        return {**found, "body": self.body or self.text("description")}


def said(item: SoulEntry | OxSoul | Entry) -> dict[str, object]:
    """What an item says, field by field, so that two that say the same are equal."""
    if isinstance(item, SoulEntry | OxSoul):
        return item.said()
    found = normal(item)
    if "confidence" in found:
        found["confidence"] = number(found["confidence"])
    return {field: found[field] for field in FIELDS[1:] if field in found}


if TYPE_CHECKING:
    Item = SoulEntry | OxSoul | Entry
