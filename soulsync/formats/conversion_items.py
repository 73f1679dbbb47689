"""The three things that are converted: an entry of a soul, a memory of OxSoul, an entry of ``.agent/memory``."""

from __future__ import annotations

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
        values: dict[str, Value | None] = {key: getattr(memory, key) for key in oxsoul.KNOWN}
        known = {key: value for key, value in values.items() if value is not None}
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

    def said(self) -> dict[str, object]:
        """What it says, field by field; without a body the description is all."""
        tags = self.fields.get("tags") or []
        return {**self.fields, "tags": tags, "body": self.body or self.text("description")}


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
