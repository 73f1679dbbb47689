"""OxSoul memories (SOULSPEC v0): one Markdown file each, its fields in frontmatter, its text below.

Reading never changes a byte; :func:`edit` changes the lines of the fields that change, and no other.
"""

from __future__ import annotations

from soulsync.formats import frontmatter
from soulsync.formats import frontmatter_values as values
from soulsync.formats.instants import instant
from soulsync.formats.oxsoul_names import is_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from soulsync.formats.frontmatter import Document, Field

CATEGORIES = ("preference", "fact", "feedback", "skill", "context")
SOURCES = ("manual", "agent-tool", "auto-extract", "scan", "import", "consolidate")
"""Where a memory comes from, in falling order of trust."""
MAX_DESCRIPTION = 120
REQUIRED = ("name", "description", "category", "importance", "confidence", "source", "created", "updated")
KNOWN = ("name", "description", "category", "importance", "confidence", "source", "tags", "created", "updated")
NUMBERS = frozenset(["importance", "confidence"])
_COMMENTED = frozenset(KNOWN) - {"description"}
"""Where `` # comment`` is none of the value. A description is ordinary text: it may say ``PR #456``."""


class Fault:
    """What is odd in a memory: the ``line`` of the file, the ``rule`` it breaks, and what it is about (``subject``).

    Rules: ``duplicate-key``, ``missing``, ``not-a-number``, ``out-of-range``, ``not-an-array``, ``category``,
    ``source``, ``date``, ``description-length``, ``name``, ``not-a-key``.
    """

    __slots__ = ("line", "rule", "subject")

    def __init__(self, line: int, rule: str, subject: str) -> None:
        self.line = line
        self.rule = rule
        self.subject = subject

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fault) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"Fault{self._key()!r}"

    def _key(self) -> tuple[int, str, str]:
        return self.line, self.rule, self.subject


class Memory:
    """A memory as its file says it.

    ``name``, ``description``, ``category``, ``source``, ``created`` and ``updated`` are text, None where the key is not
    there or empty; ``importance`` and ``confidence`` numbers from 0 to 1 (clamped), None where there is no number;
    ``tags`` strings. ``extra`` holds the text of every other key, uninterpreted, ``body`` what stands below, blank
    lines around it removed, with LF. ``document`` is the file itself.
    """

    __slots__ = (
        "body", "category", "confidence", "created", "description", "document", "extra", "importance", "name",
        "source", "tags", "updated",
    )  # fmt: skip

    def __init__(self, document: Document) -> None:
        self.document = document
        fields = {field.key: field for field in document.fields}
        self.name = _string(fields, "name")
        self.description = _string(fields, "description")
        self.category = _string(fields, "category")
        self.source = _string(fields, "source")
        self.created = _string(fields, "created")
        self.updated = _string(fields, "updated")
        self.importance = _number(fields, "importance")
        self.confidence = _number(fields, "confidence")
        self.tags = values.array(fields["tags"])[0] if "tags" in fields else []
        self.extra = {key: field.text for key, field in fields.items() if key not in KNOWN}
        self.body = document.body.replace("\r\n", "\n").strip("\n")

    @property
    def is_valid(self) -> bool:
        """Whether it has what makes it a memory: a name and a description."""
        return bool(self.name and self.description)

    @property
    def is_of_this_version(self) -> bool:
        """Whether the file keeps to SOULSPEC v0: a later one says so in its key ``spec``."""
        return self.extra.get("spec", "0").strip("\"'vV ") in ("", "0")

    @property
    def updated_at(self) -> int | None:
        """When it was changed, in microseconds since the epoch; None without a date that can be read."""
        return instant(self.updated)


def parse(data: bytes) -> Memory:
    """Read a memory. Raises :class:`~soulsync.formats.text.Malformed` for what is not UTF-8 or has no frontmatter."""
    return Memory(frontmatter.parse(data))


def render(memory: Memory) -> bytes:
    """The file of a memory; read and not edited it is the same bytes."""
    return frontmatter.render(memory.document)


def new(fields: Mapping[str, str | float | list[str]], body: str) -> Memory:
    """A memory from its fields, written in the order of the spec with other keys behind, and its text.

    Each value is as :class:`Memory` has it: numbers, a list for ``tags``, text for everything else.
    """
    ordered = [*(key for key in KNOWN if key in fields), *(key for key in fields if key not in KNOWN)]
    text = body.replace("\r\n", "\n").strip("\n")
    empty = frontmatter.build([], f"{text}\n" if text else "")
    return edit(Memory(empty), {key: fields[key] for key in ordered})


def edit(memory: Memory, changes: Mapping[str, str | float | list[str] | None]) -> Memory:
    """The memory with other values; None takes a key out. A line whose value stays the same stays as it is written."""
    document = memory.document
    for key, value in changes.items():
        if value is None:
            document = frontmatter.drop(document, key)
            continue
        document = _with(document, key, value)
    return memory if document is memory.document else Memory(document)


def with_body(memory: Memory, body: str) -> Memory:
    """The memory with another text below its fields, written with the line ends of its file."""
    newline = memory.document.newline
    text = body.replace("\r\n", "\n").strip("\n")
    if text == memory.body:
        return memory
    return Memory(memory.document.with_body((text + "\n").replace("\n", newline) if text else ""))


def collapsed(memory: Memory) -> Memory:
    """The memory with each known key once, the last of several: the one whose value counts."""
    document = frontmatter.collapse(memory.document, KNOWN)
    return memory if document is memory.document else Memory(document)


def faults(memory: Memory) -> list[Fault]:
    """What a memory breaks of the rules for its fields, by line. Its file's name is the store's matter."""
    fields = memory.document.fields
    last = {field.key: field for field in fields}
    found = [Fault(1, "missing", key) for key in REQUIRED if key not in last or not last[key].text]
    seen: set[str] = set()
    for field in fields:
        if field.key in seen:
            found.append(Fault(field.line, "duplicate-key", field.key))
        seen.add(field.key)
    if memory.name and not is_name(memory.name):
        found.append(Fault(last["name"].line, "name", memory.name))
    if memory.description and len(memory.description) > MAX_DESCRIPTION:
        found.append(Fault(last["description"].line, "description-length", str(len(memory.description))))
    found += [fault for key in sorted(NUMBERS) if key in last for fault in _number_faults(last[key])]
    for key, value, known in (("category", memory.category, CATEGORIES), ("source", memory.source, SOURCES)):
        if value and value not in known:
            found.append(Fault(last[key].line, key, value))
    for key, date in (("created", memory.created), ("updated", memory.updated)):
        if date and instant(date) is None:
            found.append(Fault(last[key].line, "date", date))
    if "tags" in last and not values.array(last["tags"])[1]:
        found.append(Fault(last["tags"].line, "not-an-array", last["tags"].text))
    found += _lines_that_are_not_read(memory.document)
    return sorted(found, key=lambda fault: (fault.line, fault.rule, fault.subject))


def _with(document: Document, key: str, value: str | float | list[str]) -> Document:
    newline = document.newline

    def make(old: Field | None) -> Field:
        if isinstance(value, list):
            if old is not None and values.array(old)[0] == value:
                return old
            return values.with_array(old, key, value, newline)
        if not isinstance(value, str):
            if old is not None and values.number(old.text) == value:
                return old
            return values.with_text(old, key, values.number_text(value), newline, comments=True)
        if key not in KNOWN:
            text = values.one_line(value)
            return old if old and old.text == text else values.with_text(old, key, text, newline, comments=False)
        comments = key in _COMMENTED
        if old is not None and values.string(old.text, comments=comments) == value:
            return old
        return values.with_string(old, key, value, newline, comments=comments)

    return frontmatter.put(document, key, make)


def _string(fields: Mapping[str, Field], key: str) -> str | None:
    field = fields.get(key)
    return (values.string(field.text, comments=key in _COMMENTED) or None) if field is not None else None


def _number(fields: Mapping[str, Field], key: str) -> float | None:
    field = fields.get(key)
    value = values.number(field.text) if field is not None else None
    return None if value is None else min(max(value, 0.0), 1.0)


def _number_faults(field: Field) -> Iterable[Fault]:
    value = values.number(field.text)
    if value is None:
        if field.text:
            yield Fault(field.line, "not-a-number", field.key)
    elif not 0 <= value <= 1:
        yield Fault(field.line, "out-of-range", field.key)


def _lines_that_are_not_read(document: Document) -> Iterable[Fault]:
    """Lines below a known key that are no comment and no part of a list: their text is lost on every reader."""
    for field in document.fields:
        if field.key not in KNOWN or field.key == "tags":
            continue
        for number, line in enumerate(field.rest.split("\n"), field.line + 1):
            if line.strip() and line.lstrip()[:1] != "#":
                yield Fault(number, "not-a-key", line.strip())
